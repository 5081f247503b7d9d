import { createSharedRead } from '../cache.ts';
import type { Health } from './health.ts';
import { createServiceMetrics, type Metrics, type ServiceMetrics } from './metrics.ts';
import type { Overview } from './overview.ts';

const rememberedMs = 1_000;

/**
 * The metrics as text, made at most once a second. Values that need a query come from the overview, which is bounded. One that
 * it could not read is absent, because an old one would hide what has become of it; `transfers_server_up` says why.
 */
export function createMetricsText(
  metrics: Metrics,
  health: Health,
  overview?: () => Promise<Overview>,
): () => Promise<string> {
  const serviceMetrics = overview === undefined ? undefined : createServiceMetrics(metrics.registry);
  return createSharedRead(async () => {
    // At the same time, so that a server that hangs keeps a scrape no longer than one look at it.
    const [servers, known] = await Promise.all([health.servers(), overview?.()]);
    // A process that starts may not have asked them yet, and others have.
    for (const { name, isUp, pingMs } of health.isStarting() ? [] : servers) {
      metrics.serverUp.set({ server: name }, isUp ? 1 : 0);
      metrics.serverPing.set({ server: name }, pingMs / 1000);
    }
    if (known !== undefined && serviceMetrics !== undefined) setState(serviceMetrics, known);
    return metrics.registry.metrics();
  }, rememberedMs);
}

/** Nothing of an earlier overview is left. */
export function setState(metrics: ServiceMetrics, overview: Overview): void {
  const { at, backlog, late, posting, activity, lost, scaling, webhooks } = overview;
  forget(metrics);
  if (posting !== undefined) {
    for (const [state, count] of Object.entries(posting.jobs)) metrics.queueJobs.set({ state }, count);
    metrics.postingPaused.set(posting.isPaused ? 1 : 0);
  }
  if (backlog !== undefined) {
    const { pending, oldestPendingAt, stuck } = backlog;
    metrics.pendingOrders.set(pending);
    metrics.oldestPendingAge.set(oldestPendingAt === undefined ? 0 : (at.getTime() - oldestPendingAt.getTime()) / 1000);
    metrics.stuckOrders.set(stuck);
  }
  if (late !== undefined) metrics.dueLate.set(late.holds.count + late.scheduled.count);
  if (activity !== undefined) metrics.workersAlive.set(activity.workersAlive);
  for (const each of lost ?? []) metrics.processesLost.set({ process: each.kind }, each.lost.length);
  if (scaling !== undefined) metrics.workersSuggested.set(scaling.suggestedWorkers);
  if (webhooks !== undefined) {
    metrics.webhookWaiting.set(webhooks.waiting);
    metrics.webhookUnattended.set(webhooks.unattendedMs / 1000);
  }
}

function forget(metrics: ServiceMetrics): void {
  for (const gauge of Object.values(metrics)) {
    gauge.reset();
    // One without labels is now 0, which would be a value.
    gauge.remove({});
  }
}
