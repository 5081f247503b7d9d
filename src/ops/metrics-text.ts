import { createSharedRead } from '../cache.ts';
import { ownReasons } from '../storage/webhooks/endpoints.ts';
import type { Health } from './health.ts';
import { createServiceMetrics, type Metrics, type ServiceMetrics } from './metrics.ts';
import type { Overview } from './overview.ts';
import { totalOf, type PartitionState } from './partitions.ts';
import type { Webhooks } from './webhooks.ts';

const rememberedMs = 1_000;

/**
 * The metrics as text, made at most once a second. Values that need a query come from the overview, which is bounded. A
 * value that it could not read keeps its last state, and `transfers_server_up` says why.
 */
export function createMetricsText(
  metrics: Metrics,
  health: Health,
  overview?: () => Promise<Overview>,
): () => Promise<string> {
  const serviceMetrics = overview === undefined ? undefined : createServiceMetrics(metrics.registry);
  return createSharedRead(async () => {
    for (const { name, isUp, pingMs } of await health.servers()) {
      metrics.serverUp.set({ server: name }, isUp ? 1 : 0);
      metrics.serverPing.set({ server: name }, pingMs / 1000);
    }
    if (overview !== undefined && serviceMetrics !== undefined) setState(serviceMetrics, await overview());
    return metrics.registry.metrics();
  }, rememberedMs);
}

function setState(metrics: ServiceMetrics, overview: Overview): void {
  const { at, backlog, backlogMax, lateHolds, lateScheduled, partitions, activity, scaling, webhooks } = overview;
  if (partitions !== undefined) setPartitions(metrics, partitions);
  metrics.backlogMax.set(backlogMax);
  if (backlog !== undefined) {
    const { pending, oldestPendingAt, stuck } = backlog;
    metrics.pendingOrders.set(pending);
    metrics.oldestPendingAge.set(oldestPendingAt === undefined ? 0 : (at.getTime() - oldestPendingAt.getTime()) / 1000);
    metrics.stuckOrders.set(stuck);
  }
  if (lateHolds !== undefined) metrics.lateHolds.set(lateHolds.count);
  if (lateScheduled !== undefined) metrics.lateScheduled.set(lateScheduled.count);
  if (activity !== undefined) metrics.workersAlive.set(activity.workersAlive);
  if (scaling !== undefined) {
    metrics.backlogSeconds.set(scaling.backlogSeconds ?? Number.POSITIVE_INFINITY);
    metrics.workersSuggested.set(scaling.suggestedWorkers);
  }
  if (webhooks !== undefined) setWebhooks(metrics, webhooks);
}

function setPartitions(metrics: ServiceMetrics, partitions: readonly PartitionState[]): void {
  for (const [state, count] of Object.entries(totalOf(partitions))) metrics.queueJobs.set({ state }, count);
  // There may have been more partitions before.
  metrics.partitionJobs.reset();
  for (const { partition, jobs } of partitions) {
    metrics.partitionJobs.set({ partition: String(partition) }, jobs.waiting + jobs.active + jobs.delayed);
  }
  metrics.partitionsPaused.set(partitions.filter(({ isPaused }) => isPaused).length);
  metrics.partitionsUnowned.set(partitions.filter(({ owners }) => owners.length === 0).length);
}

/** The number of metrics does not grow with the number of endpoints. */
export function setWebhooks(metrics: ServiceMetrics, { worst, rest, failing, disabled, unattendedMs }: Webhooks): void {
  // Other endpoints may have been the worst before.
  for (const gauge of [metrics.webhookWaiting, metrics.webhookOldestAge]) gauge.reset();
  for (const { id, waiting, oldestMs } of [...worst, { ...rest, id: 'other' }]) {
    metrics.webhookWaiting.set({ endpoint: id }, waiting);
    metrics.webhookOldestAge.set({ endpoint: id }, oldestMs / 1000);
  }
  metrics.webhookFailing.set(failing);
  for (const reason of ownReasons) {
    metrics.webhookDisabled.set({ reason }, disabled.filter(({ disabledReason }) => disabledReason === reason).length);
  }
  metrics.webhookUnattended.set(unattendedMs / 1000);
}
