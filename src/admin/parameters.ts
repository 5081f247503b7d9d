import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { parseNetwork } from '../address.ts';
import { keyRateMax } from '../settings/settings.ts';
import { freeText } from '../domain/free-text.ts';
import { decimalsMax } from '../settings/types.ts';
import { hasIdForm } from '../domain/ids.ts';
import { amountFault, decimalsIn } from '../domain/money.ts';
import { isTimeZone, limitCountMax } from '../domain/limits.ts';
import { referenceGiven, timeFrom } from '../orders/body.ts';
import { bizIdForm } from '../orders/order.ts';
import { scopes } from '../domain/scopes.ts';
import { isReason, reasonLengthMax } from '../ops/release.ts';

// Each of these parses the text of an option. For a wrong one it throws commander's error, which says what is allowed.

const nameLengthMax = 100;
const userLengthMax = 64;
const limitMax = 1_000;
const overlapMaxMs = 30 * 86_400_000;
const millisecondsByUnit = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

const nameForm = freeText({ max: nameLengthMax });
export const parseName = text(
  (name) => name.trim() !== '' && fits(nameForm)(name),
  `Allowed are 1 to ${nameLengthMax} characters without control characters.`,
);

/** A user who is recorded from now on. */
export const parseNewUser = text(
  fits(freeText({ max: userLengthMax })),
  `Allowed is any text of 1 to ${userLengthMax} characters without control characters.`,
);

/** A user who may have been recorded by an earlier release, which took any text. */
export const parseUser = text(
  (user) => user !== '' && Array.from(user).length <= userLengthMax,
  `Allowed is any text of 1 to ${userLengthMax} characters.`,
);

export const parseScopes = several(oneOf(scopes));
export const parseCidrs = several(
  text(
    (cidr) => parseNetwork(cidr) !== undefined,
    'Allowed are IPv4 and IPv6 addresses and CIDRs, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32.',
  ),
);

/** Checks only the form. The number of decimals is checked later, with the wallet's currency. */
export const parseAmountForm = text(
  (amount) => amountFault(amount, decimalsIn(amount)) === undefined,
  'Allowed is a decimal above zero of at most 30 digits, such as 10 or 10.50: no sign, exponent or leading zero.',
);

/** The most that a budget lets pass: an amount, or zero. */
export const parseMost = text((amount) => {
  const fault = amountFault(amount, decimalsIn(amount));
  return fault === undefined || fault === 'AMOUNT_ZERO';
}, 'Allowed is a decimal of at most 30 digits, such as 10, 10.50 or 0: no sign, exponent or leading zero.');

/** How many orders a budget lets pass. */
export const parseMostOrders = wholeFrom(0, limitCountMax);

export const parseBudgetName = text(
  fits(referenceGiven),
  'Allowed are a letter or digit, then up to 63 letters, digits, ".", "_", ":" or "-".',
);

export const parseTimeZone = text(isTimeZone, 'Allowed is an IANA name, such as Europe/Berlin or UTC.');

export const parseBizId = text(
  (bizId) => bizIdForm.test(bizId),
  'Allowed are a letter or digit, then up to 63 letters, digits, ".", "_" or "-"; not beginning with "tr_", nor "wallet".',
);

/** A duration such as `24h`, in milliseconds; a bare `0` is none at all. */
export const parseOverlap = option((duration) => {
  const [, count = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(duration) ?? [];
  const durationMs = duration === '0' ? 0 : Number(count) * (millisecondsByUnit.get(unit) ?? Number.NaN);
  return durationMs <= overlapMaxMs ? durationMs : undefined;
}, 'Allowed is a number with s, m, h or d, up to 30d; 0 for none.');

/** A rate of a key, in requests. */
export const parseRate = wholeFrom(1, keyRateMax);

const timeForm = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
/** A day, which begins at midnight UTC, or a moment with its zone; what is finer than a millisecond is rounded up, as the API does. */
export const parseTime = option(
  (time) => (fits(timeForm)(time) ? timeFrom(time) : undefined),
  'Allowed is a day, such as 2026-01-31, or a time with zone: 2026-01-31T12:00:00Z.',
);

/** How many rows of a list. */
export const parseLimit = wholeFrom(1, limitMax);

/** As in ISO 4217, or longer. */
export const parseCurrency = text(
  (code) => /^[A-Z0-9]{3,10}$/.test(code),
  'Allowed are 3 to 10 capital letters or digits.',
);
export const parseCurrencies = several(parseCurrency);

export const parseDecimals = wholeFrom(0, decimalsMax);

/** Why something is done, for the audit. */
export const parseReason = text(isReason, `Allowed are 1 to ${reasonLengthMax} characters without control characters.`);

export const parseEventId = text((id) => hasIdForm('audit', id), 'Allowed is the eventId of a listed event.');

export const parseMethod = option(
  (method) => (/^[A-Za-z]{1,20}$/.test(method) ? method.toUpperCase() : undefined),
  'Allowed is an HTTP method, such as GET.',
);

export const parsePath = text(
  (path) => /^\/[^\s#]*$/.test(path),
  'Allowed is a request path as it is sent: it begins with "/".',
);

/** @param read returns what a text says; undefined if it is not allowed. */
function option<T>(read: (text: string) => T | undefined, allowed: string) {
  return (text: string): T => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(allowed);
    return value;
  };
}

function text(isAllowed: (text: string) => boolean, allowed: string) {
  return option((text) => (isAllowed(text) ? text : undefined), allowed);
}

function fits(form: z.ZodType) {
  return (text: string): boolean => form.safeParse(text).success;
}

function oneOf<T extends string>(allowed: readonly T[]) {
  return option((text) => allowed.find((each) => each === text), `Allowed are ${allowed.join(', ')}.`);
}

/** For an option that may be repeated: adds to the earlier values. */
function several<T>(parse: (text: string) => T) {
  return (text: string, before: readonly T[] = []): readonly T[] => [...new Set([...before, parse(text)])];
}

function wholeFrom(min: number, max: number) {
  return option((text) => {
    const whole = /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : Number.NaN;
    return whole >= min && whole <= max ? whole : undefined;
  }, `Allowed is a whole number from ${min} to ${max}.`);
}
