import type { Clock } from '../clock.ts';
import type { EndpointToWake } from '../queue/job-data.ts';
import type { Collections } from '../storage/collections.ts';
import type { StartAttempts } from './attempts.ts';
import type { RecordRunResult } from './run-result.ts';
import type { Run } from './run.ts';

/**
 * Sends an endpoint the events that wait for it, until there is none, its time is up or it fails. If the process dies before
 * the outcome of an attempt is stored, the event is sent again. So each event arrives at least once, with the same id.
 * Nothing is sent for a workspace that was deleted: what waits is removed with the events of its age, and the endpoint is
 * disabled, once the deletion cannot be taken back any more (admin/workspace.ts).
 * @param signal aborts when the process stops. Requests under way then count as not sent.
 * @throws if a server is away or a secret cannot be opened. The endpoint's next check then tries again.
 */
export type Deliver = (endpoint: EndpointToWake, signal: AbortSignal) => Promise<void>;

/** Longer than the operator's command may take to find that a workspace is not empty, and to take its deletion back. */
const deletedAfterMs = 60_000;

export function createDeliver(
  { webhookEndpoints, workspaces }: Pick<Collections, 'webhookEndpoints' | 'workspaces'>,
  startAttempts: StartAttempts,
  run: Run,
  recordRunResult: RecordRunResult,
  clock: Clock,
): Deliver {
  return async ({ workspaceId, endpointId }, signal) => {
    const endpoint = await webhookEndpoints.find(workspaceId, endpointId);
    if (endpoint?.status !== 'ENABLED') return;
    const deletedAt = (await workspaces.findAny(workspaceId))?.deletedAt ?? null;
    if (deletedAt !== null) {
      const now = clock();
      const disabled = { status: 'DISABLED', disabledReason: 'REQUESTED', disabledAt: now } as const;
      if (now.getTime() - deletedAt.getTime() > deletedAfterMs) await webhookEndpoints.change(endpoint, disabled);
      return;
    }
    const { retryAt, nextCheckAt } = endpoint;
    if (retryAt !== null && retryAt > clock()) {
      // Nothing is sent yet. The next check is moved to when something may be.
      if (nextCheckAt > retryAt) await webhookEndpoints.checkAtRetry(endpoint);
      return;
    }
    const result = await run(endpoint, startAttempts(endpoint, signal));
    await recordRunResult(endpoint, result, clock());
  };
}
