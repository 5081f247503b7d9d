import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { stepNames } from '../auth/pipeline.ts';
import { stuckCountedMax } from '../storage/backlog.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const fastSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const slowSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 90, 120, 180, 300];
const groupSizes = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * Every metric of a process, in a registry of its own. Labels take few values, all known beforehand: routes, codes,
 * steps, states; never a key, a wallet or an order.
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const api = apiMetrics([registry]);
  // From zero on: the first of a label would have nothing before it, and no rate would count it.
  for (const step of stepNames) api.pipelineRefusals.inc({ step }, 0);
  return { registry, ...api, ...postingMetrics([registry]), ...serverMetrics([registry]) };
}

function apiMetrics(registers: Registry[]) {
  return {
    requests: new Counter({
      name: 'transfers_http_requests_total',
      help: 'Answers of the API, by route, HTTP status and code of the envelope.',
      labelNames: ['route', 'status', 'code'] as const,
      registers,
    }),
    requestDuration: new Histogram({
      name: 'transfers_http_request_duration_seconds',
      help: 'From the headers of a request to the end of its answer.',
      labelNames: ['route'] as const,
      buckets: fastSeconds,
      registers,
    }),
    pipelineRefusals: new Counter({
      name: 'transfers_pipeline_refusals_total',
      help: 'Requests refused by a step of the authentication pipeline.',
      labelNames: ['step'] as const,
      registers,
    }),
    acceptGroupOrders: new Histogram({
      name: 'transfers_accept_group_orders',
      help: 'Creates recorded by one command.',
      buckets: groupSizes,
      registers,
    }),
    acceptGroupDuration: new Histogram({
      name: 'transfers_accept_group_duration_seconds',
      help: 'Time to record a group of creates, durable on a majority.',
      buckets: fastSeconds,
      registers,
    }),
    ordersAccepted: new Counter({
      name: 'transfers_orders_accepted_total',
      help: 'Orders recorded for the first time.',
      registers,
    }),
    enqueueFailures: new Counter({
      name: 'transfers_enqueue_failures_total',
      help: 'Groups recorded but not enqueued; the sweeper finds them.',
      registers,
    }),
    opsDenied: new Counter({
      name: 'transfers_ops_denied_total',
      help: 'Requests to the operations port without the right token.',
      registers,
    }),
  };
}

function postingMetrics(registers: Registry[]) {
  return {
    postGroupOrders: new Histogram({
      name: 'transfers_post_group_orders',
      help: 'Orders posted by one transaction.',
      buckets: groupSizes,
      registers,
    }),
    postGroupDuration: new Histogram({
      name: 'transfers_post_group_duration_seconds',
      help: 'Time to post a group, all its attempts together.',
      buckets: fastSeconds,
      registers,
    }),
    postConflicts: new Counter({
      name: 'transfers_post_conflicts_total',
      help: 'Runs of a posting transaction beyond its first: write conflicts and other transient errors.',
      registers,
    }),
    postGroupFailures: new Counter({
      name: 'transfers_post_group_failures_total',
      help: 'Groups that were not posted; their jobs are tried again.',
      registers,
    }),
    ordersPosted: new Counter({
      name: 'transfers_orders_posted_total',
      help: 'Orders brought to a terminal state: COMPLETED, or the name of the failure.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    ordersSetAside: new Counter({
      name: 'transfers_orders_set_aside_total',
      help: 'Orders set aside for the operator because they failed too often for a reason of their own.',
      registers,
    }),
    orderLatency: new Histogram({
      name: 'transfers_order_latency_seconds',
      help: 'From the acceptance of an order to its terminal state.',
      buckets: slowSeconds,
      registers,
    }),
  };
}

function serverMetrics(registers: Registry[]) {
  return {
    serverUp: new Gauge({
      name: 'transfers_server_up',
      help: 'Whether a server behind this process answers.',
      labelNames: ['server'] as const,
      registers,
    }),
    serverPing: new Gauge({
      name: 'transfers_server_ping_seconds',
      help: 'How long a server behind this process took to answer.',
      labelNames: ['server'] as const,
      registers,
    }),
    buildInfo: new Gauge({
      name: 'transfers_build_info',
      help: 'Always 1: what runs here. Process is web or worker.',
      labelNames: ['process', 'version', 'node'] as const,
      registers,
    }),
    certificateExpiry: new Gauge({
      name: 'transfers_certificate_expiry_timestamp_seconds',
      help: 'When the certificate of a server behind this process expires, the first of its nodes; absent without TLS.',
      labelNames: ['server'] as const,
      registers,
    }),
    settingRight: new Gauge({
      name: 'transfers_setting_right',
      help: 'Whether a setting fits what is in the database, of those that this process checks.',
      labelNames: ['setting'] as const,
      registers,
    }),
    clockOffset: new Gauge({
      name: 'transfers_clock_offset_seconds',
      help: "How far the clock of this process is ahead of MongoDB's, at least; negative where it is behind.",
      registers,
    }),
  };
}

export type ServiceMetrics = ReturnType<typeof createServiceMetrics>;

/**
 * What is the same whichever process is asked, for the processes that know it: from any other, a zero would say that
 * no worker is alive.
 */
export function createServiceMetrics(registry: Registry) {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  return {
    queueJobs: new Gauge({
      name: 'transfers_queue_jobs',
      help: 'Jobs of all partitions, by state.',
      labelNames: ['state'] as const,
      registers,
    }),
    partitionJobs: new Gauge({
      name: 'transfers_partition_jobs',
      help: 'Jobs of a partition that are not done: waiting, active or delayed.',
      labelNames: ['partition'] as const,
      registers,
    }),
    partitionsUnowned: gauge('transfers_partitions_unowned', 'Partitions that no worker says it consumes.'),
    partitionsPaused: gauge('transfers_partitions_paused', 'Partitions whose queue an operator paused.'),
    backlogMax: gauge('transfers_backlog_max', 'BACKLOG_MAX: with so many orders waiting creates are refused.'),
    pendingOrders: gauge('transfers_pending_orders', 'Orders that wait for a worker; counted up to BACKLOG_MAX.'),
    oldestPendingAge: gauge('transfers_oldest_pending_age_seconds', 'Age of the oldest order that waits.'),
    stuckOrders: gauge(
      'transfers_stuck_orders',
      `Orders set aside for the operator; counted up to ${stuckCountedMax}.`,
    ),
    workersAlive: gauge('transfers_workers_alive', 'Worker processes that said so in the last seconds.'),
    backlogSeconds: gauge(
      'transfers_backlog_seconds',
      'How long the workers need for transfers_pending_orders; infinite without workers.',
    ),
    workersSuggested: gauge('transfers_workers_suggested', 'How many workers the load asks for, within its limits.'),
  };
}
