import { unitsOf } from './amount.ts';
import type { RawDocument } from './books.ts';
import type { Histories } from './histories.ts';
import type { Known } from './known.ts';
import { legsIn, shownWallet, valuesOf } from './legs.ts';
import { isEnd, type Telling } from './tellings.ts';

/**
 * Every order that was told of exists, in the workspace that was told, with the ids and values under which it was asked for and
 * those that were told; an end that was told is its end, and was told ever after. @returns a sentence for each breach.
 */
export function checkToldOrders({ orders }: Histories, tellings: readonly Telling[], known: Known): string[] {
  const breaches: string[] = [];
  for (const telling of tellings) {
    const order = orders.get(String(telling.order['transferId']));
    if (order === undefined) breaches.push(`order ${nameOf(telling)} was told and does not exist`);
    else breaches.push(...checkIdentity(telling, order), ...checkValues(telling, order), ...checkState(telling, order));
  }
  return [...breaches, ...checkEndsStay(tellings, known), ...checkReplays(tellings)];
}

function nameOf({ order }: Telling): string {
  return `${String(order['transferId'])} (bizId ${String(order['bizId'])})`;
}

function checkIdentity(telling: Telling, order: RawDocument): string[] {
  const { workspaceId, key, created } = telling;
  const breaches: string[] = [];
  const bizId = created?.command.body.bizId;
  if (order['workspaceId'] !== workspaceId) breaches.push(`order ${nameOf(telling)} was told to another workspace`);
  if (bizId !== undefined && order['bizId'] !== bizId)
    breaches.push(`order ${order._id} was told for bizId ${bizId}, and its bizId is ${String(order['bizId'])}`);
  if (key !== undefined && key !== order._id && key !== order['bizId'])
    breaches.push(`order ${nameOf(telling)} was told for ${key}`);
  if (created !== undefined && valuesOf(created.command.means) !== valuesOf(order))
    breaches.push(`order ${nameOf(telling)} was told for ${JSON.stringify(created.command)}`);
  return breaches;
}

/** Of each value that an answer has, that it is the order's. */
function checkValues(telling: Telling, order: RawDocument): string[] {
  const right: Record<string, unknown> = {
    ...{ bizId: order['bizId'], workspaceId: order['workspaceId'], type: order['type'] },
    currency: typeof order['currency'] === 'string' ? order['currency'] : null,
    sourceWalletId: shownWallet(order['sourceWalletId'] ?? null),
    targetWalletId: shownWallet(order['targetWalletId'] ?? null),
    parentId: order['parentId'] ?? null,
    batchId: order['batchId'] ?? null,
    createdAt: timeOf(order['createdAt']),
  };
  const wrong = Object.keys(right).filter((name) => name in telling.order && telling.order[name] !== right[name]);
  const { amount, bizId } = telling.order;
  const isAmount =
    amount === null ? order['amount'] === undefined : amount === undefined || areEqual(amount, order['amount']);
  if (!isAmount) wrong.push('amount');
  if (!areLegs(telling.order['legs'], order)) wrong.push('legs');
  if (bizId === undefined) wrong.push('bizId');
  return wrong.map((name) => `order ${nameOf(telling)} was told with ${name} ${String(telling.order[name])}`);
}

function areEqual(told: unknown, stored: unknown): boolean {
  return stored !== undefined && unitsOf(told) === unitsOf(stored);
}

/** Whether what was told of an order's legs is so; what says nothing of them, or null of an order without, is. */
function areLegs(told: unknown, order: RawDocument): boolean {
  if (told === undefined || told === null) return told === undefined || order['legs'] === undefined;
  const legs = (told as Telling['order'][]).map(({ parentLeg, ...leg }) => ({
    ...leg,
    ...(parentLeg === null ? {} : { parentLeg }),
  }));
  return order['legs'] !== undefined && valuesOf({ legs }) === valuesOf({ legs: legsIn(order) });
}

function checkState(telling: Telling, order: RawDocument): string[] {
  const { status, completed = status === 'COMPLETED' } = telling.order;
  const breaches: string[] = [];
  if (completed !== (status === 'COMPLETED'))
    breaches.push(`order ${nameOf(telling)} was told as ${String(status)}, completed ${String(completed)}`);
  const was = toldState(telling);
  const is = [order['status'], order['failure'], order['failureLeg'], timeOf(order['completedAt'])].join(' ');
  if (!isEnd(status) && was !== 'PENDING   ') breaches.push(`order ${nameOf(telling)} was told as ${was}`);
  if (isEnd(status) && was !== is) breaches.push(`order ${nameOf(telling)} was told as ${was} and is now ${is}`);
  return breaches;
}

function toldState({ order }: Telling): string {
  const { status, failure, completedAt } = order;
  const { message, leg } = (failure ?? {}) as { message?: string; leg?: number | null };
  return [status, message, leg, completedAt].join(' ');
}

/** Whoever asks after an end was told, or a flow of the order, is told that end. */
function checkEndsStay(tellings: readonly Telling[], known: Known): string[] {
  return tellings
    .filter(
      ({ order, askedAtMs }) => !isEnd(order['status']) && askedAtMs > known.endedSince(String(order['transferId'])),
    )
    .map((telling) => `order ${nameOf(telling)} was told as ${toldState(telling)}, after its end had been told`);
}

/** Of all creates with one bizId, one at the most made the order. */
function checkReplays(tellings: readonly Telling[]): string[] {
  const made = new Set<string>();
  return tellings.flatMap(({ created, workspaceId }) => {
    if (created === undefined || created.isReplay !== false || created.command.body.bizId === undefined) return [];
    const name = `${workspaceId} ${created.command.body.bizId}`;
    if (made.has(name)) return [`bizId ${name} was told to be new twice`];
    made.add(name);
    return [];
  });
}

export function timeOf(time: unknown): unknown {
  return time instanceof Date ? time.toISOString() : time;
}
