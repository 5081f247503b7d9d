import { Double } from 'bson';
import { compareValues, keyText } from './compare.ts';
import { divide, fromBigInt } from './exact.ts';
import { isNullish } from './expression-types.ts';
import { NumberSum } from './number-sum.ts';
import { toDecimal128 } from './numbers.ts';
import { isNumeric, type Value } from './values.ts';

/** Gathers one value from each document of a group. */
export interface Accumulator {
  add: (value: Value) => void;
  result: () => Value;
}

/**
 * The accumulators of `$group` by name. Source: manual, "Accumulators ($group)"; (recordings: aggregate,
 * $group).
 */
export const accumulators: Readonly<Record<string, (() => Accumulator) | undefined>> = {
  $sum: () => {
    const sum = new NumberSum();
    return {
      add: (value) => {
        addNumber(sum, value);
      },
      result: () => sum.total(),
    };
  },
  $avg: () => {
    const sum = new NumberSum();
    return {
      add: (value) => {
        addNumber(sum, value);
      },
      result: () => averageOf(sum),
    };
  },
  $min: () => extreme(-1),
  $max: () => extreme(1),
  $first: () => {
    let first: { value: Value } | undefined;
    return {
      add: (value) => {
        first ??= { value };
      },
      result: () => first?.value ?? null,
    };
  },
  $push: () => {
    const all: Value[] = [];
    return {
      add: (value) => {
        if (value !== undefined) all.push(value);
      },
      result: () => all,
    };
  },
  $addToSet: () => {
    const set = new Map<string, Value>();
    return {
      add: (value) => {
        if (value !== undefined && !set.has(keyText(value))) set.set(keyText(value), value);
      },
      result: () => [...set.values()],
    };
  },
};

/** `$sum`, `$avg`, `$min` and `$max` as expressions: over the elements of one array, or over several values. */
export function accumulate(name: AccumulatorName, values: Value[]): Value {
  const accumulator = accumulators[name]?.();
  const [only] = values;
  const list = values.length === 1 && Array.isArray(only) ? only : values;
  for (const value of list) accumulator?.add(value);
  return accumulator?.result();
}

type AccumulatorName = '$sum' | '$avg' | '$min' | '$max';

function addNumber(sum: NumberSum, value: Value): void {
  if (isNumeric(value)) sum.add(value);
}

function averageOf(sum: NumberSum): Value {
  if (sum.count === 0) return null;
  if (sum.width === 'decimal') return toDecimal128(divide(sum.exact(), fromBigInt(BigInt(sum.count))));
  return new Double(sum.double() / sum.count);
}

function extreme(sign: 1 | -1): Accumulator {
  let best: Value;
  return {
    add: (value) => {
      if (!isNullish(value) && (best === undefined || compareValues(value, best) === sign)) best = value;
    },
    result: () => best ?? null,
  };
}
