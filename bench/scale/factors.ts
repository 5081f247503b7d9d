import type { PostingFactors } from '../measure/measured.ts';
import type { ServiceProcess } from '../servers/service.ts';

/** Of some workers together, since they started. */
export interface GroupSums {
  readonly groups: number;
  readonly orders: number;
  /** How long their groups took, added up. */
  readonly seconds: number;
}

/** What the workers' own metrics say of the groups that they have posted. */
export async function groupSums(workers: readonly Pick<ServiceProcess, 'opsPort'>[]): Promise<GroupSums> {
  const texts = await Promise.all(
    workers.map(async ({ opsPort }) => (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()),
  );
  const sum = (metric: string): number =>
    texts.reduce((all, text) => all + Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN), 0);
  return {
    groups: sum('transfers_post_group_orders_count'),
    orders: sum('transfers_post_group_orders_sum'),
    seconds: sum('transfers_post_group_duration_seconds_sum'),
  };
}

/**
 * What a rate is made of: slots × the share of their time that they are busy × orders a group ÷ seconds a group (Little's
 * law). So the share follows from the rate, which no edge of the window cuts, and from means of the groups that ended in it.
 * @param slots groups that may be in flight at once, of all workers together.
 */
export function factorsOf(perSecond: number, slots: number, before: GroupSums, after: GroupSums): PostingFactors {
  const groups = after.groups - before.groups;
  const ordersPerGroup = (after.orders - before.orders) / groups;
  const secondsPerGroup = (after.seconds - before.seconds) / groups;
  return {
    ordersPerGroup,
    msPerGroup: 1000 * secondsPerGroup,
    busyShare: (perSecond * secondsPerGroup) / (ordersPerGroup * slots),
  };
}
