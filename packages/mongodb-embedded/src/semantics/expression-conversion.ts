import { Decimal128, Double, Int32, Long } from 'bson';
import { CommandError } from '../errors.ts';
import { asDecimal, asDouble } from './arithmetic.ts';
import { toBigInt } from './exact.ts';
import { namedArguments } from './expression-logic.ts';
import { fixed, isNullish, type PlainOperator, type PlainOperators, type SpecialOperator } from './expression-types.ts';
import { exactOf, toDecimal128, toInteger } from './numbers.ts';
import { typeNamesOf } from './type-names.ts';
import { isBson, isNumeric, typeName, type Value } from './values.ts';

/** `$type` and the short forms of `$convert`. Throws 241 (ConversionFailure). Source: manual, "$convert". */
export const conversionOperators: PlainOperators = {
  $type: fixed(1, (value) => typeName(value)),
  $toInt: conversion('int'),
  $toLong: conversion('long'),
  $toDouble: conversion('double'),
  $toDecimal: conversion('decimal'),
  $toString: conversion('string'),
  $toDate: conversion('date'),
};

/** `$convert` with `onError` and `onNull`. */
export const specialConversionOperators: Readonly<Record<string, SpecialOperator>> = {
  $convert: (argument, compile) => {
    const named = namedArguments('$convert', argument, { input: 9, to: 9 }, 9, ['onError', 'onNull']);
    const [input, to] = [compile(named.input), compile(named.to)];
    const [onError, onNull] = [compile(named['onError']), compile(named['onNull'])];
    return (root, variables) => {
      const value = input(root, variables);
      const target = to(root, variables);
      if (isNullish(value)) return 'onNull' in named ? onNull(root, variables) : null;
      if (isNullish(target)) return null;
      try {
        return convert(value, typeNamesOf(target)[0] ?? '');
      } catch (error) {
        const failed = error instanceof CommandError && error.code === 241;
        if (failed && 'onError' in named) return onError(root, variables);
        throw error;
      }
    };
  },
};

/** A number, date, boolean, ObjectId or string as text; undefined for other types. */
export function textOfValue(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (isBson(value, 'ObjectId')) return value.toHexString();
  if (isBson(value, 'Double') || isBson(value, 'Int32')) return String(value.value);
  return isNumeric(value) ? value.toString() : undefined;
}

function conversion(target: string): PlainOperator {
  return fixed(1, (value) => (isNullish(value) ? null : convert(value, target)));
}

function convert(value: Value, target: string): Value {
  if (typeName(value) === target) return value;
  const result = converters[target]?.(value);
  if (result !== undefined) return result;
  throw new CommandError(241, `Unsupported conversion from ${typeName(value)} to ${target} in $convert`);
}

const converters: Readonly<Record<string, ((value: Value) => Value) | undefined>> = {
  int: (value) => wholeOf(value instanceof Date ? undefined : value, false),
  long: (value) => wholeOf(value, true),
  double: (value) => {
    if (typeof value === 'boolean') return new Double(Number(value));
    if (value instanceof Date) return new Double(value.getTime());
    if (typeof value === 'string') return isNumberText(value) ? new Double(Number(value)) : undefined;
    return isNumeric(value) ? new Double(asDouble(value)) : undefined;
  },
  decimal: (value) => {
    if (typeof value === 'boolean') return Decimal128.fromString(value ? '1' : '0');
    if (value instanceof Date) return Decimal128.fromString(String(value.getTime()));
    if (typeof value === 'string') {
      return isNumberText(value) ? Decimal128.fromStringWithRounding(value) : undefined;
    }
    return isNumeric(value) ? toDecimal128(asDecimal(value)) : undefined;
  },
  string: (value) => textOfValue(value),
  date: (value) => {
    if (isBson(value, 'ObjectId')) return value.getTimestamp();
    if (typeof value === 'string') return dateOfText(value);
    if (!isNumeric(value) || isBson(value, 'Int32')) return undefined;
    const milliseconds = toBigInt(exactOf(value));
    return milliseconds === undefined ? undefined : new Date(Number(milliseconds));
  },
};

/** The whole part of a value as an int or a long; undefined when it does not fit or is no number. */
function wholeOf(value: Value, wide: boolean): Value {
  let whole: bigint | undefined;
  if (typeof value === 'boolean') whole = BigInt(value);
  else if (value instanceof Date) whole = BigInt(value.getTime());
  else if (typeof value === 'string') whole = /^[+-]?\d+$/.test(value) ? BigInt(value.replace('+', '')) : undefined;
  else if (isNumeric(value)) whole = toBigInt(exactOf(value));
  if (whole === undefined) return undefined;
  const integer = toInteger(whole, wide);
  return wide ? (integer instanceof Long ? integer : undefined) : integer instanceof Int32 ? integer : undefined;
}

function isNumberText(text: string): boolean {
  return /^[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|inf|infinity|nan)$/i.test(text);
}

/** An ISO date; without an offset it is UTC. Undefined when it is none. */
function dateOfText(text: string): Date | undefined {
  const zoned = /[Zz]$|[+-]\d\d:?\d\d$/.test(text) || !text.includes(':') ? text : `${text}Z`;
  const date = new Date(zoned.replace(' ', 'T'));
  return /^\d{4}-\d\d/.test(text) && !Number.isNaN(date.getTime()) ? date : undefined;
}
