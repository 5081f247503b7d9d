import { Gauge, type Registry } from 'prom-client';
import { createSharedRead } from '../cache.ts';
import { stuckCountedMax } from '../storage/orders/backlog.ts';
import { lateCountedMax } from '../storage/orders/due.ts';
import { processesMax } from '../storage/processes/reports.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';
import type { Overview } from './overview.ts';

const rememberedMs = 1_000;

/**
 * Gauges of the whole service: the help text, and the value in an overview. They are only for the processes that know it: from any
 * other one a zero would say, for example, that no worker is alive. A value that was not read is undefined, and the gauge absent.
 */
export const serviceGauges = {
  transfers_posting_paused: {
    help: 'Whether an operator paused posting.',
    value: ({ posting }) => posting && Number(posting.isPaused),
  },
  transfers_pending_orders: {
    help: 'Orders that wait for a worker; counted up to BACKLOG_MAX, of a workspace up to BACKLOG_MAX_WORKSPACE and one.',
    value: ({ backlog }) => backlog?.pending,
  },
  transfers_oldest_pending_age_seconds: {
    help: 'Age of the oldest order that waits.',
    value: ({ backlog, at }) => backlog && secondsBetween(backlog.oldestPendingAt, at),
  },
  transfers_stuck_orders: {
    help: `Orders set aside for the operator; counted up to ${stuckCountedMax}.`,
    value: ({ backlog }) => backlog?.stuck,
  },
  transfers_due_late: {
    help: `Holds that expired more than 30 s ago and are not released, and SCHEDULED orders whose time came more than 10 s ago; each counted up to ${lateCountedMax}.`,
    value: ({ late }) => late && late.holds.count + late.scheduled.count,
  },
  transfers_workers_alive: {
    help: 'Worker processes that said so in the last three seconds, without those that are paused.',
    value: ({ activity }) => activity?.workersAlive,
  },
  transfers_workers_suggested: {
    help: 'How many workers the load asks for, within its limits.',
    value: ({ scaling }) => scaling?.suggestedWorkers,
  },
  transfers_webhook_events_waiting: {
    help: 'Events that wait at endpoints.',
    value: ({ webhooks }) => webhooks?.waiting,
  },
  transfers_webhook_unattended_seconds: {
    help: 'For how long nobody came to an endpoint, the longest: a minute in order, 12 minutes where its receiver fails.',
    value: ({ webhooks }) => webhooks && webhooks.unattendedMs / 1_000,
  },
} as const satisfies Record<string, { help: string; value: (overview: Overview) => number | undefined }>;

export type ServiceGauge = keyof typeof serviceGauges;

export function secondsBetween(earlier: Date | undefined, later: Date): number {
  return earlier === undefined ? 0 : (later.getTime() - earlier.getTime()) / 1_000;
}

/**
 * The metrics as text, made at most once a second. Values that need a query come from the overview, which is bounded. One that
 * it could not read is absent, because an old one would hide what has become of it; `transfers_server_up` says why.
 */
export function createMetricsText(
  metrics: Metrics,
  health: Health,
  overview?: () => Promise<Overview>,
): () => Promise<string> {
  const setService = overview === undefined ? undefined : addServiceMetrics(metrics.registry);
  return createSharedRead(async () => {
    // At the same time, so that a server that hangs keeps a scrape no longer than one look at it.
    const [servers, known] = await Promise.all([health.servers(), overview?.()]);
    // A process that starts may not have asked them yet, and others have.
    for (const { name, isUp, pingMs } of health.isStarting() ? [] : servers) {
      metrics.serverUp.set({ server: name }, isUp ? 1 : 0);
      metrics.serverPing.set({ server: name }, pingMs / 1000);
    }
    if (known !== undefined) setService?.(known);
    return metrics.registry.metrics();
  }, rememberedMs);
}

/** @returns what sets them; nothing of an earlier overview is left. */
export function addServiceMetrics(registry: Registry): (overview: Overview) => void {
  const registers = [registry];
  const gauges = Object.entries(serviceGauges).map(([name, { help, value }]) => ({
    gauge: new Gauge({ name, help, registers }),
    value,
  }));
  const [jobs, lostProcesses] = [
    new Gauge({
      name: 'transfers_queue_jobs',
      help: 'Jobs of posting, by state.',
      labelNames: ['state'],
      registers,
    }),
    new Gauge({
      name: 'transfers_processes_lost',
      help: `Processes that fell silent in the last half hour without having stopped, none once the last is ten minutes ago; counted up to ${processesMax}.`,
      labelNames: ['process'],
      registers,
    }),
  ];
  return (overview) => {
    const { lost = [], posting } = overview;
    for (const { gauge, value } of gauges) {
      const known = value(overview);
      // A gauge without labels that is only reset would be 0.
      if (known === undefined) gauge.remove();
      else gauge.set(known);
    }
    jobs.reset();
    for (const [state, count] of Object.entries(posting?.jobs ?? {})) jobs.set({ state }, count);
    lostProcesses.reset();
    for (const each of lost) lostProcesses.set({ process: each.kind }, each.lost.length);
  };
}
