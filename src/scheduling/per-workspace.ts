import pLimit from 'p-limit';
import type { Collections } from '../storage/collections.ts';

/** How many workspaces in a round, how many at once. */
const workspacesMax = 80;
const atOnceMax = 8;
/** How long a command for one workspace may take. */
export const perWorkspaceMaxMs = 500;

/**
 * Does something in all workspaces at once. On a cluster a shard that is away keeps it from that. Then it takes them one by
 * one, a bounded number a round, and skips those whose shard does not answer.
 * @param isSharded whether MongoDB is a cluster, of which one shard may be away and the others not.
 * @returns a function for a round. It throws what `doAll` throws if there is no cluster; and at the end, if workspaces were
 * not reached. `readOne` is called for several workspaces at once, `doOne` with what it found, for one after the other.
 */
export function createPerWorkspace({ idsBehind }: Pick<Collections['workspaces'], 'idsBehind'>, isSharded: boolean) {
  /** The workspace behind which the next round goes on; '' to begin anew. */
  let behind = '';

  return async <Item>(
    doAll: () => Promise<void>,
    readOne: (workspaceId: string) => Promise<Item>,
    doOne: (item: Item) => Promise<unknown>,
  ): Promise<void> => {
    try {
      await doAll();
      return;
    } catch (error) {
      if (!isSharded) throw error;
    }
    const ids = await idsBehind(behind, workspacesMax);
    behind = ids.length < workspacesMax ? '' : (ids.at(-1) ?? '');
    const read = await pLimit(atOnceMax).map(ids, (id) => readOne(id).catch(() => undefined));
    for (const item of read) if (item !== undefined) await doOne(item);
    const unreached = read.filter((item) => item === undefined).length;
    if (unreached > 0) throw new Error(`workspaces not reached, because their shard does not answer: ${unreached}`);
  };
}
