import type { Stage } from '../servers/stage.ts';
import type { GroupFigures } from './measured.ts';

interface PostedRow {
  readonly updatedAt: Date;
  readonly postedBy?: { readonly worker: string; readonly attempts: number };
}

/**
 * Sizes and conflicts of the posting groups, from what each order says of its posting: orders of one group have one
 * worker and one moment. (Two groups of one worker within a millisecond would count as one.)
 * @param afterId orders up to this id were there before the measurement.
 */
export async function groupFigures(stage: Stage, afterId: string): Promise<GroupFigures | undefined> {
  const rows = stage.world.db
    .collection<PostedRow & { _id: string }>('orders')
    .find({ _id: { $gt: afterId } }, { projection: { updatedAt: 1, postedBy: 1 } });
  const groups = new Map<string, { size: number; attempts: number }>();
  let orders = 0;
  for await (const { updatedAt, postedBy } of rows) {
    if (postedBy === undefined) continue;
    orders += 1;
    const name = `${postedBy.worker} ${updatedAt.getTime()}`;
    const group = groups.get(name) ?? { size: 0, attempts: postedBy.attempts };
    group.size += 1;
    groups.set(name, group);
  }
  if (groups.size === 0) return undefined;
  const all = [...groups.values()];
  const attempts = all.reduce((sum, group) => sum + group.attempts, 0);
  return {
    meanSize: orders / all.length,
    maxSize: Math.max(...all.map(({ size }) => size)),
    conflictsPerGroup: (attempts - all.length) / all.length,
    roundTripsPerOrder: (attempts * stage.world.commandsPerGroup) / orders,
  };
}
