import { behindReadMax, type WebhookBacklog } from '../storage/webhooks/backlog.ts';
import type { ProcessReport } from '../storage/processes/reports.ts';

/** The state of the sending of webhooks: all endpoints together, and the one that is behind for the longest. */
export function webhooksOf(
  { behind, disabled, lookedAt }: WebhookBacklog,
  processes: readonly Pick<ProcessReport, 'sentPerSecond' | 'deliveredPerSecond'>[],
  at: Date,
) {
  const ageMs = (since: Date | undefined): number =>
    since === undefined ? 0 : Math.max(0, at.getTime() - since.getTime());
  const [worst] = behind;
  return {
    sentPerSecond: processes.reduce((sum, { sentPerSecond }) => sum + sentPerSecond, 0),
    deliveredPerSecond: processes.reduce((sum, { deliveredPerSecond }) => sum + deliveredPerSecond, 0),
    worst: worst && { id: worst.id, workspaceId: worst.workspaceId, oldestMs: ageMs(worst.behindSince) },
    waiting: behind.reduce((sum, { waiting }) => sum + waiting, 0),
    /** Whether more endpoints may be behind than were read. */
    isLowerBound: behind.length === behindReadMax,
    failing: behind.filter(({ failures }) => failures > 0).length,
    disabled,
    /** The longest time for which no worker came to an endpoint that is enabled. */
    unattendedMs: ageMs(lookedAt),
  };
}
