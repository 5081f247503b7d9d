import type { Told, TransferBody } from '../harness/sent.ts';
import { shown, unitsOf } from './amount.ts';
import type { RawDocument } from './books.ts';

/** What was told of one order. */
export interface Telling extends Pick<Told, 'workspaceId' | 'askedAtMs' | 'toldAtMs'> {
  /** The id or bizId that was asked for. */
  key?: string | undefined;
  /** Of the answer to a create: what was asked, and whether the answer says that it had been before. */
  created?: { body: TransferBody; isReplay: boolean };
  /** The wallet whose orders were asked for. */
  walletId?: string | undefined;
  order: Readonly<Record<string, unknown>>;
}

const ordersPath =
  /^\/api\/v1\/transfer\/query\/orders(?:\/wallet\/(?<walletId>[^/]+)|\/(?<key>[^/]+?)(?:\/completed)?)?$/;
const ends: ReadonlySet<unknown> = new Set(['COMPLETED', 'FAILED', 'CANCELLED']);

/** What an answer or a webhook told of orders; nothing if it is about a wallet. @throws of a path that is not known. */
export function tellingsOf(told: Told): Telling[] {
  const { workspaceId, askedAtMs, toldAtMs, method, path, body, isReplay } = told;
  const telling = { workspaceId, askedAtMs, toldAtMs };
  const data = told.data as Telling['order'] & { items?: readonly Telling['order'][] };
  if (method === 'WEBHOOK') return [{ ...telling, order: data }];
  if (body !== undefined) return [{ ...telling, created: { body, isReplay }, order: data }];
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
  const bizId = created?.body.bizId;
  if (order['workspaceId'] !== workspaceId) breaches.push(`order ${nameOf(telling)} was told to another workspace`);
  if (bizId !== undefined && order['bizId'] !== bizId)
    breaches.push(`order ${order._id} was told for bizId ${bizId}, and its bizId is ${String(order['bizId'])}`);
  if (key !== undefined && key !== order._id && key !== order['bizId'])
    breaches.push(`order ${nameOf(telling)} was told for ${key}`);
  if (walletId !== undefined && order['sourceWalletId'] !== walletId && order['targetWalletId'] !== walletId)
    breaches.push(`order ${nameOf(telling)} was told of wallet ${walletId}`);
  if (created !== undefined && valuesOf(created.body) !== valuesOf(order))
    breaches.push(`order ${nameOf(telling)} was told for ${JSON.stringify(created.body)}`);
  return breaches;
}

/** Of each value that an answer has, that it is the order's. */
function checkValues(telling: Telling, order: RawDocument): string[] {
  const right: Record<string, unknown> = {
    ...{ bizId: order['bizId'], workspaceId: order['workspaceId'], type: order['type'], currency: order['currency'] },
    sourceWalletId: shownWallet(order['sourceWalletId']),
    targetWalletId: shownWallet(order['targetWalletId']),
    createdAt: timeOf(order['createdAt']),
  };
  const wrong = Object.keys(right).filter((name) => name in telling.order && telling.order[name] !== right[name]);
  const { amount, bizId } = telling.order;
  if (amount !== undefined && unitsOf(amount) !== unitsOf(order['amount'])) wrong.push('amount');
  if (bizId === undefined) wrong.push('bizId');
  return wrong.map((name) => `order ${nameOf(telling)} was told with ${name} ${String(telling.order[name])}`);
}

function checkState(telling: Telling, order: RawDocument): string[] {
  const { status, completed = status === 'COMPLETED' } = telling.order;
  const breaches: string[] = [];
  if (completed !== (status === 'COMPLETED'))
    breaches.push(`order ${nameOf(telling)} was told as ${String(status)}, completed ${String(completed)}`);
  const was = toldState(telling);
  const is = [order['status'], order['failure'], timeOf(order['completedAt'])].join(' ');
  if (!ends.has(status) && was !== 'PENDING  ') breaches.push(`order ${nameOf(telling)} was told as ${was}`);
  if (ends.has(status) && was !== is) breaches.push(`order ${nameOf(telling)} was told as ${was} and is now ${is}`);
  return breaches;
}

function toldState({ order }: Telling): string {
  const { status, failure, completedAt } = order;
  return [status, (failure as { message?: string } | null)?.message, completedAt].join(' ');
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
    if (created === undefined || created.isReplay || created.body.bizId === undefined) return [];
    const name = `${workspaceId} ${created.body.bizId}`;
    if (made.has(name)) return [`bizId ${name} was told to be new twice`];
    made.add(name);
    return [];
  });
}

/** What of an order its create says. */
export function valuesOf(order: object): string {
  const { sourceWalletId, targetWalletId, amount, currency } = order as Record<string, unknown>;
  return [sourceWalletId, targetWalletId, shown(unitsOf(amount)), currency].join(' ');
}

/** Clients do not know the wallets of the world outside. */
export function shownWallet(id: unknown): unknown {
  return String(id).startsWith('ex_') ? 'EXTERNAL' : id;
}

export function timeOf(time: unknown): unknown {
  return time instanceof Date ? time.toISOString() : time;
}
