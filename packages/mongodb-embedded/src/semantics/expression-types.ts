import { CommandError } from '../errors.ts';
import type { Value } from './values.ts';

/** Variables of an expression by name, without their dollars; `NOW` is the time of the command. */
export type Variables = Readonly<Record<string, Value>>;

/** A compiled expression; `undefined` stands for "missing". */
export type Expression = (root: Value, variables: Variables) => Value;

/** An operator whose arguments are all evaluated, at least `least` and at most `most` of them. */
export interface PlainOperator {
  least: number;
  most: number;
  apply: (values: Value[]) => Value;
}

/** An operator that compiles its own argument: named arguments, conditions, variables. */
export type SpecialOperator = (argument: Value, compile: (specification: Value) => Expression) => Expression;

/** A table of operators by name. */
export type PlainOperators = Readonly<Record<string, PlainOperator | undefined>>;

/** An operator of a fixed number of arguments. */
export function fixed(count: number, apply: (...values: Value[]) => Value): PlainOperator {
  return { least: count, most: count, apply: (values) => apply(...values) };
}

/** An operator of any number of arguments. */
export function variadic(apply: (values: Value[]) => Value): PlainOperator {
  return { least: 0, most: Infinity, apply };
}

/** True for null, undefined and missing. */
export function isNullish(value: Value): value is null | undefined {
  return value === null || value === undefined;
}

/** Ends an evaluation with one of MongoDB's error codes. */
export function fail(code: number, message: string): never {
  throw new CommandError(code, message);
}
