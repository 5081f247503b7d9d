import { z } from 'zod';
import { derivedId } from '../domain/ids.ts';
import { amountErrors, amountOfParentGiven, moneyCheck, notesGiven, orderGiven, withParent } from './body.ts';
import { exampleOf } from './examples.ts';
import { effectsOnHold, holdErrors, ofHold, firstLeg, usesHold } from './parent.ts';
import { newOrder, type Order } from './order.ts';
import type { OrderType } from './type.ts';

const example = { transferId: exampleOf.transferId, bizId: 'ride-9-cancelled' } as const;

/** Gives back all or part of what a hold still reserves, whatever the state of its wallets, also after its expiry. */
export const release: OrderType = {
  name: 'RELEASE',
  ...usesHold,
  parent: {
    ...ofHold,
    uses: ({ terms }) => ({ part: 'released', closes: false, isExpiry: isByExpiry(terms) }),
  },
  checksWallets: false,
  // What was accepted before the expiry counts.
  defers: ({ terms }) => isByExpiry(terms),
  effects: effectsOnHold((order, parent, left) => {
    const { sourceWalletId, amount, currency } = firstLeg(order.legs);
    return [
      { kind: 'release', sourceWalletId, amount, currency, closes: left.equals(amount) },
      { kind: 'progress', order: parent.id, leg: 0, part: 'released', amount },
      ...(isByExpiry(order.terms) && left.equals(amount) ? ([{ kind: 'expire', order: parent.id }] as const) : []),
    ];
  }),
  leavesFlows: false,
  command: {
    scope: 'transfer:hold',
    name: 'release',
    operationId: 'releaseHold',
    summary: 'Give back all or part of what a hold reserves',
    description: [
      'Makes all that a hold still reserves available again, or the `amount` that is given. It works whatever the state of the',
      'wallets, and after the expiry too, should something be reserved still.',
    ].join(' '),
    errors: [...amountErrors, ...holdErrors],
    body: () =>
      z
        .strictObject({
          transferId: orderGiven.meta({ description: 'The hold: its transferId or its bizId.' }),
          amount: amountOfParentGiven.meta({ description: 'How much to give back; all that remains, if not said.' }),
          ...notesGiven,
        })
        .check(moneyCheck())
        .meta({ id: 'ReleaseHold', description: 'What to give back of a hold.', examples: [example] })
        .transform(withParent),
  },
};

/** In the terms of a release that nobody asked for. */
const byExpiry = 'expiry';
export const isByExpiry = (terms: Order['terms']): boolean => terms?.['by'] === byExpiry;

/**
 * The order that releases what is left of a hold that has expired. Its id is made from the hold's, and is its bizId, which no
 * client can give.
 */
export function releaseOfExpired(hold: Order, now: Date): Order {
  const input = { type: release.name, terms: { by: byExpiry }, description: 'expired' };
  const values = release.values(input, { workspaceId: hold.workspaceId, parent: hold, now });
  return newOrder(values, now, derivedId('order', hold.id, now));
}
