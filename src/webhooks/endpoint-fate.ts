import type { WebhookEndpoint } from '../storage/webhook-endpoints.ts';
import { endpointFailsMaxMs, endpointPauseMs } from './backoff.ts';
import type { DeliveryTools } from './deliver.ts';

/** The result of a run of an endpoint. */
export interface Fate {
  readonly delivered: number;
  readonly isFailing: boolean;
  /** Its receiver answered 410: gone for good. */
  readonly isGone: boolean;
  /** How long it asks not to be sent anything; 0 if it does not, or has taken an event since. */
  readonly retryAfterMs: number;
}

/** How often an endpoint with nothing to be sent is looked at, in case a job was lost. */
export const idleCheckMs = 60_000;

/**
 * Records an endpoint's state after a run, and when it is to be looked at again. One that is gone, or has failed for a day
 * and still fails, is disabled: nothing is sent to it, and only a replay sends what is settled from then on. If its owner
 * changed it since it was read, the result may no longer hold. Then nothing is recorded, and it is looked at once more.
 */
export async function noteFate(tools: DeliveryTools, endpoint: WebhookEndpoint, fate: Fate): Promise<void> {
  const { webhookDeliveries, webhookEndpoints, webhookOutbox } = tools.collections;
  const now = new Date();
  const state = failuresOf(endpoint, fate, now);
  // A run that sent nothing says nothing about the receiver.
  const isFailingTooLong = fate.isFailing && isTooLong(state.failingSince, now);
  const reason = fate.isGone ? 'GONE' : isFailingTooLong ? 'FAILING' : undefined;
  if (fate.delivered > 0) await webhookDeliveries.prune(endpoint);
  const [retries, entries, nextDue] = await Promise.all([
    webhookDeliveries.waitingFor(endpoint),
    webhookOutbox.waitingFor(endpoint),
    webhookDeliveries.nextDue(endpoint),
  ]);
  const waiting = retries.events + entries.events;
  // If the replay has ended meanwhile, this causes one needless check.
  const mayHaveMore = !fate.isFailing && (entries.events > 0 || endpoint.replay !== null);
  const idleUntil = Math.min(now.getTime() + idleCheckMs, nextDue?.getTime() ?? Infinity);
  const noted = await webhookEndpoints.note(endpoint, {
    ...state,
    nextCheckAt: state.retryAt ?? new Date(mayHaveMore ? now : idleUntil),
    waiting,
    behindSince: earliest(retries.since, entries.since),
    ...(reason === undefined ? {} : { status: 'DISABLED', disabledReason: reason, disabledAt: now }),
  });
  const named = { endpointId: endpoint.id, workspaceId: endpoint.workspaceId };
  if (noted === undefined) {
    const changed = await webhookEndpoints.find(endpoint.workspaceId, endpoint.id);
    // The endpoint was removed meanwhile, and its deliveries with it. Those that this run noted may have come after that.
    if (changed === undefined) await webhookDeliveries.removeAll(endpoint);
    else if (changed.status === 'ENABLED') tools.queue.wake([named]);
    return;
  }
  if (reason !== undefined) {
    tools.log.warn({ ...named, reason, failingSince: state.failingSince }, 'a webhook endpoint is disabled');
    tools.observe?.endpointDisabled(reason);
  } else if (mayHaveMore && (entries.events > 0 || noted.replay !== null)) tools.queue.wake([named]);
}

function failuresOf(endpoint: WebhookEndpoint, { delivered, isFailing, retryAfterMs }: Fate, now: Date) {
  if (!isFailing && delivered === 0) {
    const { failures, failingSince } = endpoint;
    return { failures, failingSince, retryAt: null };
  }
  if (!isFailing) return { failures: 0, failingSince: null, retryAt: null };
  const failures = delivered > 0 ? 1 : endpoint.failures + 1;
  const failingSince = delivered > 0 ? now : (endpoint.failingSince ?? now);
  const pauseMs = endpointPauseMs(failures, { atLeastMs: retryAfterMs });
  return { failures, failingSince, retryAt: new Date(now.getTime() + pauseMs) };
}

function earliest(...times: readonly (Date | undefined)[]): Date | null {
  const [first] = times.filter((time) => time !== undefined).sort((a, b) => a.getTime() - b.getTime());
  return first ?? null;
}

function isTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() > endpointFailsMaxMs;
}
