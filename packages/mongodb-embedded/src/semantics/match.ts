import { CommandError } from '../errors.ts';
import { compileExpression, isTrue } from './expressions.ts';
import { compileJsonSchema } from './json-schema.ts';
import { all, compileOperators, equals, isOperators, matchesRegex } from './match-operators.ts';
import type { Matcher, MatchOptions, PathMatcher } from './match-types.ts';
import { asDocument, isBson, isDocument, type Document, type Value } from './values.ts';

export { bounds, equalities } from './bounds.ts';
export type { MatchDetails, Matcher, MatchOptions } from './match-types.ts';

/**
 * Compiles a query filter. Throws 2 (BadValue) for unknown operators and wrong arguments, 168 for unknown
 * expressions, 51091 for a broken regular expression; the matcher itself throws what an `$expr` throws.
 * Source: manual, "Query and Projection Operators" (recordings: find).
 */
export function compileMatch(filter: Document, options: MatchOptions = {}): Matcher {
  const conditions = Object.entries(filter).map(([field, condition]) =>
    field.startsWith('$') ? compileTopLevel(field, condition, options) : compileField(field, condition, options),
  );
  const [only] = conditions;
  if (only !== undefined && conditions.length === 1) return only;
  return (document, details) => conditions.every((matches) => matches(document, details));
}

/** The condition on one path: `{ path: condition }`, where the condition is a value, a regex or operators. */
export function compileCondition(condition: Value, options: MatchOptions): PathMatcher {
  if (isBson(condition, 'BSONRegExp')) return matchesRegex(condition.pattern, condition.options);
  if (!isDocument(condition) || !isOperators(condition)) return equals(condition, options);
  return compileOperators(condition, options, compileMatch);
}

function compileField(path: string, condition: Value, options: MatchOptions): Matcher {
  const matches = compileCondition(condition, options);
  const parts = path.split('.');
  return (document, details) => matches(document, parts, false, details);
}

function compileTopLevel(operator: string, argument: Value, options: MatchOptions): Matcher {
  switch (operator) {
    case '$and': {
      const matchers = compileList(operator, argument, options);
      return (document, details) => matchers.every((matches) => matches(document, details));
    }
    case '$or': {
      const matchers = compileList(operator, argument, options);
      return (document, details) => matchers.some((matches) => matches(document, details));
    }
    case '$nor': {
      const matchers = compileList(operator, argument, options);
      return (document) => !matchers.some((matches) => matches(document));
    }
    case '$expr': {
      const evaluate = compileExpression(argument);
      const variables = { NOW: new Date(), ...options.variables };
      return (document) => isTrue(evaluate(document, variables));
    }
    case '$jsonSchema':
      if (!isDocument(argument)) throw new CommandError(14, '$jsonSchema must be an object');
      return compileJsonSchema(argument);
    case '$comment':
      return all([]);
    default:
      throw new CommandError(2, `unknown top level operator: ${operator}`);
  }
}

function compileList(operator: string, argument: Value, options: MatchOptions): Matcher[] {
  if (!Array.isArray(argument) || argument.length === 0) {
    throw new CommandError(2, `${operator} must be a nonempty array`);
  }
  return argument.map((part) => {
    const filter = asDocument(part);
    if (filter === undefined) throw new CommandError(2, '$or/$and/$nor entries need to be full objects');
    return compileMatch(filter, options);
  });
}
