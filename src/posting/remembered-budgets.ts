import { LRUCache } from 'lru-cache';
import type { KeyBudgets } from '../domain/budgets.ts';
import { unitOf, type OrderToPost } from '../orders/order.ts';
import { typeOf } from '../orders/types.ts';
import type { KeyBudgetsStore } from '../storage/keys/budgets.ts';
import type { ClientSession } from '../storage/shared/transaction.ts';

const workspacesMax = 20_000;
const keysMax = 100_000;
/** For a database that was itself set back. */
const keptMaxMs = 60_000;

/** The budgets of the keys that made some orders, and what a posting by them has to take for granted. */
export interface BudgetsToPost {
  /** By key. */
  readonly budgets: ReadonlyMap<string, KeyBudgets>;
  /** See `WriteOptions`. */
  readonly versions: ReadonlyMap<string, number>;
  /** Remembers what was read. Call it once that is known to be committed: an election may take back what was not. */
  readonly keep: () => void;
}

/**
 * Which workspaces have keys with budgets, and which of their keys have none. One that is not known is taken to have none: if that
 * is wrong, nothing of its group is written, and it is asked for. So budgets cost those nothing who have none.
 */
export function createRememberedBudgets(keyBudgets: Pick<KeyBudgetsStore, 'find' | 'versionsOf'>) {
  /** How often the budgets of a workspace's keys were changed; null if that has to be asked. */
  const versions = new LRUCache<string, { readonly version: number | null }>({ max: workspacesMax });
  /** Keys that had no budget at some version of their workspace's. */
  const without = new LRUCache<string, number>({ max: keysMax, ttl: keptMaxMs, perf: performance });
  return {
    /** @param session that of the posting's transaction. */
    async read(
      orders: readonly OrderToPost[],
      workspaceIds: readonly string[],
      session: ClientSession,
    ): Promise<BudgetsToPost> {
      const remembered = new Map(workspaceIds.map((workspaceId) => [workspaceId, versions.get(workspaceId)]));
      const unknown = workspaceIds.filter((workspaceId) => remembered.get(workspaceId)?.version === null);
      const read = unknown.length === 0 ? new Map<string, number>() : await keyBudgets.versionsOf(unknown, session);
      const current = new Map<string, number>();
      for (const workspaceId of workspaceIds) {
        const version = read.get(workspaceId) ?? remembered.get(workspaceId)?.version ?? undefined;
        if (version !== undefined) current.set(workspaceId, version);
      }
      const asked = new Map<string, number>();
      for (const order of current.size === 0 ? [] : orders.flatMap(unitOf)) {
        const version = current.get(order.workspaceId);
        if (version === undefined || order.apiKey === undefined || typeOf(order).drawsOnBudget !== true) continue;
        if (without.get(order.apiKey) !== version) asked.set(order.apiKey, version);
      }
      const budgets =
        asked.size === 0
          ? new Map<string, KeyBudgets>()
          : await keyBudgets.find([...asked.keys()], [...current.keys()], session);
      return {
        budgets,
        versions: current,
        keep: () => {
          for (const workspaceId of unknown) {
            const version = current.get(workspaceId);
            if (version === undefined) versions.delete(workspaceId);
            else versions.set(workspaceId, { version });
          }
          for (const [apiKey, version] of asked)
            if ((budgets.get(apiKey)?.budgets.length ?? 0) === 0) without.set(apiKey, version);
        },
      };
    },
    /** What was taken for granted of one of these workspaces is wrong. */
    forget(workspaceIds: readonly string[]): void {
      for (const workspaceId of workspaceIds) versions.set(workspaceId, { version: null });
    },
  };
}
