import { capture } from './capture.ts';
import { deposit } from './deposit.ts';
import { hold } from './hold.ts';
import { journal } from './journal.ts';
import { release } from './release.ts';
import { reversal } from './reversal.ts';
import { transfer } from './transfer.ts';
import { unitOf, type Leg, type Order, type OrderToPost } from './order.ts';
import type { OrderType } from './type.ts';
import { withdrawal } from './withdrawal.ts';

/** Every type of order. */
export const orderTypes: readonly OrderType[] = [
  transfer,
  deposit,
  withdrawal,
  journal,
  reversal,
  hold,
  capture,
  release,
];

const byName = new Map(orderTypes.map((type) => [type.name, type]));

/** An order is of a type that this release does not know: a newer one has made it. */
export class UnknownOrderTypeError extends Error {
  override readonly name = 'UnknownOrderTypeError';
}

/** Whether this release knows a type. */
export function isKnownType(name: string): boolean {
  return byName.has(name);
}

/** A type by its name; undefined if this release does not know it. */
export function findType(name: string): OrderType | undefined {
  return byName.get(name);
}

/** Whether COMPLETED orders of a type have flows; as far as this release knows. */
export function hasFlows(name: string): boolean {
  return byName.get(name)?.leavesFlows ?? true;
}

/** The type of an order. @throws UnknownOrderTypeError. */
export function typeOf({ type: name }: { readonly type: string }): OrderType {
  const type = byName.get(name);
  if (type === undefined) throw new UnknownOrderTypeError(`this release knows no orders of the type ${name}`);
  return type;
}

/** Whether an order is posted only once no other that refers to the same order is still to be posted. */
export function defers(order: Pick<Order, 'type' | 'terms'>): boolean {
  return findType(order.type)?.defers?.(order) ?? false;
}

/**
 * The ids of the wallets that an order names, each once. Posting reads them, two groups under way never share one, and the order
 * stands in the list of each.
 */
export function walletIdsOf({
  legs,
}: {
  readonly legs: readonly Pick<Leg, 'sourceWalletId' | 'targetWalletId'>[];
}): string[] {
  const [first] = legs;
  // Nearly all orders have one leg, of two wallets.
  if (first !== undefined && legs.length === 1) return [first.sourceWalletId, first.targetWalletId];
  return [...new Set(legs.flatMap(({ sourceWalletId, targetWalletId }) => [sourceWalletId, targetWalletId]))];
}

/** The ids of all that posting an order, with those of its atomic batch, may change. */
export function changedIdsOf(order: OrderToPost): string[] {
  if (order.others !== undefined) return unitOf(order).flatMap(({ others: _, ...one }) => changedIdsOf(one));
  const ids = walletIdsOf(order);
  return order.parentId === undefined ? ids : [...ids, order.parentId];
}
