import { Int32 } from 'bson';
import { compareValues } from './compare.ts';
import { namedArguments } from './expression-logic.ts';
import { fail, fixed, isNullish, type PlainOperators, type SpecialOperator } from './expression-types.ts';
import { integerOf } from './numbers.ts';
import { isNumeric, typeName, type Value } from './values.ts';

/** Operators on arrays. Source: manual, "Array Expression Operators". */
export const arrayOperators: PlainOperators = {
  $size: fixed(1, (value) => new Int32(arrayOf(value, 17124, '$size').length)),
  $arrayElemAt: fixed(2, (array, index) => {
    if (isNullish(array) || isNullish(index)) return null;
    const position = positionOf(index, 28690, '$arrayElemAt');
    return arrayOf(array, 28689, '$arrayElemAt').at(position);
  }),
  $in: fixed(2, (value, array) => arrayOf(array, 40081, '$in').some((element) => compareValues(element, value) === 0)),
  $slice: { least: 2, most: 3, apply: slice },
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
