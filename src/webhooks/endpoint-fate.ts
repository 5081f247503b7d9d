import type { WebhookEndpoint } from '../storage/webhook-endpoints.ts';
import { endpointFailsMaxMs, endpointPauseMs } from './backoff.ts';
import type { DeliveryTools } from './deliver.ts';

/** What came of sending to an endpoint. */
export interface Fate {
  readonly delivered: number;
  readonly isFailing: boolean;
  /** It answered that it is gone for good. */
  readonly isGone: boolean;
}

/** Endpoints that have nothing to be sent are looked at so often, for the case that a job was lost. */
export const idleCheckMs = 60_000;

/**
 * Notes how an endpoint fares, and when it is to be looked at again. One that is gone, or fails and has failed for a day, is
 * disabled: then nothing is sent, and what is settled from then on comes by a replay alone. Where its owner changed it since it
 * was read, what was found then is no longer true of it: nothing is noted, and it is looked at once more.
 */
export async function noteFate(tools: DeliveryTools, endpoint: WebhookEndpoint, fate: Fate): Promise<void> {
  const { webhookDeliveries, webhookEndpoints, webhookOutbox } = tools.collections;
  const now = new Date();
  const state = failuresOf(endpoint, fate, now);
  // A look that sends nothing says nothing of its receiver.
  const isFailingTooLong = fate.isFailing && isTooLong(state.failingSince, now);
  const reason = fate.isGone ? 'GONE' : isFailingTooLong ? 'FAILING' : undefined;
  if (fate.delivered > 0) await webhookDeliveries.prune(endpoint);
  const [retries, entries, nextDue] = await Promise.all([
    webhookDeliveries.waitingFor(endpoint),
    webhookOutbox.waitingFor(endpoint.workspaceId, endpoint.id),
    webhookDeliveries.nextDue(endpoint),
  ]);
  const waiting = retries.events + entries.events;
  // Of a replay that has ended meanwhile, one look too many.
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
    // What was noted of one that was removed meanwhile came after the rest was forgotten.
    if (changed === undefined) await webhookDeliveries.removeAll(endpoint);
    else if (changed.status === 'ENABLED') tools.queue.wake([named]);
    return;
  }
  if (reason !== undefined) {
    tools.log.warn({ ...named, reason, failingSince: state.failingSince }, 'a webhook endpoint is disabled');
    tools.observe?.endpointDisabled(reason);
  } else if (mayHaveMore && (entries.events > 0 || noted.replay !== null)) tools.queue.wake([named]);
}

function failuresOf(endpoint: WebhookEndpoint, { delivered, isFailing }: Fate, now: Date) {
  if (!isFailing && delivered === 0) {
    const { failures, failingSince } = endpoint;
    return { failures, failingSince, retryAt: null };
  }
  if (!isFailing) return { failures: 0, failingSince: null, retryAt: null };
  const failures = delivered > 0 ? 1 : endpoint.failures + 1;
  const failingSince = delivered > 0 ? now : (endpoint.failingSince ?? now);
  return { failures, failingSince, retryAt: new Date(now.getTime() + endpointPauseMs(failures)) };
}

function earliest(...times: readonly (Date | undefined)[]): Date | null {
  const [first] = times.filter((time) => time !== undefined).sort((a, b) => a.getTime() - b.getTime());
  return first ?? null;
}

function isTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() > endpointFailsMaxMs;
}
