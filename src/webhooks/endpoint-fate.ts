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
 * Notes how an endpoint fares, and when it is to be looked at again. One that is gone, or has failed for a day, is disabled:
 * then nothing is sent, and what is settled from then on comes by a replay alone.
 */
export async function noteFate(tools: DeliveryTools, endpoint: WebhookEndpoint, fate: Fate): Promise<void> {
  const { webhookDeliveries, webhookEndpoints, webhookOutbox } = tools.collections;
  const now = new Date();
  const state = failuresOf(endpoint, fate, now);
  const reason = fate.isGone ? 'GONE' : isTooLong(state.failingSince, now) ? 'FAILING' : undefined;
  if (fate.delivered > 0) await webhookDeliveries.prune(endpoint);
  const [retries, entries, nextDue] = await Promise.all([
    webhookDeliveries.waitingFor(endpoint),
    webhookOutbox.waitingFor(endpoint.workspaceId, endpoint.id),
    webhookDeliveries.nextDue(endpoint),
  ]);
  const waiting = retries.events + entries.events;
  const isBusy = !fate.isFailing && entries.events > 0;
  const idleUntil = Math.min(now.getTime() + idleCheckMs, nextDue?.getTime() ?? Infinity);
  const noted = await webhookEndpoints.note(endpoint, {
    ...state,
    nextCheckAt: state.retryAt ?? new Date(isBusy ? now : idleUntil),
    waiting,
    behindSince: earliest(retries.since, entries.since),
    ...(reason === undefined ? {} : { status: 'DISABLED', disabledReason: reason, disabledAt: now }),
  });
  if (noted === undefined) {
    // What was noted of one that was removed meanwhile came after the rest was forgotten.
    if (!(await webhookEndpoints.find(endpoint.workspaceId, endpoint.id))) await webhookDeliveries.removeAll(endpoint);
    return;
  }
  const named = { endpointId: endpoint.id, workspaceId: endpoint.workspaceId };
  if (reason !== undefined) {
    tools.log.warn({ ...named, reason, failingSince: state.failingSince }, 'a webhook endpoint is disabled');
    tools.observe?.endpointDisabled(reason);
  } else if (isBusy || (noted.replay !== null && !fate.isFailing)) tools.queue.wake([named]);
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
