import type { OrderToPost } from '../domain/order.ts';

export interface ContendedWallet {
  readonly walletId: string;
  /** Its orders that met a conflict, lately. */
  readonly orders: number;
}

export interface Contention {
  /** Orders of a group that met a conflict. */
  observe(orders: readonly OrderToPost[]): void;
  top(): readonly ContendedWallet[];
}

const topMax = 10;
const walletsMax = 1_000;
const halfWindowMs = 30_000;

/**
 * Which wallets are fought over. A conflict does not name its wallet, but one that is fought over is in most of the orders
 * that meet one, and rises above the others there. Looks back 30 to 60 s, in bounded memory.
 */
export function createContention(): Contention {
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  let turnedAt = performance.now();

  function turn(): void {
    const ageMs = performance.now() - turnedAt;
    if (ageMs < halfWindowMs) return;
    previous = ageMs < 2 * halfWindowMs ? current : new Map<string, number>();
    current = new Map();
    turnedAt = performance.now();
  }

  return {
    observe(orders) {
      turn();
      for (const id of orders.flatMap(({ sourceWalletId, targetWalletId }) => [sourceWalletId, targetWalletId])) {
        const count = current.get(id);
        if (count !== undefined || current.size < walletsMax) current.set(id, (count ?? 0) + 1);
      }
    },
    top() {
      turn();
      const sums = new Map(previous);
      for (const [id, count] of current) sums.set(id, (sums.get(id) ?? 0) + count);
      return [...sums]
        .sort(([, a], [, b]) => b - a)
        .slice(0, topMax)
        .map(([walletId, orders]) => ({ walletId, orders }));
    },
  };
}
