import { LRUCache } from 'lru-cache';
import { bucketOf } from '../domain/bucket.ts';
import type { Wallet } from '../domain/wallet.ts';

/** Some 40 MB of memory. Beyond that the least recently posted go. */
const walletsMax = 20_000;
/** Only what is posted to often gains by being remembered. */
const keptMaxMs = 60_000;

export type RememberedWallets = ReturnType<typeof createRememberedWallets>;

interface Remembered {
  readonly wallet: Wallet;
  /** How often its bucket had been forgotten by then. */
  readonly epoch: number;
}

/**
 * The wallets that this process has posted to, as it left them, without their metadata. Another process may have changed one
 * since: what is done by a wallet from here has to be guarded by its `version`.
 *
 * A group takes its wallets out, and keeps them again once they are committed. So whatever else becomes of it, they are
 * forgotten, and every further run reads them.
 */
export function createRememberedWallets() {
  const remembered = new LRUCache<string, Remembered>({ max: walletsMax, ttl: keptMaxMs, perf: performance });
  const epochs = new Map<number, number>();
  const epochOf = ({ workspaceId }: Wallet): number => epochs.get(bucketOf(workspaceId)) ?? 0;
  return {
    /** Takes out those that are remembered of some workspaces, by id. */
    take(ids: readonly string[], workspaceIds: readonly string[]): Map<string, Wallet> {
      const taken = new Map<string, Wallet>();
      const workspaces = new Set(workspaceIds);
      for (const id of ids) {
        const { wallet, epoch } = remembered.peek(id) ?? {};
        if (wallet === undefined || !workspaces.has(wallet.workspaceId)) continue;
        remembered.delete(id);
        if (epoch === epochOf(wallet)) taken.set(id, wallet);
      }
      return taken;
    },
    /** @param wallets as a posting left them that was committed for certain; their `version` is still the one before. */
    keep(wallets: readonly Wallet[]): void {
      for (const wallet of wallets) {
        const kept = { ...wallet, version: wallet.version + 1 };
        remembered.set(wallet.id, { wallet: kept, epoch: epochOf(wallet) });
      }
    },
    /** Forgets a bucket, because another process has posted it since: most of what is remembered would be folded in vain. */
    forget(bucket: number): void {
      epochs.set(bucket, (epochs.get(bucket) ?? 0) + 1);
    },
  };
}
