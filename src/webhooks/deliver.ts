import type { Logger } from '../log.ts';
import type { EndpointToWake } from '../queue/job-data.ts';
import type { WebhookQueue } from '../queue/webhook-queue.ts';
import type { Collections } from '../storage/collections.ts';
import type { WebhookEndpoint } from '../storage/webhooks/endpoints.ts';
import { endpointFailsMaxMs, endpointPauseMs, idleCheckMs } from './backoff.ts';
import { Run, type RunContext, type RunResult } from './run.ts';

/** Longer than the operator's command may take to find that a workspace is not empty, and to take its deletion back. */
const deletedAfterMs = 60_000;

export interface DeliveryContext extends RunContext {
  readonly collections: RunContext['collections'] & Pick<Collections, 'workspaces'>;
  readonly queue: Pick<WebhookQueue, 'wake'>;
  readonly log: Logger;
}

/**
 * Sends an endpoint the events that wait for it, until there is none, its time is up or it fails. If the process dies before
 * the outcome of an attempt is stored, the event is sent again. So each event arrives at least once, with the same id.
 * Nothing is sent for a workspace that was deleted: what waits is removed with the events of its age, and the endpoint is
 * disabled, once the deletion cannot be taken back any more (admin/workspace.ts).
 * @param signal aborts when the process stops. Requests under way then count as not sent.
 * @throws if a server is away or a secret cannot be opened. The endpoint's next check then tries again.
 */
export async function deliver(
  context: DeliveryContext,
  { workspaceId, endpointId }: EndpointToWake,
  signal: AbortSignal,
): Promise<void> {
  const { collections, clock } = context;
  const { testClocks, webhookEndpoints, workspaces } = collections;
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
  const ownClock = await testClocks.clockOf(workspaceId);
  if (retryAt !== null && retryAt > ownClock()) {
    // Nothing is sent yet. The next check is moved to when something may be.
    const checkAt = inRealTime(retryAt, ownClock(), clock());
    if (nextCheckAt > checkAt) await webhookEndpoints.checkLater(endpoint, checkAt);
    return;
  }
  await recordResult(context, endpoint, await new Run(context, endpoint, ownClock, signal).toEnd());
}

/**
 * Records the result of a run of an endpoint, and when the next one is due. An endpoint that is gone, or has failed for a day
 * and still fails, is disabled: nothing is sent to it, and only a replay sends what is settled from then on. What the owner
 * changed meanwhile stays, and the next run is due at once.
 */
async function recordResult(
  { collections, queue, log, clock }: DeliveryContext,
  endpoint: WebhookEndpoint,
  result: RunResult,
): Promise<void> {
  const { testClocks, webhookDeliveries, webhookEndpoints, webhookOutbox } = collections;
  const [realNow, now] = [clock(), (await testClocks.clockOf(endpoint.workspaceId))()];
  const { failures, failingSince, retryAt } = failuresAfter(endpoint, result);
  // A run that sent nothing says nothing about the receiver.
  const isFailingTooLong = result.isFailing && isTooLong(failingSince, result.at);
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
  const idleUntil = earliest(new Date(now.getTime() + idleCheckMs), nextDue, replayAt) ?? now;
  const after = {
    failures,
    failingSince,
    retryAt,
    waiting: retries.events + entries.events,
    behindSince: earliest(retries.since, entries.since),
    nextCheckAt: inRealTime(retryAt ?? (hasMore ? now : idleUntil), now, realNow),
    disabledReason,
  } as const;
  const recorded = await webhookEndpoints.recordRun(endpoint, after, realNow);
  // The endpoint was removed meanwhile, and its deliveries with it. Those that this run stored may have come after that.
  if (recorded === undefined) return webhookDeliveries.removeAll(endpoint);
  const named = { endpointId: endpoint.id, workspaceId: endpoint.workspaceId };
  if (recorded.status === 'ENABLED') {
    if (hasMore || recorded.updatedAt.getTime() !== endpoint.updatedAt.getTime()) queue.wake([named]);
  } else if (disabledReason !== undefined && recorded.disabledAt?.getTime() === realNow.getTime()) {
    log.warn({ ...named, reason: disabledReason, failingSince }, 'a webhook endpoint is disabled');
  }
}

function failuresAfter(endpoint: WebhookEndpoint, { delivered, isFailing, retryAfterMs, at: now }: RunResult) {
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

/** When a time of a workspace's clock will come, unless that is put forward. */
function inRealTime(time: Date, now: Date, realNow: Date): Date {
  return new Date(realNow.getTime() + time.getTime() - now.getTime());
}

function earliest(...times: readonly (Date | undefined)[]): Date | null {
  const [first] = times.filter((time) => time !== undefined).sort((a, b) => a.getTime() - b.getTime());
  return first ?? null;
}

function isTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() > endpointFailsMaxMs;
}
