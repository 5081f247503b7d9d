import { Double } from 'bson';
import { asDouble } from './arithmetic.ts';
import { compareValues, keyText } from './compare.ts';
import { divide, fromBigInt } from './exact.ts';
import { fail, isNullish } from './expression-types.ts';
import { NumberSum } from './number-sum.ts';
import { toDecimal128 } from './numbers.ts';
import type { Value } from './values.ts';
import { asDocument, isNumeric, typeName } from './values.ts';

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
  $stdDevPop: () => deviation(0),
  $stdDevSamp: () => deviation(1),
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
  $last: () => {
    let last: Value = null;
    return {
      add: (value) => {
        last = value;
      },
      result: () => last ?? null,
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
  $mergeObjects: () => {
    let merged = {};
    return {
      add: (value) => {
        merged = { ...merged, ...documentOf(value) };
      },
      result: () => merged,
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

type AccumulatorName = '$sum' | '$avg' | '$min' | '$max' | '$stdDevPop' | '$stdDevSamp';

function addNumber(sum: NumberSum, value: Value): void {
  if (isNumeric(value)) sum.add(value);
}

function averageOf(sum: NumberSum): Value {
  if (sum.count === 0) return null;
  if (sum.width === 'decimal') return toDecimal128(divide(sum.exact(), fromBigInt(BigInt(sum.count))));
  return new Double(sum.double() / sum.count);
}

/** Welford's running deviation; the sample form divides by one less. */
function deviation(less: 0 | 1): Accumulator {
  let [count, mean, squares] = [0, 0, 0];
  return {
    add: (value) => {
      if (!isNumeric(value)) return;
      const number = asDouble(value);
      const delta = number - mean;
      count++;
      mean += delta / count;
      squares += delta * (number - mean);
    },
    result: () => (count <= less ? null : new Double(Math.sqrt(squares / (count - less)))),
  };
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

function documentOf(value: Value): object {
  if (isNullish(value)) return {};
  return asDocument(value) ?? fail(40400, `$mergeObjects requires object inputs, but got ${typeName(value)}`);
}
