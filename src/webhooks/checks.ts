import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import type { WebhookQueue } from '../queue/webhook-queue.ts';
import type { WebhookEndpoints } from '../storage/webhooks/endpoints.ts';
import { startSingleton, type LeaseCandidate } from '../waiting/singleton.ts';
import { idleCheckMs } from './backoff.ts';

/** Only the holder of the lease checks. */
const job = { lease: 'webhook-checks', what: 'waking webhooks that are due', everyMs: 1_000, workMaxMs: 10_000 };
const checksPerRoundMax = 200;

/**
 * Wakes the endpoints whose check is due: to try again what failed, and to find events that no job brought to a worker,
 * because Redis lost the job or the process that was to enqueue it died. One process at a time does this, by a lease.
 */
export function startWebhookChecks(
  webhookEndpoints: Pick<WebhookEndpoints, 'dueChecks' | 'deferChecks'>,
  queue: Pick<WebhookQueue, 'wakeNow'>,
  candidate: LeaseCandidate,
  clock: Clock,
  log: Logger,
) {
  const work = async (): Promise<void> => {
    const now = clock();
    const due = await webhookEndpoints.dueChecks(now, checksPerRoundMax);
    if (due.length === 0) return;
    // The run of the job sets the next check. If this job is lost too, the check is due at the time set here.
    const ids = due.map(({ id }) => id);
    await webhookEndpoints.deferChecks(ids, new Date(now.getTime() + idleCheckMs / 2));
    await queue.wakeNow(due.map(({ id, workspaceId }) => ({ endpointId: id, workspaceId })));
  };
  return startSingleton(job, candidate, work, log);
}
