import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { parseNetwork } from '../auth/address.ts';
import { keyRateMax, partitionsMax } from '../settings.ts';
import { freeText } from '../domain/free-text.ts';
import { decimalsMax } from '../setting-types.ts';
import { hasIdForm } from '../domain/ids.ts';
import { parseAmount } from '../domain/money.ts';
import { bizIdForm } from '../orders/order.ts';
import { webhookDescriptionMax, webhookTypes } from '../domain/webhook.ts';
import { scopes } from '../domain/scopes.ts';
import { isReason, reasonLengthMax } from '../ops/audited.ts';

// Each function parses the text of an option. For a wrong one it throws commander's error, which says what is allowed.

const nameLengthMax = 100;
const userLengthMax = 64;
const nameForm = freeText({ max: nameLengthMax });
const newUserForm = freeText({ max: userLengthMax });
const webhookDescriptionForm = freeText({ min: 0, max: webhookDescriptionMax });
const limitMax = 1_000;
const timeForm = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
const overlapMaxMs = 30 * 86_400_000;
const millisecondsByUnit = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

export function parseName(text: string): string {
  allow(
    text.trim() !== '' && nameForm.safeParse(text).success,
    `Allowed are 1 to ${nameLengthMax} characters without control characters.`,
  );
  return text;
}

/** A user who is recorded from now on. */
export function parseNewUser(text: string): string {
  allow(
    newUserForm.safeParse(text).success,
    `Allowed is any text of 1 to ${userLengthMax} characters without control characters.`,
  );
  return text;
}

/** A user who may have been recorded by an earlier release, which took any text. */
export function parseUser(text: string): string {
  const length = Array.from(text).length;
  allow(length >= 1 && length <= userLengthMax, `Allowed is any text of 1 to ${userLengthMax} characters.`);
  return text;
}

export function parseWebhookDescription(text: string): string {
  allow(
    webhookDescriptionForm.safeParse(text).success,
    `Allowed is any text of up to ${webhookDescriptionMax} characters without control characters.`,
  );
  return text;
}

export const parseScopes = eachOf(scopes);
export const parseWebhookEvents = eachOf(webhookTypes);

/** For an option that may be repeated: adds to the earlier values. */
export function parseCidrs(text: string, before: readonly string[] | undefined): readonly string[] {
  allow(
    parseNetwork(text) !== undefined,
    'Allowed are IPv4 and IPv6 addresses and CIDRs, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32.',
  );
  return [...new Set([...(before ?? []), text])];
}

/** Checks only the form. The number of decimals is checked later, with the wallet's currency. */
export function parseAmountForm(text: string): string {
  const decimals = text.split('.')[1]?.length ?? 0;
  allow(
    parseAmount(text, decimals) !== undefined,
    'Allowed is a decimal above zero of at most 30 digits, such as 10 or 10.50: no sign, exponent or leading zero.',
  );
  return text;
}

export function parseBizId(text: string): string {
  allow(
    bizIdForm.test(text),
    'Allowed are a letter or digit, then up to 63 letters, digits, ".", "_" or "-"; not beginning with "tr_", nor "wallet".',
  );
  return text;
}

/** A duration such as `24h`, in milliseconds; a bare `0` is none at all. */
export function parseOverlap(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  const durationMs = text === '0' ? 0 : Number(count) * (millisecondsByUnit.get(unit) ?? Number.NaN);
  allow(durationMs <= overlapMaxMs, 'Allowed is a number with s, m, h or d, up to 30d; 0 for none.');
  return durationMs;
}

/** A rate of a key, in requests. */
export const parseRate = wholeUpTo(keyRateMax);

/** A day, which begins at midnight UTC, or a moment with its zone. */
export function parseTime(text: string): Date {
  allow(
    timeForm.safeParse(text).success,
    'Allowed is a day, such as 2026-01-31, or a time with zone: 2026-01-31T12:00:00Z.',
  );
  return new Date(text);
}

/** How many rows of a list. */
export const parseLimit = wholeUpTo(limitMax);

export const parsePartitionCount = wholeUpTo(partitionsMax);

export function parseDecimals(text: string): number {
  allow(/^\d{1,2}$/.test(text) && Number(text) <= decimalsMax, `Allowed is a whole number from 0 to ${decimalsMax}.`);
  return Number(text);
}

/** Partitions count from 0. */
export function parsePartition(text: string): number {
  allow(/^(0|[1-9]\d{0,3})$/.test(text), 'Allowed is the number of a partition, from 0 on.');
  return Number(text);
}

/** Why something is done, for the audit. */
export function parseReason(text: string): string {
  allow(isReason(text), `Allowed are 1 to ${reasonLengthMax} characters without control characters.`);
  return text;
}

export function parseEventId(text: string): string {
  allow(hasIdForm('audit', text), 'Allowed is the eventId of a listed event.');
  return text;
}

export function parseMethod(text: string): string {
  allow(/^[A-Za-z]{1,20}$/.test(text), 'Allowed is an HTTP method, such as GET.');
  return text.toUpperCase();
}

export function parsePath(text: string): string {
  allow(/^\/[^\s#]*$/.test(text), 'Allowed is a request path as it is sent: it begins with "/".');
  return text;
}

function allow(isAllowed: boolean, allowed: string): void {
  if (!isAllowed) throw new InvalidArgumentError(allowed);
}

/** For an option that may be repeated: adds to the earlier values. */
function eachOf<T extends string>(allowed: readonly T[]) {
  return (text: string, before: readonly T[] = []): readonly T[] => {
    const found = allowed.find((each) => each === text);
    if (found === undefined) throw new InvalidArgumentError(`Allowed are ${allowed.join(', ')}.`);
    return [...new Set([...before, found])];
  };
}

function wholeUpTo(max: number): (text: string) => number {
  return (text) => {
    const whole = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
    allow(whole <= max, `Allowed is a whole number from 1 to ${max}.`);
    return whole;
  };
}
