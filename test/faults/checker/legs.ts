import { shown, unitsOf } from './amount.ts';
import type { RawDocument } from './books.ts';

/** A leg of an order as it is stored; of one without legs, what it moves itself. */
export type RawLeg = Readonly<Record<string, unknown>>;

export function legsIn(order: Readonly<Record<string, unknown>>): readonly RawLeg[] {
  return Array.isArray(order['legs']) ? (order['legs'] as RawLeg[]) : [order];
}

/** The wallets that an order names, each once. */
export function walletsIn(order: RawDocument): Set<unknown> {
  return new Set(legsIn(order).flatMap(({ sourceWalletId, targetWalletId }) => [sourceWalletId, targetWalletId]));
}

/** What of an order its command says: two are alike if this is. */
export function valuesOf(order: Readonly<Record<string, unknown>>): string {
  const legs = legsIn(order).map(({ sourceWalletId, targetWalletId, amount, currency, parentLeg }) =>
    [shownWallet(sourceWalletId), shownWallet(targetWalletId), shown(unitsOf(amount)), currency, parentLeg].join(' '),
  );
  return [order['type'], order['parentId'], ...legs].join('; ');
}

/** Clients do not know the wallets of the world outside. */
export function shownWallet(id: unknown): unknown {
  return String(id).startsWith('ex_') ? 'EXTERNAL' : id;
}

/** Whether a capture gives back what it leaves of its hold. */
export function closesHold({ terms }: RawDocument): boolean {
  return (terms as Record<string, unknown> | undefined)?.['final'] !== 'false';
}
