import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { stepNames } from '../auth/pipeline.ts';
import { createSharedRead } from '../cache.ts';
import { stuckCountedMax } from '../storage/orders/backlog.ts';
import { lateCountedMax } from '../storage/orders/due.ts';
import { processesMax } from '../storage/processes/reports.ts';
import type { Health } from './health.ts';
import type { Overview } from './overview.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const fastSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const slowSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 90, 120, 180, 300];
/** An answer that takes longer is slow: the bound of a bucket. */
export const slowAnswerSeconds = 2.5;
const textRememberedMs = 1_000;
/** Of Node itself: what nobody has looked at. */
const neverRead = /^nodejs_(active_|heap_space_|eventloop_lag_(?!p99|max))|^process_virtual_memory_bytes$/;

/**
 * Every metric of a process, in a registry of its own. Labels take few values, all known beforehand: routes, codes,
 * steps, states; never a key, a wallet or an order.
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray()) if (neverRead.test(name)) registry.removeSingleMetric(name);
  const makers = makersIn(registry);
  const api = apiMetrics(makers);
  const webhooks = webhookMetrics(makers);
  // Set to zero, because no rate would count the first event of a label that did not exist before.
  for (const step of stepNames) api.pipelineRefusals.inc({ step }, 0);
  for (const outcome of ['delivered', 'failed'] as const) webhooks.webhookAttempts.inc({ outcome }, 0);
  const server = serverMetrics(makers);
  // A gauge without labels begins with 0, and this one is not known yet.
  server.clockOffset.remove({});
  return { registry, ...api, ...postingMetrics(makers), ...webhooks, ...server };
}

type Makers = ReturnType<typeof makersIn>;

/** Functions that make metrics in a registry, each from its name, its help text and the names of its labels. */
function makersIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    histogram: <Label extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: readonly Label[] = [],
    ) => new Histogram({ name, help, buckets, labelNames, registers }),
  };
}

function apiMetrics({ counter, histogram }: Makers) {
  return {
    requests: counter(
      'transfers_http_requests_total',
      'Answers of the API, by route, HTTP status and code of the envelope.',
      ['route', 'status', 'code'],
    ),
    requestDuration: histogram(
      'transfers_http_request_duration_seconds',
      'From the headers of a request to the end of its answer, without the time that it preferred to wait for an order.',
      fastSeconds,
      ['route'],
    ),
    pipelineRefusals: counter(
      'transfers_pipeline_refusals_total',
      'Requests that failed a step of authentication; those over a rate, or refused for a server that is away, do not count.',
      ['step'],
    ),
    commitDuration: histogram(
      'transfers_commit_duration_seconds',
      'Time until a group is durable on a majority, or has failed: creates that are recorded (accepting), or orders that are posted, with all attempts (posting).',
      fastSeconds,
      ['of'],
    ),
    ordersAccepted: counter('transfers_orders_accepted_total', 'Orders recorded for the first time.'),
  };
}

function postingMetrics({ counter, histogram }: Makers) {
  return {
    postConflicts: counter(
      'transfers_post_conflicts_total',
      'Runs of a posting transaction beyond its first: write conflicts and other transient errors.',
    ),
    postGroupFailures: counter(
      'transfers_post_group_failures_total',
      'Groups that were not posted; their jobs are tried again.',
    ),
    ordersPosted: counter(
      'transfers_orders_posted_total',
      'Orders brought to a terminal state: COMPLETED, or the name of the failure.',
      ['outcome'],
    ),
    ordersUnknownType: counter(
      'transfers_orders_unknown_type_total',
      'Orders that were left PENDING because this release does not know their type; again at each sweep.',
    ),
    orderLatency: histogram(
      'transfers_order_latency_seconds',
      'From the acceptance of an order, or the time that was asked for, to its terminal state; test workspaces left out.',
      slowSeconds,
    ),
  };
}

function webhookMetrics({ counter }: Makers) {
  return {
    webhookAttempts: counter(
      'transfers_webhook_attempts_total',
      'Webhooks that were sent, by outcome: delivered, or failed, which is tried again.',
      ['outcome'],
    ),
    webhooksSetAside: counter(
      'transfers_webhook_events_set_aside_total',
      'Events that were tried for three days in vain, at an endpoint.',
    ),
  };
}

function serverMetrics({ gauge }: Makers) {
  return {
    serverUp: gauge('transfers_server_up', 'Whether a server behind this process answers.', ['server']),
    serverPing: gauge('transfers_server_ping_seconds', 'How long a server behind this process took to answer.', [
      'server',
    ]),
    buildInfo: gauge('transfers_build_info', 'Always 1: what runs here. Process is web, worker or webhooks.', [
      'process',
      'version',
      'node',
    ]),
    certificateExpiry: gauge(
      'transfers_certificate_expiry_timestamp_seconds',
      'When the certificate of a server behind this process expires, the first of its nodes; absent without TLS.',
      ['server'],
    ),
    clockOffset: gauge(
      'transfers_clock_offset_seconds',
      "How far the clock of this process is ahead of MongoDB's, at least; negative where it is behind.",
    ),
    starting: gauge(
      'transfers_starting',
      'Whether this process still starts: it waits for a server, or for a right setting. Process is web, worker or webhooks.',
      ['process'],
    ),
  };
}

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
    help: 'Age of the oldest order that waits, outside test workspaces.',
    value: ({ backlog, at }) => backlog && secondsBetween(backlog.oldestPendingAt, at),
  },
  transfers_stuck_orders: {
    help: `Orders set aside for the operator, outside test workspaces; counted up to ${stuckCountedMax}.`,
    value: ({ backlog }) => backlog?.stuck,
  },
  transfers_due_late: {
    help: `Holds that expired more than 30 s ago and are not released, and SCHEDULED orders whose time came more than 10 s ago, outside test workspaces; each counted up to ${lateCountedMax}.`,
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
    help: 'Events that wait at endpoints, outside test workspaces.',
    value: ({ webhooks }) => webhooks?.waiting,
  },
  transfers_webhook_unattended_seconds: {
    help: 'For how long nobody came to an endpoint, outside test workspaces, the longest: a minute in order, 12 minutes where its receiver fails.',
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
    const [servers, current] = await Promise.all([health.servers(), overview?.()]);
    // A process that starts may not have asked them yet, and others have.
    for (const { name, isUp, pingMs } of health.isStarting() ? [] : servers) {
      metrics.serverUp.set({ server: name }, isUp ? 1 : 0);
      metrics.serverPing.set({ server: name }, pingMs / 1000);
    }
    if (current !== undefined) setService?.(current);
    return metrics.registry.metrics();
  }, textRememberedMs);
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
      const current = value(overview);
      // A gauge without labels that is only reset would be 0.
      if (current === undefined) gauge.remove();
      else gauge.set(current);
    }
    jobs.reset();
    for (const [state, count] of Object.entries(posting?.jobs ?? {})) jobs.set({ state }, count);
    lostProcesses.reset();
    for (const each of lost) lostProcesses.set({ process: each.kind }, each.lost.length);
  };
}
