import type { OrderData, Sent } from '../harness/sent.ts';
import { shown, unitsOf } from './amount.ts';
import type { RawDocument } from './books.ts';

/** What the clients sent, and what was put into the books without them. */
export interface Asked {
  sent: readonly Sent[];
  /** Ids of orders made by hand. */
  byHand: ReadonlySet<string>;
}

/**
 * Holds the orders against what the clients know: every acknowledged one exists as it was acknowledged and as it was
 * seen, and there is none that nobody asked for. @returns a sentence for each breach.
 */
export function checkAnswers(orders: readonly RawDocument[], { sent, byHand }: Asked): string[] {
  const byId = new Map(orders.map((order) => [order._id, order]));
  const byBizId = new Map(orders.map((order) => [String(order['bizId']), order]));
  const breaches: string[] = [];
  const accounted = new Set(byHand);
  for (const each of sent) {
    const { acknowledged, body } = each;
    const order = acknowledged === undefined ? byBizId.get(body.bizId ?? '') : byId.get(acknowledged.transferId);
    if (order !== undefined) accounted.add(order._id);
    if (order === undefined && acknowledged !== undefined) {
      breaches.push(`order ${acknowledged.transferId} was acknowledged and does not exist`);
    }
    if (order !== undefined) breaches.push(...checkOne(order, each));
  }
  return [...breaches, ...checkStrangers(orders, accounted, sent)];
}

/** The order is whole: the values that were sent, under the ids that were answered, in the state that was seen. */
function checkOne(order: RawDocument, { body, acknowledged, observed }: Sent): string[] {
  const breaches: string[] = [];
  const { _id: id } = order;
  if (valuesOf(order) !== valuesOf(body)) breaches.push(`order ${id} is not what was sent: ${JSON.stringify(body)}`);
  if (body.bizId !== undefined && order['bizId'] !== body.bizId) breaches.push(`order ${id} has another bizId`);
  if (
    acknowledged !== undefined &&
    (valuesOf(order) !== valuesOf(acknowledged) || order['bizId'] !== acknowledged.bizId)
  ) {
    breaches.push(`order ${id} is not what was acknowledged: ${JSON.stringify(acknowledged)}`);
  }
  if (observed !== undefined && stateOf(order) !== seenState(observed)) {
    breaches.push(`order ${id} was seen as ${seenState(observed)} and is now ${stateOf(order)}`);
  }
  return breaches;
}

/** What is left are creates without a bizId whose answer was lost: never more of them than were sent. */
function checkStrangers(
  orders: readonly RawDocument[],
  accounted: ReadonlySet<string>,
  sent: readonly Sent[],
): string[] {
  const lost = new Map<string, number>();
  for (const { body, acknowledged } of sent) {
    if (acknowledged !== undefined || body.bizId !== undefined) continue;
    lost.set(valuesOf(body), (lost.get(valuesOf(body)) ?? 0) + 1);
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

function valuesOf(order: object): string {
  const { sourceWalletId, targetWalletId, amount, currency } = order as Record<string, unknown>;
  return [sourceWalletId, targetWalletId, shown(unitsOf(amount)), currency].join(' ');
}

function stateOf(order: RawDocument): string {
  const completedAt = order['completedAt'] instanceof Date ? order['completedAt'].toISOString() : 'never';
  return `${String(order['status'])} ${String(order['failure'])} ${completedAt}`;
}

function seenState({ status, failure, completedAt }: OrderData): string {
  return `${status} ${String(failure?.message ?? null)} ${completedAt ?? 'never'}`;
}

/** Made by the administrator while the stack was prepared. */
function isFunding(order: RawDocument): boolean {
  return order['request'] === undefined && String(order['sourceWalletId']).startsWith('ex_');
}
