import { Int32 } from 'bson';
import { accumulators } from './accumulators.ts';
import { compareValues } from './compare.ts';
import { namedArguments } from './expression-logic.ts';
import type { PlainOperators, SpecialOperator } from './expression-types.ts';
import { fail, fixed, isNullish, variadic } from './expression-types.ts';
import { integerOf } from './numbers.ts';
import type { Document, Value } from './values.ts';
import { asDocument, isDocument, isNumeric, typeName } from './values.ts';

/** Operators on arrays and documents. Source: manual, "Array Expression Operators", "Set Expression Operators". */
export const arrayOperators: PlainOperators = {
  $size: fixed(1, (value) => new Int32(arrayOf(value, 17124, '$size').length)),
  $isArray: fixed(1, (value) => Array.isArray(value)),
  $arrayElemAt: fixed(2, (array, index) => {
    if (isNullish(array) || isNullish(index)) return null;
    const position = positionOf(index, 28690, '$arrayElemAt');
    return arrayOf(array, 28689, '$arrayElemAt').at(position);
  }),
  $in: fixed(2, (value, array) => arrayOf(array, 40081, '$in').some((element) => compareValues(element, value) === 0)),
  $concatArrays: variadic((arrays) =>
    arrays.some(isNullish) ? null : arrays.flatMap((array) => arrayOf(array, 28664, '$concatArrays')),
  ),
  $reverseArray: fixed(1, (array) => (isNullish(array) ? null : arrayOf(array, 34435, '$reverseArray').toReversed())),
  $slice: { least: 2, most: 3, apply: slice },
  $indexOfArray: fixed(2, (array, wanted) => {
    if (isNullish(array)) return null;
    const list = arrayOf(array, 40090, '$indexOfArray');
    return new Int32(list.findIndex((element) => compareValues(element, wanted) === 0));
  }),
  $range: {
    least: 2,
    most: 3,
    apply: ([start, end, step = new Int32(1)]) => {
      const stride = positionOf(step, 34447, '$range');
      if (stride === 0) fail(34449, '$range requires a non-zero step value');
      const [from, to] = [positionOf(start, 34443, '$range'), positionOf(end, 34445, '$range')];
      const count = Math.max(0, Math.ceil((to - from) / stride));
      return Array.from({ length: count }, (_, index) => new Int32(from + index * stride));
    },
  },
  $mergeObjects: variadic((values) => {
    const [only] = values;
    const merge = accumulators['$mergeObjects']?.();
    for (const value of values.length === 1 && Array.isArray(only) ? only : values) merge?.add(value);
    return merge?.result();
  }),
  $objectToArray: fixed(1, (value) => {
    if (isNullish(value)) return null;
    const document = asDocument(value) ?? fail(40390, `$objectToArray requires a document, found: ${typeName(value)}`);
    return Object.entries(document).map(([k, v]) => ({ k, v }));
  }),
  $arrayToObject: fixed(1, (value) => {
    if (isNullish(value)) return null;
    return Object.fromEntries(arrayOf(value, 40386, '$arrayToObject').map(pairOf));
  }),
  $setUnion: variadic((sets) => (sets.some(isNullish) ? null : distinct(sets.flatMap(setOf(17043))))),
  $setIntersection: variadic((sets) => {
    if (sets.some(isNullish)) return null;
    const [first = [], ...others] = sets.map(setOf(17047));
    return distinct(first.filter((value) => others.every((other) => holds(other, value))));
  }),
  $setDifference: fixed(2, (left, right) => {
    if (isNullish(left) || isNullish(right)) return null;
    const others = setOf(17049)(right);
    return distinct(setOf(17048)(left).filter((value) => !holds(others, value)));
  }),
  $setIsSubset: fixed(2, (left, right) => {
    const all = setOf(17042)(right);
    return setOf(17046)(left).every((value) => holds(all, value));
  }),
  $setEquals: fixed(2, (left, right) => {
    const [one, two] = [setOf(17044)(left), setOf(17044)(right)];
    return one.every((value) => holds(two, value)) && two.every((value) => holds(one, value));
  }),
};

/** Operators that bind variables to elements: `$filter`, `$map`, `$reduce`. */
export function specialArrayOperators(isTrue: (value: Value) => boolean): Readonly<Record<string, SpecialOperator>> {
  return {
    $filter: (argument, compile) => {
      const named = namedArguments('$filter', argument, { input: 28648, cond: 28650 }, 28647, ['as']);
      const name = variableName(named['as']);
      const [input, cond] = [compile(named.input), compile(named.cond)];
      return (root, variables) => {
        const array = input(root, variables);
        if (isNullish(array)) return null;
        return arrayOf(array, 28651, '$filter').filter((element) =>
          isTrue(cond(root, { ...variables, [name]: element })),
        );
      };
    },
    $map: (argument, compile) => {
      const named = namedArguments('$map', argument, { input: 16880, in: 16882 }, 16879, ['as']);
      const name = variableName(named['as']);
      const [input, body] = [compile(named.input), compile(named.in)];
      return (root, variables) => {
        const array = input(root, variables);
        if (isNullish(array)) return null;
        return arrayOf(array, 16883, '$map').map((element) => body(root, { ...variables, [name]: element }) ?? null);
      };
    },
    $reduce: (argument, compile) => {
      const named = namedArguments('$reduce', argument, { input: 40077, initialValue: 40078, in: 40079 }, 40076);
      const [input, initial, body] = [compile(named.input), compile(named.initialValue), compile(named.in)];
      return (root, variables) => {
        const array = input(root, variables);
        if (isNullish(array)) return null;
        return arrayOf(array, 40080, '$reduce').reduce<Value>(
          (value, element) => body(root, { ...variables, value, this: element }),
          initial(root, variables),
        );
      };
    },
  };
}

function variableName(as: Value): string {
  if (as === undefined) return 'this';
  if (typeof as === 'string' && /^[a-z]/.test(as)) return as;
  return fail(16867, 'a variable name must start with a lower case letter');
}

function arrayOf(value: Value, code: number, operator: string): Value[] {
  return Array.isArray(value) ? value : fail(code, `${operator} needs an array, but got ${typeName(value)}`);
}

function setOf(code: number): (value: Value) => Value[] {
  return (value) => arrayOf(value, code, 'a set operator');
}

function positionOf(value: Value, code: number, operator: string): number {
  const position = isNumeric(value) ? integerOf(value) : undefined;
  return position ?? fail(code, `${operator} needs a whole number, but got ${typeName(value)}`);
}

/** `[array, n]` or `[array, position, n]`; below zero they count from the end. */
function slice([array, first, count]: Value[]): Value {
  if (isNullish(array) || isNullish(first) || count === null) return null;
  const list = arrayOf(array, 28724, '$slice');
  const start = positionOf(first, 28725, '$slice');
  if (count === undefined) return start < 0 ? list.slice(start) : list.slice(0, start);
  const size = positionOf(count, 28727, '$slice');
  if (size <= 0) fail(28729, `Third argument to $slice must be positive: ${size}`);
  const from = start < 0 ? Math.max(0, list.length + start) : start;
  return list.slice(from, from + size);
}

function pairOf(entry: Value): [string, Value] {
  const [k, v]: Value[] = Array.isArray(entry) ? entry : isDocument(entry) ? pairFields(entry) : [];
  return typeof k === 'string' ? [k, v] : fail(40394, '$arrayToObject requires pairs of a string and a value');
}

function pairFields(entry: Document): Value[] {
  return [entry['k'], entry['v']];
}

function holds(set: Value[], value: Value): boolean {
  return set.some((known) => compareValues(known, value) === 0);
}

function distinct(values: Value[]): Value[] {
  return values.filter((value, index) => !holds(values.slice(0, index), value)).sort(compareValuesPlain);
}

function compareValuesPlain(left: Value, right: Value): number {
  return compareValues(left, right);
}
