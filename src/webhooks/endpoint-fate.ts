import type { RunResult, WebhookEndpoint } from '../storage/webhooks/endpoints.ts';
import { endpointFailsMaxMs, endpointPauseMs } from './backoff.ts';
import type { DeliveryTools } from './deliver.ts';

/** What the attempts of a run say about an endpoint. */
export interface Fate {
  readonly delivered: number;
  readonly isFailing: boolean;
  /** Its receiver answered 410: gone for good. */
  readonly isGone: boolean;
  /** How long it asks not to be sent anything; 0 if it does not. */
  readonly retryAfterMs: number;
}

/** The result of a run of an endpoint. */
export interface RunFate extends Fate {
  /** When its replay goes on; undefined if there is none. */
  readonly replayAt: Date | undefined;
}

/** How often an endpoint with nothing to be sent is looked at, in case a job was lost. */
export const idleCheckMs = 60_000;

/**
 * Records what a run of an endpoint found, and when it is to be looked at again. One that is gone, or has failed for a day
 * and still fails, is disabled: nothing is sent to it, and only a replay sends what is settled from then on. What the owner
 * changed meanwhile stays, and is looked at at once.
 */
export async function noteFate(tools: DeliveryTools, endpoint: WebhookEndpoint, fate: RunFate): Promise<void> {
  const { webhookDeliveries, webhookEndpoints, webhookOutbox } = tools.collections;
  const now = tools.clock();
  const state = failuresOf(endpoint, fate, now);
  // A run that sent nothing says nothing about the receiver.
  const isFailingTooLong = fate.isFailing && isTooLong(state.failingSince, now);
  const disabledReason = fate.isGone ? 'GONE' : isFailingTooLong ? 'FAILING' : undefined;
  if (fate.delivered > 0) await webhookDeliveries.prune(endpoint);
  const [retries, entries, nextDue] = await Promise.all([
    webhookDeliveries.waitingFor(endpoint),
    webhookOutbox.waitingFor(endpoint),
    webhookDeliveries.nextDue(endpoint),
  ]);
  const { replayAt } = fate;
  const mayGoOn = !fate.isFailing && state.retryAt === null;
  const hasMore = mayGoOn && (entries.events > 0 || (replayAt !== undefined && replayAt <= now));
  const idleUntil = earliest(new Date(now.getTime() + idleCheckMs), nextDue, replayAt);
  const run: RunResult = {
    ...{ ...state, waiting: retries.events + entries.events, behindSince: earliest(retries.since, entries.since) },
    ...{ nextCheckAt: state.retryAt ?? (hasMore ? now : (idleUntil ?? now)), disabledReason },
  };
  const noted = await webhookEndpoints.noteRun(endpoint, run, now);
  // The endpoint was removed meanwhile, and its deliveries with it. Those that this run noted may have come after that.
  if (noted === undefined) return webhookDeliveries.removeAll(endpoint);
  const named = { endpointId: endpoint.id, workspaceId: endpoint.workspaceId };
  if (noted.status === 'ENABLED') {
    if (hasMore || noted.updatedAt.getTime() !== endpoint.updatedAt.getTime()) tools.queue.wake([named]);
  } else if (disabledReason !== undefined && noted.disabledAt?.getTime() === now.getTime()) {
    tools.log.warn(
      { ...named, reason: disabledReason, failingSince: state.failingSince },
      'a webhook endpoint is disabled',
    );
    tools.observe?.endpointDisabled(disabledReason);
  }
}

function failuresOf(endpoint: WebhookEndpoint, { delivered, isFailing, retryAfterMs }: Fate, now: Date) {
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
