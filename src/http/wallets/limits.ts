import { z } from 'zod';
import { fixedForm, lengthMs } from '../../domain/duration.ts';
import { isTimeZone, limitCountMax, limitsMax, rollingRange, timeZoneForm, usesOf } from '../../domain/limits.ts';
import type { Currencies } from '../../domain/currency.ts';
import { Money } from '../../domain/money.ts';
import { dateOn, type Wallet } from '../../domain/wallet.ts';
import { because, type ErrorName } from '../../errors.ts';
import { exampleOf } from '../../orders/examples.ts';
import { referenceGiven } from '../../orders/body.ts';
import type { ReadTime } from '../../storage/shared/page.ts';
import { currency, time } from '../fields.ts';
import { CalendarUnit, LimitWithUse } from '../limits.ts';
import { parse } from '../parse.ts';
import type { RouteParts } from '../parts.ts';
import type { Route } from '../route.ts';
import type { WantedChange } from './audited-changes.ts';
import { changeRoutes } from './change.ts';
import { anyAmountGiven, limitErrors, refuseAmounts } from './manage.ts';
import { get, walletId } from './wallet.ts';

export const listErrors = [
  ...limitErrors,
  'FIELD_MISSING',
  'VALUE_NOT_ALLOWED',
  'CURRENCY_UNKNOWN',
  'WALLET_NOT_FOUND',
  'WALLET_STATE_CONFLICT',
] as const satisfies readonly ErrorName[];

export const nameInList = referenceGiven.meta({ description: 'Unique in the list.' });

/** The limits or the alerts of a wallet, each of another name. */
export function listGiven<Item extends z.ZodType<{ readonly name: string }>>(item: Item) {
  return z
    .array(item)
    .max(limitsMax)
    .superRefine((items, context) => {
      const names = items.map(({ name }) => name);
      for (const [place, name] of names.entries())
        if (names.indexOf(name) < place) refuse(context, [place, 'name'], 'FIELD_MALFORMED', 'each once');
    })
    .meta({ description: `In place of all that there are; ${limitsMax} at most.` });
}

export function refuse(context: z.RefinementCtx, path: PropertyKey[], reason: ErrorName, value?: string): void {
  context.issues.push({ code: 'custom', path, input: context.value, ...because(reason, value) });
}

const { least, most } = rollingRange;
const durationLengthMax = 64;

const RollingWindow = z
  .strictObject({
    rolling: z
      .string()
      .max(durationLengthMax)
      .regex(fixedForm)
      .refine((text) => lengthMs(text) >= lengthMs(least) && lengthMs(text) <= lengthMs(most), {
        ...because('FIELD_OUT_OF_RANGE', `${least} … ${most}`),
      })
      .meta({ description: `An ISO 8601 duration without years and months, from ${least} to ${most}.` }),
  })
  .meta({ id: 'NewRollingWindow', description: 'What is dated less than its length before the posting.' });

const CalendarWindow = z
  .strictObject({
    calendar: CalendarUnit,
    timeZone: z
      .string()
      .regex(timeZoneForm)
      .refine(isTimeZone, because('VALUE_NOT_ALLOWED'))
      .meta({ description: 'An IANA name, such as `Europe/Berlin`; no offset.' }),
  })
  .meta({ id: 'NewCalendarWindow', description: 'The day, week or month of the posting.' });

const NewLimit = z
  .strictObject({
    name: nameInList,
    amount: anyAmountGiven.exactOptional().meta({ description: 'The most that may go out: a plain decimal, or `0`.' }),
    count: z
      .int()
      .min(0)
      .max(limitCountMax)
      .exactOptional()
      .meta({ description: 'The most orders that take something out; not with `order`.' }),
    window: z
      .union([z.literal('order'), RollingWindow, CalendarWindow])
      .meta({ description: 'What counts: each order by itself, a duration, or a day, week or month.' }),
  })
  .superRefine(({ amount, count, window }, context) => {
    const isOfOrder = window === 'order';
    if (amount === undefined && (isOfOrder || count === undefined)) refuse(context, ['amount'], 'FIELD_MISSING');
    if (isOfOrder && count !== undefined) refuse(context, ['count'], 'FIELD_UNKNOWN');
  })
  .meta({ id: 'NewLimit', description: 'How much may go out of a wallet: an amount, a number of orders, or both.' });

const limitExample = { name: 'daily', amount: '500.00', count: 20 } as const;
const dayExample = { calendar: 'day', timeZone: 'Europe/Berlin' } as const;

const SetLimits = z.strictObject({ limits: listGiven(NewLimit) }).meta({
  id: 'SetLimits',
  description: 'All limits of the wallet; an empty list for none.',
  examples: [{ limits: [{ ...limitExample, window: dayExample }] }],
});

const WalletLimits = z
  .strictObject({
    walletId,
    currency,
    limits: z.array(LimitWithUse).meta({ description: 'In the order in which they were given.' }),
    asOf: time.meta({ description: 'When the windows end.' }),
  })
  .meta({
    id: 'WalletLimits',
    description: 'The limits of a wallet, with their use.',
    examples: [
      {
        walletId: exampleOf.alice,
        currency: 'USD',
        limits: [
          {
            ...limitExample,
            window: dayExample,
            ...{ used: '21.10', usedCount: 2, remaining: '478.90', remainingCount: 18 },
            resetsAt: '2026-01-01T23:00:00.000Z',
          },
        ],
        asOf: '2026-01-01T09:31:00.000Z',
      },
    ],
  });

/** Reads what the limits of a wallet are to be. @throws ServiceError the list is wrong; `of` throws one for amounts that its currency cannot have. */
export function readLimits(body: object, currencies: Currencies): WantedChange {
  const { limits } = parse(SetLimits, body);
  return {
    of: ({ currency }) => {
      refuseAmounts(
        limits.map(({ amount }, place) => [`limits[${place}].amount`, amount]),
        currencies.get(currency),
      );
      return {
        limits: limits.map(({ amount, ...limit }) => ({
          ...limit,
          ...(amount === undefined ? {} : { amount: new Money(amount) }),
        })),
      };
    },
    values: () => ({ limits: JSON.stringify(limits) }),
    before: (wallet) => ({ limitsBefore: JSON.stringify(wallet.limits ?? []) }),
  };
}

/** A wallet's limits with their use now. */
export async function showLimits(
  wallet: Wallet,
  now: Date,
  { readBeforeWindows, present, timeLeftMs }: Pick<RouteParts, 'readBeforeWindows' | 'present'> & ReadTime,
) {
  const { before } = await readBeforeWindows([wallet], now, { timeLeftMs });
  const asOf = dateOn(wallet, now);
  const uses = usesOf(wallet, before.get(wallet.id) ?? [], asOf);
  const { id, currency } = wallet;
  return { walletId: id, currency, limits: uses.map(present.limitUse), asOf: asOf.toISOString() };
}

/** Sets what may go out of a wallet, and tells it with its use. */
export function limitRoutes(parts: RouteParts): Route[] {
  const { findWallet, clockOf, limiter, throughFailover } = parts;
  const shownAt = (wallet: Wallet, now: Date) => (timeLeftMs: () => number) =>
    showLimits(wallet, now, { ...parts, timeLeftMs });

  return [
    changeRoutes(parts)(
      'limits',
      {
        id: 'setLimits',
        summary: 'Set the limits of a wallet',
        description: [
          `Up to ${limitsMax} limits, in place of all that there are: how much may go out of the wallet, and by how many orders. They hold for`,
          'every order that is posted after the answer, and count what was posted before it. What would pass one ends FAILED as',
          '`LIMIT_EXCEEDED`. A frozen wallet may be given limits too. Safe to repeat.',
        ].join('\n'),
        body: SetLimits,
        answer: WalletLimits,
        errors: listErrors,
      },
      (body) => readLimits(body, parts.currencies),
      async (wallet, { workspaceId, timeLeftMs }) => {
        const now = (await clockOf(workspaceId))();
        return throughFailover(workspaceId, shownAt(wallet, now), timeLeftMs);
      },
    ),
    get(
      '/{id}/limits',
      {
        id: 'getLimits',
        summary: 'Get the limits of a wallet, with their use',
        description: [
          '`used` is what has gone out in the window, which ends with `asOf`, and all that is held now; `usedCount` is the orders and',
          'the open holds. Of a window `order` the use is zero.',
        ].join('\n'),
        answer: WalletLimits,
        errors: ['WALLET_NOT_FOUND', 'TOO_MANY_LISTS'],
      },
      async (request) => {
        const now = (await clockOf(request.workspaceId))();
        const wallet = await findWallet(request, request.params['id'], 'id');
        return { data: await limiter(request, shownAt(wallet, now)) };
      },
    ),
  ];
}
