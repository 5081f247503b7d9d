import type { Sent, Told } from '../harness/sent.ts';
import type { RawBooks, RawDocument } from './books.ts';
import { historiesOf } from './histories.ts';
import { knownOf } from './known.ts';
import { valuesOf } from './legs.ts';
import { tellingsOf } from './tellings.ts';
import { checkToldLists } from './told-lists.ts';
import { checkToldOrders } from './told-orders.ts';
import { checkToldWallets } from './told-wallets.ts';

/** What the clients sent, what they were told, and what was put into the books without them. */
export interface Asked {
  sent: readonly Sent[];
  told: readonly Told[];
  /** Ids of orders made by hand. */
  byHand: ReadonlySet<string>;
}

/**
 * Holds the history of what all clients sent and were told against the books in the end: whatever they were told of orders,
 * wallets and lists was so when it was told, every acknowledged order is there as it was sent, and there is none that nobody
 * asked for. @returns a sentence for each breach.
 */
export function checkAnswers(books: RawBooks, { sent, told, byHand }: Asked): string[] {
  const [histories, tellings] = [historiesOf(books), told.flatMap(tellingsOf)];
  const known = knownOf(histories, told, tellings);
  const breaches = [
    ...checkSent(books.orders, sent, byHand),
    ...checkToldOrders(histories, tellings, known),
    ...checkToldLists(histories, told, known),
    ...checkToldWallets(histories, told, known),
  ];
  return [...new Set(breaches)];
}

/**
 * Every order is one that was sent: under the ids that were answered, or whole under the bizId of a create whose answer was lost.
 * What an answer told of it is checked with all else that was told.
 */
function checkSent(orders: readonly RawDocument[], sent: readonly Sent[], byHand: ReadonlySet<string>): string[] {
  const byBizId = new Map(orders.map((order) => [String(order['bizId']), order]));
  const breaches: string[] = [];
  const accounted = new Set(byHand);
  for (const { acknowledged, command } of sent) {
    if (acknowledged !== undefined) accounted.add(acknowledged.transferId);
    const order = acknowledged === undefined ? byBizId.get(command.body.bizId ?? '') : undefined;
    if (order === undefined) continue;
    accounted.add(order._id);
    if (valuesOf(order) !== valuesOf(command.means))
      breaches.push(`order ${order._id} is not what was sent: ${JSON.stringify(command)}`);
  }
  return [...breaches, ...checkStrangers(orders, accounted, sent)];
}

/** What is left are creates without a bizId whose answer was lost: never more of them than were sent. */
function checkStrangers(
  orders: readonly RawDocument[],
  accounted: ReadonlySet<string>,
  sent: readonly Sent[],
): string[] {
  const lost = new Map<string, number>();
  for (const { command, acknowledged } of sent) {
    if (acknowledged !== undefined || command.body.bizId !== undefined) continue;
    const values = valuesOf(command.means);
    lost.set(values, (lost.get(values) ?? 0) + 1);
  }
  const breaches: string[] = [];
  for (const order of orders) {
    if (accounted.has(order._id) || isFunding(order)) continue;
    const left = lost.get(valuesOf(order)) ?? 0;
    lost.set(valuesOf(order), left - 1);
    if (left <= 0 || order['bizId'] !== order._id) breaches.push(`order ${order._id} is there and nobody asked for it`);
  }
  return breaches;
}

/** Made by the administrator while the stack was prepared. */
function isFunding(order: RawDocument): boolean {
  return order['request'] === undefined && String(order['sourceWalletId']).startsWith('ex_');
}
