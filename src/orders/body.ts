import { z } from 'zod';
import { formOfText, freeText } from '../domain/free-text.ts';
import { amountFault, amountForm, amountLengthMax, decimalsIn } from '../domain/money.ts';
import { because, type ErrorName } from '../errors.ts';
import { bizIdForm, type CreateOrderInput } from './order.ts';

/* What the bodies that make orders share. */

/** How many decimals a currency has; undefined if there is none of this code. @param amount of the same body. */
export type DecimalsOf = (currency: string, amount: string) => number | undefined;

const idLengthMax = 64;
/** Only the length is checked, because no id is longer. A text of another form is simply an unknown wallet. */
export const walletGiven = z.string().min(1).max(idLengthMax);

/** Form and length are only described here. {@link moneyCheck} checks them, because each fault has its own reason. */
export const amountGiven = z.string().meta({
  description: 'A plain decimal above zero, with no more decimals than the currency has.',
  pattern: amountForm.source,
  maxLength: amountLengthMax,
});

export const currencyGiven = z
  .string()
  .meta({ description: 'Code of the currency; that of the wallets.', pattern: '^[A-Z0-9]{3,10}$' });

const bizIdGiven = z.string().regex(bizIdForm).exactOptional().meta({
  description:
    'Your own id of the order: repeating the request with it is safe. Neither `wallet`, a word of the paths, nor beginning with `tr_`.',
  // Without its look-ahead, for which many engines would refuse the whole description.
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
});

/** A client's own reference; unlike a bizId it need not be unique. */
export const referenceGiven = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/);

const noteLengthMax = 200;
const metadataEntriesMax = 20;
const metadataKeyForm = /^[A-Za-z0-9_.-]{1,40}$/;
/** Programs that read answers might change their own objects by it. */
const forbiddenKey = '__proto__';
const metadataValueLengthMax = 500;
/** Of the metadata as compact JSON in UTF-8. */
const metadataBytesMax = 4_096;

const metadataValue = freeText({ min: 0, max: metadataValueLengthMax });

interface MetadataFault extends Refusal {
  readonly path?: string[];
}

function metadataFault(metadata: unknown): MetadataFault | undefined {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return { reason: 'FIELD_TYPE_WRONG', value: 'object' };
  const entries: [string, unknown][] = Object.entries(metadata);
  for (const [key, value] of entries) {
    const at = { path: [key] };
    if (!metadataKeyForm.test(key)) return { ...at, reason: 'FIELD_MALFORMED', value: metadataKeyForm.source };
    if (key === forbiddenKey) return { ...at, reason: 'FIELD_MALFORMED', value: `not ${forbiddenKey}` };
    if (typeof value !== 'string') return { ...at, reason: 'FIELD_TYPE_WRONG', value: 'string' };
    if (!metadataValue.safeParse(value).success)
      return { ...at, reason: 'FIELD_MALFORMED', value: formOfText({ min: 0, max: metadataValueLengthMax }) };
  }
  if (entries.length > metadataEntriesMax)
    return { reason: 'FIELD_MALFORMED', value: `at most ${metadataEntriesMax} entries` };
  const isTooLarge = Buffer.byteLength(JSON.stringify(metadata)) > metadataBytesMax;
  return isTooLarge ? { reason: 'FIELD_MALFORMED', value: `at most ${metadataBytesMax} bytes` } : undefined;
}

/** Not a record of zod's, which leaves `__proto__` out in silence; nor a transform, beside which it shows no examples. */
export const metadataGiven = z
  .unknown()
  .superRefine((metadata, context) => {
    const fault = metadataFault(metadata);
    if (fault === undefined) return;
    const { reason, value, path = [] } = fault;
    context.issues.push({ code: 'custom', input: metadata, path, ...because(reason, value) });
  })
  .meta({
    type: 'object',
    maxProperties: metadataEntriesMax,
    propertyNames: { pattern: metadataKeyForm.source, not: { const: forbiddenKey } },
    additionalProperties: { type: 'string', maxLength: metadataValueLengthMax },
    description: `Texts by key, for you alone; at most ${metadataBytesMax} bytes of compact JSON in UTF-8.`,
  }) as unknown as z.ZodType<Readonly<Record<string, string>>>;

/** What every body that makes an order may have. */
export const notesGiven = {
  bizId: bizIdGiven,
  description: freeText({ max: noteLengthMax })
    .exactOptional()
    .meta({ description: 'A text for people; no control characters.' }),
  reference: referenceGiven.exactOptional().meta({
    description: 'Your own reference, such as an invoice; lists can be filtered by it. It need not be unique.',
  }),
  metadata: metadataGiven.exactOptional(),
} as const;

/** A date, a time to the second or finer, and a zone: as long as nanoseconds need. */
const timeLengthMax = 35;
export const timeGiven = z.iso.datetime({ offset: true }).max(timeLengthMax);

/** A time as it was given, rounded up to the millisecond: what is stored has whole ones. */
export function timeFrom(text: string): Date {
  const finerThanMs = /\.\d{3}\d*[1-9]/.test(text) ? 1 : 0;
  return new Date(new Date(text).getTime() + finerThanMs);
}

export const dayMs = 24 * 3_600 * 1_000;

const aheadMaxDays = 366;

/** What a body has that may be posted later. */
export const laterGiven = {
  executeAt: timeGiven.exactOptional().meta({
    description: `When it is to be posted, at most ${aheadMaxDays} days ahead; without it, at once. ISO 8601 with a zone.`,
  }),
} as const;

/** For such a body's `transform`. Rounded up to the millisecond, so that nothing is posted before the time that was asked for. */
export function withTime<T extends { executeAt?: string }>({ executeAt, ...body }: T) {
  return { ...body, ...(executeAt === undefined ? {} : { executeAt: timeFrom(executeAt) }) };
}

/** What can be wrong with an order for a later time. */
export const laterErrors = ['TIME_NOT_AHEAD', 'FIELD_OUT_OF_RANGE', 'SCHEDULED_FULL'] as const;

export function refuseLater({ executeAt }: Pick<CreateOrderInput, 'executeAt'>, now: Date): WrongTime | undefined {
  return refuseTime('executeAt', executeAt, now, aheadMaxDays * dayMs);
}

/** A time that does not lie ahead, or too far. */
export interface WrongTime {
  readonly reason: ErrorName;
  readonly field: string;
  /** The time now, or the latest that is taken. */
  readonly value: string;
}

/** What is wrong with a time that must lie ahead, but not too far; undefined if nothing is. */
export function refuseTime(
  field: string,
  time: Date | undefined,
  now: Date,
  aheadMaxMs: number,
): WrongTime | undefined {
  const aheadMs = time === undefined ? aheadMaxMs : time.getTime() - now.getTime();
  if (aheadMs <= 0) return { reason: 'TIME_NOT_AHEAD', field, value: now.toISOString() };
  if (aheadMs <= aheadMaxMs) return undefined;
  return { reason: 'FIELD_OUT_OF_RANGE', field, value: new Date(now.getTime() + aheadMaxMs).toISOString() };
}

/** The order that another one refers to. Only the length is checked: no order has a longer id or bizId. */
export const orderGiven = z.string().min(1).max(idLengthMax);

/** An amount in the currency of another order, which is not known yet. */
export const amountOfParentGiven = amountGiven.exactOptional();

/** What can be wrong with an amount. */
export const amountErrors = ['AMOUNT_MALFORMED', 'AMOUNT_ZERO', 'TOO_MANY_DECIMALS', 'TOO_MANY_DIGITS'] as const;
/** What depends on which currencies there are, and with how many decimals. */
export const currencyErrors: ReadonlySet<ErrorName> = new Set([
  'CURRENCY_UNKNOWN',
  'TOO_MANY_DECIMALS',
  'TOO_MANY_DIGITS',
]);

/** Takes an amount as it is written, whatever its currency: that of an order which could not be made any more. */
export const anyDecimals: DecimalsOf = (_, amount) => decimalsIn(amount);

/** Why an amount is refused, and what helps to mend it; undefined if it is not. @param decimals of its currency. */
export function amountRefusal(amount: string, decimals: number) {
  const reason = amountFault(amount, decimals);
  return reason && { reason, value: reason === 'TOO_MANY_DECIMALS' ? String(decimals) : undefined };
}

interface Refusal {
  readonly reason: ErrorName;
  readonly value: string | undefined;
}

/** @returns why a currency is refused, with the one that is meant if only its case is wrong. */
export function unknownCurrency(currency: string, isKnown: (code: string) => boolean): Refusal {
  const upper = currency.toUpperCase();
  return { reason: 'CURRENCY_UNKNOWN', value: isKnown(upper) ? upper : undefined };
}

/**
 * For a body's `check`: refuses its currency, and its amount whatever the currency. It does so also if something else is refused, so
 * that the client is told of all at once.
 * @param decimalsOf absent: the amount is in the currency of another order, which is not known yet.
 * @param field that has the amount. @param refusalOf of an amount, by its decimals.
 */
export function moneyCheck(
  decimalsOf: DecimalsOf = anyDecimals,
  field = 'amount',
  refusalOf: (text: string, decimals: number) => Refusal | undefined = amountRefusal,
) {
  function check(body: unknown, context: z.RefinementCtx): void {
    // What is no object has been refused already.
    if (typeof body !== 'object' || body === null) return;
    const { currency, [field]: text } = body as Readonly<Record<string, unknown>>;
    const refuse = (at: string, { reason, value }: Refusal): void => {
      context.issues.push({ code: 'custom', path: [at], input: body, ...because(reason, value) });
    };
    const amount = typeof text === 'string' ? text : undefined;
    const decimals = typeof currency === 'string' ? decimalsOf(currency, amount ?? '0') : undefined;
    if (typeof currency === 'string' && decimals === undefined)
      refuse(
        'currency',
        unknownCurrency(currency, (code) => decimalsOf(code, '0') !== undefined),
      );
    const refusal = amount === undefined ? undefined : refusalOf(amount, decimals ?? decimalsIn(amount));
    if (refusal !== undefined) refuse(field, refusal);
  }
  return z.superRefine(check, { when: () => true });
}

/** Says in an order's terms that its request left the amount out, and took all that was left. */
const allThatIsLeft = { amount: 'rest' } as const;

/** For the `transform` of a body that refers to an order, and names neither amount nor legs where it means all that is left. */
export function withParent<T extends { transferId: string } & Pick<CreateOrderInput, 'amount' | 'legs' | 'terms'>>({
  transferId,
  ...body
}: T) {
  const isAll = body.amount === undefined && body.legs === undefined;
  return { ...body, parent: transferId, ...(isAll ? { terms: { ...body.terms, ...allThatIsLeft } } : {}) };
}
