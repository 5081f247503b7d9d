import { CommandError } from '../errors.ts';
import { compileMatch, type MatchOptions } from './match.ts';
import { isDocument, type Document, type Value } from './values.ts';

/** Tells whether the array filter of an identifier selects an element. */
export type ArrayFilters = ReadonlyMap<string, (element: Value) => boolean>;

/**
 * Compiles `arrayFilters`, each about one identifier. Throws 9 (FailedToParse) for a filter about none or several,
 * or a second one about the same; 2 for a bad identifier. Source: manual, "$[<identifier>]".
 */
export function compileArrayFilters(filters: Document[], options: MatchOptions): ArrayFilters {
  const compiled = new Map<string, (element: Value) => boolean>();
  for (const filter of filters) {
    const identifiers = new Set(identifiersOf(filter));
    const [identifier] = identifiers;
    if (identifier === undefined) throw new CommandError(9, 'Cannot use an expression without a top-level field name');
    if (identifiers.size > 1) {
      throw new CommandError(9, `Error parsing array filter: expected a single top-level field name`);
    }
    if (!/^[a-z][a-zA-Z0-9]*$/.test(identifier)) {
      throw new CommandError(2, `The top-level field name must be an alphanumeric string: '${identifier}'`);
    }
    if (compiled.has(identifier)) {
      throw new CommandError(9, `Found multiple array filters with the same top-level field name ${identifier}`);
    }
    const matches = compileMatch(filter, options);
    compiled.set(identifier, (element) => matches({ [identifier]: element }));
  }
  return compiled;
}

function identifiersOf(filter: Document): string[] {
  return Object.entries(filter).flatMap(([path, condition]) => {
    if (!path.startsWith('$')) return [path.split('.')[0] ?? ''];
    return Array.isArray(condition) ? condition.filter(isDocument).flatMap(identifiersOf) : [];
  });
}
