import { LRUCache } from 'lru-cache';
import type { KeyBudgets } from '../domain/budgets.ts';
import { unitOf, type OrderToPost } from '../orders/order.ts';
import { typeOf } from '../orders/types.ts';
import type { KeyBudgetsStore } from '../storage/keys/budgets.ts';
import type { ClientSession } from '../storage/shared/transaction.ts';

const workspacesMax = 20_000;
const keysMax = 100_000;

/** The budgets of the keys that made some orders, and what a posting by them has to take for granted. */
export interface BudgetsToPost {
  /** By key. */
  readonly budgets: ReadonlyMap<string, KeyBudgets>;
  /** See `WriteOptions`. */
  readonly versions: ReadonlyMap<string, number>;
}

/**
 * Which workspaces have keys with budgets, and which of their keys have none. One that is not known is taken to have none: if that
 * is wrong, nothing of its group is written, and it is asked for. So budgets cost those nothing who have none.
 */
export function createRememberedBudgets(keyBudgets: Pick<KeyBudgetsStore, 'find' | 'versionOf'>) {
  /** How often the budgets of a workspace's keys were changed; undefined if that has to be asked. */
  const versions = new LRUCache<string, { readonly version: number | undefined }>({ max: workspacesMax });
  /** Keys that had no budget at some version of their workspace's. */
  const without = new LRUCache<string, number>({ max: keysMax });
  return {
    /** @param session that of the posting's transaction. */
    async read(
      orders: readonly OrderToPost[],
      workspaceIds: readonly string[],
      session: ClientSession,
    ): Promise<BudgetsToPost> {
      const current = new Map<string, number>();
      for (const workspaceId of workspaceIds) {
        const remembered = versions.get(workspaceId);
        if (remembered === undefined) continue;
        const version = remembered.version ?? (await keyBudgets.versionOf(workspaceId, session));
        if (version === undefined) versions.delete(workspaceId);
        else current.set(workspaceId, version);
        if (version !== undefined) versions.set(workspaceId, { version });
      }
      if (current.size === 0) return { budgets: new Map(), versions: current };
      const asked = new Map<string, number>();
      for (const order of orders.flatMap(unitOf)) {
        const version = current.get(order.workspaceId);
        if (version === undefined || order.apiKey === undefined || typeOf(order).drawsOnBudget !== true) continue;
        if (without.get(order.apiKey) !== version) asked.set(order.apiKey, version);
      }
      const budgets =
        asked.size === 0
          ? new Map<string, KeyBudgets>()
          : await keyBudgets.find([...asked.keys()], [...current.keys()], session);
      for (const [apiKey, version] of asked)
        if ((budgets.get(apiKey)?.budgets.length ?? 0) === 0) without.set(apiKey, version);
      return { budgets, versions: current };
    },
    /** What was taken for granted of a workspace is wrong. */
    forget(workspaceId: string): void {
      versions.set(workspaceId, { version: undefined });
    },
  };
}
