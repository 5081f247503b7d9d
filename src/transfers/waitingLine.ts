import { isWorthwhile, walletsOf } from './claimGroup.ts';
import type { Claimant } from './claimGroup.ts';
import { pickGroup } from './pickGroup.ts';

/** Orders of one transaction. */
const groupSizeMax = 256;
const scanMax = 2_048;

/** The orders that wait for a group, the first that came first, and the wallets that groups in flight are busy with. */
export function createWaitingLine<T extends Claimant>() {
  let waiting: T[] = [];
  const busy = new Set<string>();

  function setBusy(group: readonly T[]): void {
    for (const walletId of walletsOf(group)) busy.add(walletId);
  }

  function setFree(group: readonly T[]): void {
    for (const walletId of walletsOf(group)) busy.delete(walletId);
  }

  return {
    join(order: T): void {
      waiting.push(order);
    },

    /** Takes a group out whose wallets nobody is busy with. @returns none where it is not worth a transaction now. */
    leave(): readonly T[] {
      const group = pickGroup(waiting, busy, { sizeMax: groupSizeMax, scanMax });
      if (!isWorthwhile(group, waiting)) return [];
      const picked = new Set(group);
      waiting = waiting.filter((order) => !picked.has(order));
      setBusy(group);
      return group;
    },

    /** Takes back, to the front, those of `picked` that are not in the group. */
    takeBack(picked: readonly T[], group: readonly T[]): void {
      if (group.length === picked.length) return;
      setFree(picked);
      setBusy(group);
      const isTaken = new Set(group);
      // Nothing that was left behind before shares a wallet with these.
      waiting = [...picked.filter((order) => !isTaken.has(order)), ...waiting];
    },

    setFree,

    /** Those that wait. */
    orders: (): readonly T[] => waiting,

    /** Takes all out that wait. */
    empty(): readonly T[] {
      const orders = waiting;
      waiting = [];
      return orders;
    },
  };
}
