import type { Clock } from '../clock.ts';
import type { EndpointToWake } from '../queue/webhook-queue.ts';
import type { WebhookEndpoints } from '../storage/webhooks/endpoints.ts';
import type { StartAttempts } from './attempts.ts';
import type { RecordRunResult } from './run-result.ts';
import type { Run } from './run.ts';

/**
 * Sends an endpoint the events that wait for it, until there is none, its time is up or it fails. If the process dies before
 * the outcome of an attempt is stored, the event is sent again. So each event arrives at least once, with the same id.
 * @param signal aborts when the process stops. Requests under way then count as not sent.
 * @throws if a server is away or a secret cannot be opened. The endpoint's next check then tries again.
 */
export type Deliver = (endpoint: EndpointToWake, signal: AbortSignal) => Promise<void>;

export function createDeliver(
  webhookEndpoints: Pick<WebhookEndpoints, 'find' | 'checkAtRetry'>,
  startAttempts: StartAttempts,
  run: Run,
  recordRunResult: RecordRunResult,
  clock: Clock,
): Deliver {
  return async ({ workspaceId, endpointId }, signal) => {
    const endpoint = await webhookEndpoints.find(workspaceId, endpointId);
    if (endpoint?.status !== 'ENABLED') return;
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
