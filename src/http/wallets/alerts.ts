import { z } from 'zod';
import { alertStates } from '../../domain/alerts.ts';
import type { Currencies } from '../../domain/currency.ts';
import { limitsMax } from '../../domain/limits.ts';
import { Money, plainest } from '../../domain/money.ts';
import { unwatchable, type NewAlert } from '../../domain/wallet-change.ts';
import type { Wallet } from '../../domain/wallet.ts';
import { ServiceError } from '../../errors.ts';
import { exampleOf } from '../../orders/examples.ts';
import { referenceGiven } from '../../orders/body.ts';
import { amount, currency, open, time } from '../fields.ts';
import { parse } from '../parse.ts';
import type { RouteParts } from '../parts.ts';
import type { Route } from '../route.ts';
import type { WantedChange } from './audited-changes.ts';
import { changeRoutes } from './change.ts';
import { listErrors, listGiven, nameInList, refuse } from './limits.ts';
import { anyAmountGiven, refuseAmounts } from './manage.ts';
import { get, walletId } from './wallet.ts';

/** From 0.0001 to 1, with four decimals at most. */
const shareForm = /^(1(\.0{1,4})?|0\.([1-9][0-9]{0,3}|0[1-9][0-9]{0,2}|00[1-9][0-9]?|000[1-9]))$/;
const notes = {
  limit: { description: 'The name of a limit of the wallet; its window is not `order`.' },
  share: { description: 'A decimal from `0.0001` to `1`: of its amount, or of its count.' },
} as const;

export const AlertState = z
  .enum(alertStates)
  .meta({ id: 'AlertState', description: 'Whether it was true when the wallet changed last.' });

const NewAlert = z
  .strictObject({
    name: nameInList,
    availableBelow: anyAmountGiven.exactOptional().meta({ description: 'True while `available` is less than this.' }),
    availableAbove: anyAmountGiven.exactOptional().meta({ description: 'True while `available` is more than this.' }),
    limitUsed: z
      .strictObject({ limit: referenceGiven.meta(notes.limit), share: z.string().regex(shareForm).meta(notes.share) })
      .meta({ id: 'NewLimitShare', description: 'True while so much of a limit is used.' })
      .exactOptional(),
  })
  .superRefine(({ name: _, ...conditions }, context) => {
    const [first, ...more] = Object.keys(conditions);
    if (first === undefined) refuse(context, ['availableBelow'], 'FIELD_MISSING');
    for (const field of more) refuse(context, [field], 'FIELD_UNKNOWN');
  })
  .meta({ id: 'NewAlert', description: 'What to be told of: exactly one condition.' });

const SetAlerts = z.strictObject({ alerts: listGiven(NewAlert) }).meta({
  id: 'SetAlerts',
  description: 'All alerts of the wallet; an empty list for none.',
  examples: [{ alerts: [{ name: 'low', availableBelow: '10.00' }] }],
});

const WalletAlerts = z
  .strictObject({
    walletId,
    currency,
    alerts: z
      .array(
        z
          .strictObject({
            name: z.string().meta({ description: 'As it was given; unique in its list.' }),
            availableBelow: amount.nullable().meta({ description: 'As it was given, or null.' }),
            availableAbove: amount.nullable().meta({ description: 'As it was given, or null.' }),
            limitUsed: z
              .strictObject({ limit: z.string().meta(notes.limit), share: z.string().meta(notes.share) })
              .meta({ id: 'LimitShare', description: 'So much of a limit.' })
              .nullable(),
            state: open(AlertState),
            since: time.meta({ description: 'When its state changed last, or it was set.' }),
          })
          .meta({ id: 'WalletAlert', description: 'An alert of a wallet.' }),
      )
      .meta({ description: 'In the order in which they were given.' }),
    asOf: time.meta({ description: 'When they were read.' }),
  })
  .meta({
    id: 'WalletAlerts',
    description: 'The alerts of a wallet.',
    examples: [
      {
        walletId: exampleOf.alice,
        currency: 'USD',
        alerts: [
          {
            ...{ name: 'low', availableBelow: '10.00', availableAbove: null, limitUsed: null },
            ...{ state: 'cleared', since: exampleOf.postedAt },
          },
        ],
        asOf: '2026-01-01T09:31:00.000Z',
      },
    ],
  });

/**
 * Reads what the alerts of a wallet are to be. @throws ServiceError the list is wrong; `of` throws one for amounts that its currency cannot
 * have, and for limits that it has not.
 */
export function readAlerts(body: object, currencies: Currencies): WantedChange {
  const { alerts } = parse(SetAlerts, body);
  return {
    of: (wallet) => {
      const amounts = alerts.flatMap(({ availableBelow, availableAbove }, place) => [
        [`alerts[${place}].availableBelow`, availableBelow] as const,
        [`alerts[${place}].availableAbove`, availableAbove] as const,
      ]);
      refuseAmounts(amounts, currencies.get(wallet.currency));
      const wanted = alerts.map(toAlert);
      const place = unwatchable(wallet, wanted);
      if (place !== -1) throw new ServiceError('VALUE_NOT_ALLOWED', { field: `alerts[${place}].limitUsed.limit` });
      return { alerts: wanted };
    },
    values: () => ({ alerts: JSON.stringify(alerts) }),
    before: (wallet) => ({ alertsBefore: JSON.stringify(wallet.alerts ?? []) }),
  };
}

/** A wallet's alerts as they stand. */
export function showAlerts({ id, currency, alerts = [] }: Wallet, now: Date, { present }: Pick<RouteParts, 'present'>) {
  const shown = alerts.map((alert) => present.alert(alert, currency));
  return { walletId: id, currency, alerts: shown, asOf: now.toISOString() };
}

/** Sets what a wallet's owner is told of once, and shows it. */
export function alertRoutes(parts: RouteParts): Route[] {
  const { findWallet, clockOf } = parts;
  const show = async (wallet: Wallet) => showAlerts(wallet, (await clockOf(wallet.workspaceId))(), parts);

  return [
    changeRoutes(parts)(
      'alerts',
      {
        id: 'setAlerts',
        summary: 'Set the alerts of a wallet',
        description: [
          `Up to ${limitsMax} alerts, in place of all that there are. Webhooks get a \`wallet.alert\` when one becomes true, and when it ends:`,
          'each once, from the transaction that caused it. A new one is raised at once if it is true; one that is set again as it was',
          'keeps its state. A frozen wallet may be given alerts too. Safe to repeat.',
        ].join('\n'),
        body: SetAlerts,
        answer: WalletAlerts,
        errors: listErrors,
      },
      (body) => readAlerts(body, parts.currencies),
      show,
    ),
    get(
      '/{id}/alerts',
      {
        id: 'getAlerts',
        summary: 'Get the alerts of a wallet',
        description: [
          'The alerts, and their states as the last change of the wallet left them: that time passes, and a window forgets, changes',
          'none until then.',
        ].join('\n'),
        answer: WalletAlerts,
        errors: ['WALLET_NOT_FOUND'],
      },
      async (request) => ({ data: await show(await findWallet(request, request.params['id'], 'id')) }),
    ),
  ];
}

/** With its share in the plainest form, so that the same share is the same condition. */
function toAlert({ name, availableBelow, availableAbove, limitUsed }: z.output<typeof NewAlert>): NewAlert {
  return {
    name,
    ...(availableBelow === undefined ? {} : { availableBelow: new Money(availableBelow) }),
    ...(availableAbove === undefined ? {} : { availableAbove: new Money(availableAbove) }),
    ...(limitUsed === undefined ? {} : { limitUsed: { ...limitUsed, share: plainest(limitUsed.share) } }),
  };
}
