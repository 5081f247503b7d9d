import { behindReadMax, type WebhookBacklog } from '../storage/webhooks/backlog.ts';
import type { ProcessReport } from '../storage/processes/reports.ts';

/** The state of the sending of webhooks. */
export type Webhooks = ReturnType<typeof webhooksOf>;

/** How many endpoints are named in metrics, one by one. */
const worstMax = 10;

/** The endpoints that are behind for the longest one by one, and the rest together. */
export function webhooksOf(
  { behind, disabled, lookedAt }: WebhookBacklog,
  processes: readonly Pick<ProcessReport, 'sentPerSecond' | 'deliveredPerSecond'>[],
  at: Date,
) {
  const ageMs = (since: Date | undefined): number =>
    since === undefined ? 0 : Math.max(0, at.getTime() - since.getTime());
  const others = behind.slice(worstMax);
  return {
    sentPerSecond: processes.reduce((sum, { sentPerSecond }) => sum + sentPerSecond, 0),
    deliveredPerSecond: processes.reduce((sum, { deliveredPerSecond }) => sum + deliveredPerSecond, 0),
    worst: behind
      .slice(0, worstMax)
      .map(({ id, workspaceId, waiting, behindSince }) => ({ id, workspaceId, waiting, oldestMs: ageMs(behindSince) })),
    waitingAtOthers: others.reduce((sum, { waiting }) => sum + waiting, 0),
    /** Whether more endpoints may be behind than were read. */
    isLowerBound: behind.length === behindReadMax,
    failing: behind.filter(({ failures }) => failures > 0).length,
    disabled: disabled.length,
    /** The longest time for which no worker came to an endpoint that is enabled. */
    unattendedMs: ageMs(lookedAt),
  };
}
