import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { stepNames } from '../auth/pipeline.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const fastSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const slowSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 90, 120, 180, 300];
/** An answer that takes longer is slow: the bound of a bucket. */
export const slowAnswerSeconds = 2.5;
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
      'From the acceptance of an order, or the time that was asked for, to its terminal state.',
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
