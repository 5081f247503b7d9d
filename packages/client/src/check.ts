import { UsageError } from './errors.ts';

/** @throws UsageError where `given` is no object, or has a member that is not in `known`. */
export function checkMembers(what: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new UsageError(`${what} must be an object with ${known.join(', ')}.`);
  }
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`${what} has no "${unknown}"; there are ${known.join(', ')}.`);
  }
}

/** @throws UsageError unless `value` is a text that is not empty. */
export function checkText(what: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || value === '') {
    throw new UsageError(`${what} is required: a text that is not empty, not ${kindOf(value)}.`);
  }
}

/** @throws UsageError unless `value` is a Date, or a text that is not empty. */
export function checkTime(what: string, value: unknown): asserts value is string | Date {
  if (!(value instanceof Date)) checkText(what, value);
}

/** @throws UsageError unless `value` is a text that is not empty: a number would lose digits. */
export function checkDecimal(what: string, value: unknown): asserts value is string {
  if (typeof value === 'number') {
    throw new UsageError(`${what} must be a decimal text, such as '1.10': a number would lose digits.`);
  }
  checkText(what, value);
}

/** The amount of a body and those of its legs, by their places. What is no list of legs, the service tells. */
export function amountsIn({ amount, legs }: { readonly amount?: unknown; readonly legs?: unknown }) {
  const ofLegs = Array.isArray(legs) ? (legs as ({ readonly amount?: unknown } | null)[]) : [];
  const all = [amount, ...ofLegs.map((leg) => leg?.amount)];
  return all.flatMap((value, at) =>
    value === undefined ? [] : [[at === 0 ? 'amount' : `legs[${at - 1}].amount`, value] as const],
  );
}

/** @throws UsageError unless `list` is one; and where these members of its items are there, but no decimal texts. */
export function checkList(what: string, list: unknown, decimals: readonly string[]): void {
  if (!Array.isArray(list)) throw new UsageError(`${what} must be a list.`);
  for (const [place, item] of (list as (Readonly<Record<string, unknown>> | null)[]).entries())
    for (const name of decimals) if (item?.[name] !== undefined) checkDecimal(`${what}[${place}].${name}`, item[name]);
}

/** @throws UsageError unless `value` is a text that a header can carry: printable ASCII, no space at either end. */
export function checkHeaderText(what: string, value: unknown): asserts value is string {
  checkText(what, value);
  // The value may be a secret: it is not repeated.
  if (!/^[!-~]([ -~]*[!-~])?$/.test(value))
    throw new UsageError(`${what} must be printable ASCII without spaces around it.`);
}

/** @throws UsageError unless `value` is a secret, without the line end of the file that it comes from. */
export function checkSecret(what: string, value: unknown): asserts value is string {
  checkText(what, value);
  if (value.trim() !== value) {
    throw new UsageError(`${what} begins or ends with a space or a line end, which is none of the secret: trim it.`);
  }
}

/** @throws UsageError unless `value` is a whole number from `min` to `max`. */
export function checkCount(what: string, value: unknown, min: number, max: number): asserts value is number {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max) {
    throw new UsageError(`${what} must be a whole number from ${min} to ${max}.`);
  }
}

/** @throws UsageError unless `value` is absent or can be called. */
export function checkFunction(what: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw new UsageError(`${what} must be a function.`);
}

/** @throws UsageError unless `value` is absent or an AbortSignal. */
export function checkSignal(value: unknown): asserts value is AbortSignal | undefined {
  if (value !== undefined && !(value instanceof AbortSignal)) throw new UsageError('signal must be an AbortSignal.');
}

function kindOf(value: unknown): string {
  if (value === '') return 'an empty one';
  return value === null ? 'null' : typeof value;
}
