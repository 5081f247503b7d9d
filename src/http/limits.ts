import { z } from 'zod';
import { calendarUnits } from '../domain/limits.ts';
import { amount, currency, open, time } from './fields.ts';

/* What limits of wallets and budgets of keys are in answers. */

export const CalendarUnit = z
  .enum(calendarUnits)
  .meta({ id: 'CalendarUnit', description: 'A day, a week from Monday, or a month.' });

const calendar = z
  .strictObject({
    calendar: open(CalendarUnit),
    timeZone: z.string().meta({ description: 'An IANA name, by whose clocks it begins and ends.' }),
  })
  .meta({ id: 'CalendarWindow', description: 'The day, week or month of the posting.' });

export const LimitWindow = z
  .union([
    z.literal('order'),
    z
      .strictObject({ rolling: z.string().meta({ description: 'An ISO 8601 duration, such as `PT24H`.' }) })
      .meta({ id: 'RollingWindow', description: 'What is dated less than its length before the posting.' }),
    calendar,
  ])
  .meta({ id: 'LimitWindow', description: 'What counts: each order by itself, a duration, or a day, week or month.' });

const name = z.string().meta({ description: 'As it was given; unique in its list.' });
const most = {
  amount: amount.nullable().meta({ description: 'The most that may go out; null if that is not limited.' }),
  count: z.int().nonnegative().nullable().meta({ description: 'The most orders; null if that is not limited.' }),
} as const;
const use = {
  used: amount.meta({ description: 'What has gone out in the window, and what is held now.' }),
  usedCount: z.int().nonnegative().meta({ description: 'How many orders and open holds that is.' }),
  remaining: amount.nullable().meta({ description: '`amount` less `used`, at least zero; null without `amount`.' }),
  remainingCount: z.int().nonnegative().nullable().meta({ description: 'The same of `count`.' }),
  resetsAt: time.nullable().meta({ description: 'When the next day, week or month begins; null of other windows.' }),
} as const;

export const WalletLimit = z
  .strictObject({ name, ...most, window: LimitWindow })
  .meta({ id: 'WalletLimit', description: 'How much may go out of a wallet.' });

export const LimitWithUse = z
  .strictObject({ name, ...most, window: LimitWindow, ...use })
  .meta({ id: 'LimitWithUse', description: 'A limit of a wallet, with its use.' });

const budgetWindow = z.union([z.literal('total'), calendar]).meta({
  description: 'What counts: all since it was set, or a day, week or month.',
});

export const KeyBudget = z
  .strictObject({ name, currency, ...most, window: budgetWindow, ...use })
  .meta({ id: 'KeyBudget', description: 'How much the orders of a key may take, with its use.' });

/** The limit or the budget that an order would have passed. */
export const PassedLimit = z
  .strictObject({
    name,
    currency: currency.exactOptional().meta({ description: 'Of a budget: its currency.' }),
    ...most,
    window: z.union([LimitWindow, z.literal('total')]).meta({ description: 'What counts.' }),
    ...use,
  })
  .meta({ id: 'PassedLimit', description: 'The limit or budget that the order would have passed, as it stood.' });
