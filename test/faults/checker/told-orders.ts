import type { Command, Told } from '../harness/sent.ts';
import { unitsOf } from './amount.ts';
import type { RawDocument } from './books.ts';
import { legsIn, shownWallet, valuesOf, walletsIn } from './legs.ts';

/** What was told of one order. */
export interface Telling extends Pick<Told, 'workspaceId' | 'askedAtMs' | 'toldAtMs'> {
  /** The id or bizId that was asked for. */
  key?: string | undefined;
  /** Of the answer to a command: what was asked, and whether the answer says that it had been before. */
  created?: { command: Command; isReplay: boolean };
  /** The wallet whose orders were asked for. */
  walletId?: string | undefined;
  order: Readonly<Record<string, unknown>>;
}

const ordersPath =
  /^\/api\/v1\/transfer\/query\/orders(?:\/wallet\/(?<walletId>[^/]+)|\/(?<key>[^/]+?)(?:\/completed)?)?$/;
const ends: ReadonlySet<unknown> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

/** What an answer or a webhook told of orders; nothing if it is about a wallet. @throws of a path that is not known. */
export function tellingsOf(told: Told): Telling[] {
  const { workspaceId, askedAtMs, toldAtMs, method, path, command, isReplay } = told;
  const telling = { workspaceId, askedAtMs, toldAtMs };
  const data = told.data as Telling['order'] & { items?: readonly Telling['order'][] };
  if (method === 'WEBHOOK') return [{ ...telling, order: data }];
  if (command !== undefined) return [{ ...telling, created: { command, isReplay }, order: data }];
  if (path.startsWith('/api/v1/wallets/')) return [];
  const asked = ordersPath.exec(path)?.groups;
  if (asked === undefined && !ordersPath.test(path)) throw new Error(`what ${path} tells is not checked`);
  const { walletId, key } = asked ?? {};
  return (data.items ?? [data]).map((order) => ({ ...telling, key, walletId, order }));
}

/**
 * Every order that was told of exists, in the workspace that was told, with the ids and values under which it was asked for and
 * those that were told; an end that was told is its end, and was told ever after. @returns a sentence for each breach.
 */
export function checkToldOrders(orders: readonly RawDocument[], tellings: readonly Telling[]): string[] {
  const byId = new Map(orders.map((order) => [order._id, order]));
  const breaches: string[] = [];
  for (const telling of tellings) {
    const order = byId.get(String(telling.order['transferId']));
    if (order === undefined) breaches.push(`order ${nameOf(telling)} was told and does not exist`);
    else breaches.push(...checkIdentity(telling, order), ...checkValues(telling, order), ...checkState(telling, order));
  }
  return [...breaches, ...checkEndsStay(tellings), ...checkReplays(tellings)];
}

function nameOf({ order }: Telling): string {
  return `${String(order['transferId'])} (bizId ${String(order['bizId'])})`;
}

function checkIdentity(telling: Telling, order: RawDocument): string[] {
  const { workspaceId, key, walletId, created } = telling;
  const breaches: string[] = [];
  const bizId = created?.command.body.bizId;
  if (order['workspaceId'] !== workspaceId) breaches.push(`order ${nameOf(telling)} was told to another workspace`);
  if (bizId !== undefined && order['bizId'] !== bizId)
    breaches.push(`order ${order._id} was told for bizId ${bizId}, and its bizId is ${String(order['bizId'])}`);
  if (key !== undefined && key !== order._id && key !== order['bizId'])
    breaches.push(`order ${nameOf(telling)} was told for ${key}`);
  if (walletId !== undefined && !walletsIn(order).has(walletId))
    breaches.push(`order ${nameOf(telling)} was told of wallet ${walletId}`);
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
  if (!ends.has(status) && was !== 'PENDING   ') breaches.push(`order ${nameOf(telling)} was told as ${was}`);
  if (ends.has(status) && was !== is) breaches.push(`order ${nameOf(telling)} was told as ${was} and is now ${is}`);
  return breaches;
}

function toldState({ order }: Telling): string {
  const { status, failure, completedAt } = order;
  const { message, leg } = (failure ?? {}) as { message?: string; leg?: number | null };
  return [status, message, leg, completedAt].join(' ');
}

/** Whoever asks after an end was told is told that end. */
function checkEndsStay(tellings: readonly Telling[]): string[] {
  const endedAt = new Map<unknown, number>();
  for (const { order, toldAtMs } of tellings) {
    const { transferId, status } = order;
    if (ends.has(status)) endedAt.set(transferId, Math.min(toldAtMs, endedAt.get(transferId) ?? Infinity));
  }
  return tellings
    .filter(
      ({ order, askedAtMs }) =>
        !ends.has(order['status']) && askedAtMs > (endedAt.get(order['transferId']) ?? Infinity),
    )
    .map((telling) => `order ${nameOf(telling)} was told as ${toldState(telling)}, after its end had been told`);
}

/** Of all creates with one bizId, one at the most made the order. */
function checkReplays(tellings: readonly Telling[]): string[] {
  const made = new Set<string>();
  return tellings.flatMap(({ created, workspaceId }) => {
    if (created === undefined || created.isReplay || created.command.body.bizId === undefined) return [];
    const name = `${workspaceId} ${created.command.body.bizId}`;
    if (made.has(name)) return [`bizId ${name} was told to be new twice`];
    made.add(name);
    return [];
  });
}

export function timeOf(time: unknown): unknown {
  return time instanceof Date ? time.toISOString() : time;
}
