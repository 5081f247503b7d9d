import type { Db } from 'mongodb';
import { waitFor } from '../support/wait-for.ts';
import type { Admin, World } from './world.ts';

/** An order as MongoDB has it: nothing of it is believed. */
export interface OrderDocument {
  _id: string;
  bizId: string;
  sourceWalletId?: string;
  targetWalletId?: string;
  /** A decimal of MongoDB's; or anything that reads like one. */
  amount?: { toString(): string };
  currency: string | string[];
  /** Of a journal. */
  legs?: Pick<OrderDocument, 'sourceWalletId' | 'targetWalletId' | 'amount' | 'currency'>[];
  request?: { keyId: string; nonce: string };
}

export interface Books {
  /** Bodies of the creates that were rightly signed, by nonce. */
  signedCreates: ReadonlyMap<string, Buffer>;
  /** Ids of the orders that clients were told of. */
  acknowledged: ReadonlySet<string>;
}

interface CheckedStack {
  readonly db: Db;
  readonly admin: Admin;
  readonly world: World;
}

export interface CheckedMoney {
  orders: number;
  complaints: string[];
}

const terminalWithinMs = 120_000;
const pollMs = 200;
const shownMax = 10;

/**
 * Once every order has ended: the books are right, each order is one that a rightly signed request asked for, with its
 * values and only once, and what clients were told of is there.
 */
export async function checkMoney(stack: CheckedStack, { signedCreates, acknowledged }: Books): Promise<CheckedMoney> {
  const orders = stack.db.collection<OrderDocument & { status: string }>('orders');
  const complaints: string[] = [];
  await waitFor(async () => (await orders.countDocuments({ status: 'PENDING' })) === 0, {
    timeoutMs: terminalWithinMs,
    intervalMs: pollMs,
    what: 'the end of every order',
  }).catch((error: unknown) => complaints.push(String(error)));
  await stack.admin('verify').catch((error: unknown) => {
    complaints.push(`admin ${String(error)}`);
  });
  const all = await orders.find().toArray();
  complaints.push(...judgeOrders(all, { signedCreates, acknowledged }, stack.world));
  const known = new Set(stack.world.orders);
  return { orders: all.filter(({ _id }) => !known.has(_id)).length, complaints: complaints.slice(0, shownMax) };
}

/** @returns a sentence for each order that should not be as it is, or should be and is not. */
export function judgeOrders(
  orders: readonly OrderDocument[],
  { signedCreates, acknowledged }: Books,
  { orders: known, keys }: Pick<World, 'orders' | 'keys'>,
): string[] {
  const complaints: string[] = [];
  const nonces = new Set<string>();
  for (const order of orders) {
    if (known.includes(order._id)) continue;
    const complaint = complaintOf(order, signedCreates, keys[0]?.apiKey);
    if (complaint !== undefined)
      complaints.push(`order ${order._id}, nonce ${order.request?.nonce ?? 'none'}, ${complaint}`);
    const nonce = order.request?.nonce ?? '';
    if (nonces.has(nonce)) complaints.push(`order ${order._id} is the second of one signed request`);
    nonces.add(nonce);
  }
  const ids = new Set(orders.map(({ _id }) => _id));
  for (const id of acknowledged) if (!ids.has(id)) complaints.push(`order ${id} was answered and is not there`);
  return complaints;
}

function complaintOf(
  order: OrderDocument,
  signedCreates: ReadonlyMap<string, Buffer>,
  apiKey: string | undefined,
): string | undefined {
  const body = signedCreates.get(order.request?.nonce ?? '');
  if (body === undefined || order.request?.keyId !== apiKey) return 'was asked for by no rightly signed request';
  const asked = JSON.parse(body.toString()) as Asked;
  const { legs = [asked] } = asked;
  const made = order.legs ?? [order];
  const isSame =
    (order.legs === undefined) === (asked.legs === undefined) &&
    made.length === legs.length &&
    made.every((leg, place) => isLeg(leg, legs[place]!)) &&
    order.bizId === (asked['bizId'] ?? order._id);
  return isSame ? undefined : `differs from what was signed: ${body.toString()}`;
}

type Asked = Readonly<Record<string, unknown>> & { readonly legs?: readonly Asked[] };

/** A side that is not asked for is the world outside. */
function isLeg(leg: NonNullable<OrderDocument['legs']>[number], asked: Asked): boolean {
  const isSide = (side: 'sourceWalletId' | 'targetWalletId'): boolean =>
    asked[side] === undefined ? leg[side]?.startsWith('ex_') === true : leg[side] === asked[side];
  return (
    isSide('sourceWalletId') &&
    isSide('targetWalletId') &&
    leg.currency === asked['currency'] &&
    plain(String(leg.amount)) === plain(String(asked['amount']))
  );
}

/** Amounts are equal by value. */
function plain(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}
