import type { Logger } from '../log.ts';
import type { WebhookQueue } from '../queue/webhook-queue.ts';
import type { Collections } from '../storage/collections.ts';
import type { EndpointAfterRun, WebhookEndpoint } from '../storage/webhooks/endpoints.ts';
import type { AttemptsResult } from './attempts.ts';
import { endpointFailsMaxMs, endpointPauseMs } from './backoff.ts';
import type { RunResult } from './run.ts';

/** How often an endpoint with nothing to be sent is checked, in case a job was lost. */
export const idleCheckMs = 60_000;

/**
 * Records the result of a run of an endpoint, and when the next one is due. An endpoint that is gone, or has failed for a day
 * and still fails, is disabled: nothing is sent to it, and only a replay sends what is settled from then on. What the owner
 * changed meanwhile stays, and the next run is due at once.
 * @param now when the run ended.
 */
export type RecordRunResult = (endpoint: WebhookEndpoint, result: RunResult, now: Date) => Promise<void>;

type RunCollections = Pick<Collections, 'webhookDeliveries' | 'webhookEndpoints' | 'webhookOutbox'>;

export function createRunRecorder(
  { webhookDeliveries, webhookEndpoints, webhookOutbox }: RunCollections,
  queue: Pick<WebhookQueue, 'wake'>,
  log: Logger,
): RecordRunResult {
  return async (endpoint, result, now) => {
    const { failures, failingSince, retryAt } = failuresAfter(endpoint, result, now);
    // A run that sent nothing says nothing about the receiver.
    const isFailingTooLong = result.isFailing && isTooLong(failingSince, now);
    const disabledReason = result.isGone ? 'GONE' : isFailingTooLong ? 'FAILING' : undefined;
    if (result.delivered > 0) await webhookDeliveries.prune(endpoint);
    const [retries, entries, nextDue] = await Promise.all([
      webhookDeliveries.waitingFor(endpoint),
      webhookOutbox.waitingFor(endpoint),
      webhookDeliveries.nextDue(endpoint),
    ]);
    const { replayAt } = result;
    const mayGoOn = !result.isFailing && retryAt === null;
    const hasMore = mayGoOn && (entries.events > 0 || (replayAt !== undefined && replayAt <= now));
    const idleUntil = earliest(new Date(now.getTime() + idleCheckMs), nextDue, replayAt);
    const after: EndpointAfterRun = {
      failures,
      failingSince,
      retryAt,
      waiting: retries.events + entries.events,
      behindSince: earliest(retries.since, entries.since),
      nextCheckAt: retryAt ?? (hasMore ? now : (idleUntil ?? now)),
      disabledReason,
    };
    const recorded = await webhookEndpoints.recordRun(endpoint, after, now);
    // The endpoint was removed meanwhile, and its deliveries with it. Those that this run stored may have come after that.
    if (recorded === undefined) return webhookDeliveries.removeAll(endpoint);
    const named = { endpointId: endpoint.id, workspaceId: endpoint.workspaceId };
    if (recorded.status === 'ENABLED') {
      if (hasMore || recorded.updatedAt.getTime() !== endpoint.updatedAt.getTime()) queue.wake([named]);
    } else if (disabledReason !== undefined && recorded.disabledAt?.getTime() === now.getTime()) {
      log.warn({ ...named, reason: disabledReason, failingSince }, 'a webhook endpoint is disabled');
    }
  };
}

function failuresAfter(endpoint: WebhookEndpoint, { delivered, isFailing, retryAfterMs }: AttemptsResult, now: Date) {
  if (!isFailing && delivered === 0) {
    const { failures, failingSince } = endpoint;
    return { failures, failingSince, retryAt: null };
  }
  if (!isFailing) {
    const retryAt = retryAfterMs > 0 ? new Date(now.getTime() + retryAfterMs) : null;
    return { failures: 0, failingSince: null, retryAt };
  }
  const failures = delivered > 0 ? 1 : endpoint.failures + 1;
  const failingSince = delivered > 0 ? now : (endpoint.failingSince ?? now);
  const pauseMs = Math.max(endpointPauseMs(failures), retryAfterMs);
  return { failures, failingSince, retryAt: new Date(now.getTime() + pauseMs) };
}

function earliest(...times: readonly (Date | undefined)[]): Date | null {
  const [first] = times.filter((time) => time !== undefined).sort((a, b) => a.getTime() - b.getTime());
  return first ?? null;
}

function isTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() > endpointFailsMaxMs;
}
