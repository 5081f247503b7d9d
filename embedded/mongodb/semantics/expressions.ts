import { CommandError } from '../errors.ts';
import { isZero } from './exact.ts';
import { exactOf } from './numbers.ts';
import type { Value } from './values.ts';
import { isNumeric } from './values.ts';

/** Variables of an expression by name, without their dollars. */
export type Variables = Readonly<Record<string, Value>>;

/** A compiled expression; `undefined` is "missing". */
export type Expression = (root: Value, variables: Variables) => Value;

/** Compiles an aggregation expression. */
export function compileExpression(_specification: Value): Expression {
  throw new CommandError(168, 'Unrecognized expression');
}

/** Whether a value counts as true: all but false, null, missing and zero. */
export function isTrue(value: Value): boolean {
  if (value === null || value === undefined || value === false) return false;
  return !isNumeric(value) || !isZero(exactOf(value));
}
