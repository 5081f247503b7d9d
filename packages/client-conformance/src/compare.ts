import type { Json } from './case.ts';
import { isList, isObject } from './write-out.ts';

/** Which text each name of `$same` stands for. */
export type Names = Map<string, string>;

export interface Comparison {
  /** Whether objects may have members that are not expected. */
  readonly isSubset: boolean;
  /** How far numbers may differ. */
  readonly tolerance?: number;
}

const shownMax = 300;
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * The first difference of what came from what was expected; undefined where there is none. What `$same` names is remembered
 * in `names`.
 */
export function difference(
  where: string,
  expected: Json | undefined,
  got: unknown,
  names: Names,
  comparison: Comparison,
): string | undefined {
  const differs = `${where}: expected ${shown(expected)}, got ${shown(got)}`;
  if (isObject(expected)) {
    const matcher = Object.keys(expected).find((name) => name.startsWith('$') && name !== '$more');
    if (matcher !== undefined) return matches(matcher, expected[matcher] as string, got, names) ? undefined : differs;
    if (!isObject(got)) return differs;
    const isOpen = comparison.isSubset || '$more' in expected;
    const unexpected = Object.keys(got).find((name) => !(name in expected) && got[name] !== undefined);
    if (!isOpen && unexpected !== undefined)
      return `${where}: unexpected member "${unexpected}", ${shown(got[unexpected])}`;
    return first(Object.keys(expected), (name) =>
      name === '$more' ? undefined : difference(`${where}.${name}`, expected[name], got[name], names, comparison),
    );
  }
  if (isList(expected)) {
    if (!isList(got)) return differs;
    if (got.length !== expected.length)
      return `${where}: expected ${expected.length} elements, got ${got.length}: ${shown(got)}`;
    return first([...expected.keys()], (index) =>
      difference(`${where}[${index}]`, expected[index], got[index], names, comparison),
    );
  }
  return isSame(expected, got, comparison) ? undefined : differs;
}

function matches(matcher: string, value: string, got: unknown, names: Names): boolean {
  switch (matcher) {
    case '$any':
      return value === 'value' ? got !== undefined : typeof got === (value === 'text' ? 'string' : value);
    case '$absent':
      return got === undefined || got === null;
    case '$matches':
      return typeof got === 'string' && new RegExp(value).test(got);
    case '$same':
      return isNamed(value, got, names);
    default:
      throw new Error(`There is no ${matcher} to expect.`);
  }
}

function isNamed(name: string, got: unknown, names: Names): boolean {
  if (typeof got !== 'string' || got === '') return false;
  const known = names.get(name);
  if (known !== undefined) return known === got;
  if ([...names.values()].includes(got)) return false;
  names.set(name, got);
  return true;
}

function isSame(expected: Json | undefined, got: unknown, { tolerance = 0 }: Comparison): boolean {
  if (expected === got) return true;
  if (typeof expected === 'number' && typeof got === 'number') return Math.abs(expected - got) <= tolerance;
  if (typeof expected !== 'string' || typeof got !== 'string') return false;
  return time.test(expected) && time.test(got) && Date.parse(expected) === Date.parse(got);
}

function first<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > shownMax ? `${text.slice(0, shownMax)}… (${text.length} characters)` : text;
}
