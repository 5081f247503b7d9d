import { Int32 } from 'bson';
import { namedArguments } from './expression-logic.ts';
import { fail, isNullish, type Expression, type SpecialOperator } from './expression-types.ts';
import { isBson, isDocument, typeName, type Value } from './values.ts';

/**
 * Parts of a date, and `$dateToString`. Time zones are UTC, offsets such as `+02:00` and names that the platform knows.
 * Source: manual, "Date Expression Operators".
 */
export const specialDateOperators: Readonly<Record<string, SpecialOperator>> = {
  $year: part((date) => date.getUTCFullYear()),
  $month: part((date) => date.getUTCMonth() + 1),
  $dayOfMonth: part((date) => date.getUTCDate()),
  $dayOfWeek: part((date) => date.getUTCDay() + 1),
  $hour: part((date) => date.getUTCHours()),
  $dateToString: (argument, compile) => {
    const named = namedArguments('$dateToString', argument, { date: 18628 }, 18534, ['format', 'timezone', 'onNull']);
    const [date, timezone] = [compile(named.date), compile(named['timezone'])];
    const [format, onNull] = [compile(named['format']), compile(named['onNull'])];
    return (root, variables) => {
      const value = date(root, variables);
      const zone = timezone(root, variables);
      if (isNullish(value)) return 'onNull' in named ? onNull(root, variables) : null;
      if (zone === null) return null;
      const pattern = format(root, variables) ?? '%Y-%m-%dT%H:%M:%S.%LZ';
      if (typeof pattern !== 'string') return fail(18533, '$dateToString requires a format that is a string');
      return formatted(dateOf(value), zone, pattern);
    };
  },
};

function part(read: (date: Date) => number): SpecialOperator {
  return (argument, compile) => {
    const [date, timezone] = dateArguments(argument, compile);
    return (root, variables) => {
      const value = date(root, variables);
      const zone = timezone(root, variables);
      if (isNullish(value) || zone === null) return null;
      return new Int32(read(inZone(dateOf(value), zone)));
    };
  };
}

function dateArguments(argument: Value, compile: (specification: Value) => Expression): [Expression, Expression] {
  if (isDocument(argument) && 'date' in argument) {
    const named = namedArguments('a date operator', argument, { date: 40539 }, 40535, ['timezone']);
    return [compile(named.date), compile(named['timezone'])];
  }
  const [only, ...others] = Array.isArray(argument) ? argument : [argument];
  if (others.length > 0) fail(40536, 'a date operator accepts exactly one argument');
  return [compile(only), () => undefined];
}

function dateOf(value: Value): Date {
  if (value instanceof Date) return value;
  if (isBson(value, 'ObjectId')) return value.getTimestamp();
  if (isBson(value, 'Timestamp')) return new Date(value.t * 1000);
  return fail(16006, `can't convert from BSON type ${typeName(value)} to Date`);
}

/** The date moved so that its UTC parts read as the parts of the time zone. */
function inZone(date: Date, zone: Value): Date {
  return new Date(date.getTime() + offsetMinutes(date, zone) * 60_000);
}

function offsetMinutes(date: Date, zone: Value): number {
  if (zone === undefined) return 0;
  if (typeof zone !== 'string') return fail(40517, `timezone must evaluate to a string, found ${typeName(zone)}`);
  const offset = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (offset !== null) return (offset[1] === '-' ? -1 : 1) * (Number(offset[2]) * 60 + Number(offset[3] ?? 0));
  try {
    const local = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(date);
    const name = local.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    return name === 'GMT' ? 0 : offsetMinutes(date, name.slice(3));
  } catch {
    return fail(40485, `unrecognized time zone identifier: "${zone}"`);
  }
}

function formatted(date: Date, zone: Value, pattern: string): string {
  const local = inZone(date, zone);
  const minutes = offsetMinutes(date, zone);
  const [sign, size] = [minutes < 0 ? '-' : '+', Math.abs(minutes)];
  const fields: Readonly<Record<string, string | undefined>> = {
    Y: digits(local.getUTCFullYear(), 4),
    m: digits(local.getUTCMonth() + 1, 2),
    d: digits(local.getUTCDate(), 2),
    H: digits(local.getUTCHours(), 2),
    M: digits(local.getUTCMinutes(), 2),
    S: digits(local.getUTCSeconds(), 2),
    L: digits(local.getUTCMilliseconds(), 3),
    z: `${sign}${digits(Math.floor(size / 60), 2)}${digits(size % 60, 2)}`,
    Z: String(minutes),
    '%': '%',
  };
  return pattern.replace(/%(.?)/gs, (_match, letter: string) => {
    return fields[letter] ?? fail(18536, `Invalid format character '%${letter}' in format string`);
  });
}

function digits(number: number, width: number): string {
  return String(number).padStart(width, '0');
}
