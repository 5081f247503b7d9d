import { shown, unitsOf, type Units } from './amount.ts';
import type { RawBooks, RawDocument } from './books.ts';
import { closesHold, legsIn } from './legs.ts';

/**
 * Of every leg no more was used than there is, what an order says of that is what the COMPLETED orders did that refer to it, and
 * what wallets hold is what is left of their holds. @returns a sentence for each breach.
 */
export function checkUses({ orders, wallets }: RawBooks): string[] {
  const completed = orders.filter(({ status }) => status === 'COMPLETED');
  const byParent = Map.groupBy(completed, ({ parentId }) => String(parentId));
  const held = new Map<string, Units>();
  const breaches = orders.flatMap((order) => {
    const uses = byParent.get(order._id) ?? [];
    if (order['type'] !== 'HOLD') return checkLegs(order, uses);
    const { right, left } = holdAfter(order, uses);
    const walletId = String(order['sourceWalletId']);
    if (order['status'] === 'COMPLETED') held.set(walletId, (held.get(walletId) ?? 0n) + left);
    const says = progressIn(order);
    const isSound = left >= 0n && Object.entries(right).every(([part, units]) => said(says[part]) === units);
    return isSound ? [] : [`hold ${order._id} says ${JSON.stringify(says)}; ${shown(left)} should be left`];
  });
  for (const wallet of wallets) {
    const right = held.get(wallet._id) ?? 0n;
    const is = said(wallet['held']);
    if (is !== right) breaches.push(`wallet ${wallet._id} holds ${shown(is)}, its holds are ${shown(right)}`);
  }
  return breaches;
}

/** What captures have moved of a hold, and what was released because one was the last. */
function holdAfter(hold: RawDocument, captures: readonly RawDocument[]) {
  const captured = sum(captures.flatMap(legsIn).map(({ amount }) => unitsOf(amount)));
  const whole = unitsOf(hold['amount']);
  const released = captures.some(closesHold) ? whole - captured : 0n;
  return { right: { captured, released }, left: whole - captured - released };
}

function checkLegs(order: RawDocument, reversals: readonly RawDocument[]): string[] {
  const says = progressIn(order);
  const legs = reversals.flatMap(legsIn);
  const saysOf = (place: number): unknown =>
    Array.isArray(says['reversedLegs']) ? (says['reversedLegs'] as unknown[])[place] : says['reversed'];
  return legsIn(order).flatMap(({ amount }, place) => {
    const reversed = sum(legs.filter(({ parentLeg = 0 }) => parentLeg === place).map((leg) => unitsOf(leg['amount'])));
    const is = said(saysOf(place));
    if (is === reversed && reversed <= unitsOf(amount)) return [];
    return [`order ${order._id} says that ${shown(is)} of its leg ${place} was reversed, it was ${shown(reversed)}`];
  });
}

function progressIn(order: RawDocument): Readonly<Record<string, unknown>> {
  return (order['progress'] ?? {}) as Readonly<Record<string, unknown>>;
}

/** What is not said is nothing. */
function said(value: unknown): Units {
  return value === undefined ? 0n : unitsOf(value);
}

function sum(units: readonly Units[]): Units {
  return units.reduce((total, each) => total + each, 0n);
}
