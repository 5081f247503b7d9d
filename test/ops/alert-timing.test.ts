import { describe, expect, it } from 'vitest';
import { readAlertRules } from '../support/alert-rules.ts';
import { findPromtool, stepSeconds, testRules, type RuleTest } from '../support/promtool.ts';

const promtool = await findPromtool();
const rules = await readAlertRules();

/** Ten minutes in order, then the cause, then ten minutes in order again. */
const orderSteps = 40;
const resolvedWithinSeconds = 60;

type Values = (number | 'stale')[];
interface Cause {
  /** Values in order, and those while the cause is there; of a counter how much it rises in a step. */
  gauges?: Record<string, [inOrder: number | 'stale', during: number | 'stale']>;
  counters?: Record<string, [inOrder: number, during: number]>;
  /** For how many steps it is there. */
  steps?: number;
  /** So long after its begin, in seconds, the alert fires at the latest. */
  firesWithin: number;
}

const phases = <T>([inOrder, during]: [T, T], steps: number): T[] => [
  ...Array.from({ length: orderSteps }, () => inOrder),
  ...Array.from({ length: steps }, () => during),
  ...Array.from({ length: orderSteps }, () => inOrder),
];

function countUp(rises: number[]): Values {
  let total = 0;
  return rises.map((rise) => (total += rise));
}

function seriesOf({ gauges = {}, counters = {}, steps = 20 }: Cause): Record<string, Values> {
  return {
    ...Object.fromEntries(Object.entries(gauges).map(([name, values]) => [name, phases(values, steps)])),
    ...Object.fromEntries(Object.entries(counters).map(([name, rises]) => [name, countUp(phases(rises, steps))])),
  };
}

const latency = (le: string) => `transfers_order_latency_seconds_bucket{le="${le}"}`;
const requests = (status: number) => `transfers_http_requests_total{route="r",status="${status}",code="c"}`;
/** Of a rule's test all begins at the epoch. */
const validFor = (days: number) => days * 86_400;

const causes: Record<string, Cause> = {
  ServerDown: { gauges: { 'transfers_server_up{server="redis"}': [1, 0] }, steps: 3, firesWithin: 30 },
  ApiGone: {
    gauges: {
      'transfers_build_info{process="web"}': [1, 'stale'],
      'transfers_build_info{process="worker"}': [1, 1],
    },
    firesWithin: 60,
  },
  ApiStarting: {
    gauges: {
      'transfers_starting{process="web",instance="a"}': [0, 1],
      'transfers_starting{process="web",instance="b"}': [1, 1],
      'transfers_starting{process="worker"}': [0, 0],
    },
    firesWithin: 60,
  },
  ServiceUnread: {
    gauges: {
      transfers_pending_orders: [10, 'stale'],
      ...{ transfers_workers_alive: [2, 2], transfers_partitions_unowned: [0, 0] },
      'transfers_starting{process="web",instance="a"}': [0, 0],
      'transfers_starting{process="web",instance="b"}': [1, 1],
      'transfers_server_up{server="mongodb"}': [1, 1],
    },
    steps: 4,
    firesWithin: 30,
  },
  ProcessesLost: {
    gauges: {
      'transfers_processes_lost{process="worker",instance="a"}': [2, 3],
      'transfers_processes_lost{process="worker",instance="b"}': [2, 3],
      'transfers_processes_lost{process="web",instance="a"}': [0, 0],
    },
    steps: 4,
    firesWithin: 15,
  },
  NoWorkers: { gauges: { transfers_workers_alive: [2, 0] }, steps: 4, firesWithin: 15 },
  PartitionsUnowned: { gauges: { transfers_partitions_unowned: [0, 3] }, firesWithin: 60 },
  PartitionPaused: { gauges: { transfers_partitions_paused: [0, 1] }, steps: 4, firesWithin: 15 },
  BacklogOld: { gauges: { transfers_oldest_pending_age_seconds: [1, 20] }, firesWithin: 60 },
  BacklogNearMax: {
    gauges: { transfers_pending_orders: [10, 900], transfers_backlog_max: [1_000, 1_000] },
    steps: 4,
    firesWithin: 15,
  },
  WorkersShort: {
    gauges: {
      transfers_workers_suggested: [2, 4],
      transfers_workers_alive: [2, 2],
      transfers_oldest_pending_age_seconds: [0, 4],
    },
    steps: 24,
    firesWithin: 300,
  },
  WorkersUnscraped: {
    gauges: {
      transfers_workers_alive: [2, 2],
      'transfers_build_info{process="worker",instance="a"}': [1, 1],
      'transfers_build_info{process="worker",instance="b"}': [1, 'stale'],
    },
    firesWithin: 60,
  },
  ScrapeFails: { gauges: { 'up{job="transfers-worker",instance="a"}': [1, 0] }, firesWithin: 60 },
  OrdersStuck: { gauges: { transfers_stuck_orders: [0, 2] }, steps: 2, firesWithin: 0 },
  ExpiryLate: { gauges: { transfers_late_holds: [0, 2] }, steps: 4, firesWithin: 30 },
  ScheduleLate: { gauges: { transfers_late_scheduled_orders: [0, 2] }, steps: 4, firesWithin: 30 },
  OrderTypeUnknown: {
    counters: { transfers_orders_unknown_type_total: [0, 3] },
    steps: 4,
    firesWithin: 15,
  },
  LatencyHigh: {
    counters: {
      [latency('5')]: [100, 0],
      transfers_order_latency_seconds_count: [100, 50],
    },
    firesWithin: 30,
  },
  Contention: {
    counters: { transfers_post_conflicts_total: [0, 400], transfers_post_group_orders_count: [10, 10] },
    firesWithin: 60,
  },
  PostingFails: {
    counters: { transfers_post_group_failures_total: [0, 20], transfers_post_group_orders_count: [100, 0] },
    firesWithin: 180,
  },
  ApiErrors: { counters: { [requests(200)]: [1_000, 500], [requests(503)]: [0, 500] }, steps: 3, firesWithin: 15 },
  EnqueueFails: {
    counters: { transfers_enqueue_failures_total: [0, 20], transfers_accept_group_orders_count: [100, 100] },
    firesWithin: 30,
  },
  SignaturesRefused: {
    counters: { 'transfers_pipeline_refusals_total{step="signature"}': [0, 1_500] },
    firesWithin: 90,
  },
  ClockOff: { gauges: { 'transfers_clock_offset_seconds{instance="a"}': [0, -3] }, firesWithin: 30 },
  ClocksApart: {
    gauges: {
      'transfers_clock_offset_seconds{instance="a"}': [0, 0.9],
      'transfers_clock_offset_seconds{instance="b"}': [0, -0.9],
    },
    firesWithin: 30,
  },
  CertificateExpires: {
    gauges: {
      'transfers_certificate_expiry_timestamp_seconds{server="redis"}': [validFor(90), validFor(10)],
      'transfers_certificate_expiry_timestamp_seconds{server="mongodb"}': [validFor(90), validFor(90)],
    },
    steps: 2,
    firesWithin: 0,
  },
  WebhooksBehind: { gauges: { transfers_webhook_unattended_seconds: [60, 1_000] }, steps: 4, firesWithin: 15 },
  WebhookEndpointDisabled: {
    gauges: {
      'transfers_webhook_disabled_endpoints{reason="GONE",instance="a"}': [0, 1],
      'transfers_webhook_disabled_endpoints{reason="GONE",instance="b"}': [0, 1],
      'transfers_webhook_disabled_endpoints{reason="FAILING",instance="a"}': [0, 0],
    },
    steps: 2,
    firesWithin: 0,
  },
  MasterKeysWrong: { gauges: { 'transfers_setting_right{setting="MASTER_KEYS"}': [1, 0] }, steps: 4, firesWithin: 15 },
  QueuesDiffer: { gauges: { 'transfers_setting_right{setting="REDIS_URL"}': [1, 0] }, steps: 4, firesWithin: 15 },
  CurrenciesDiffer: { gauges: { 'transfers_setting_right{setting="CURRENCIES"}': [1, 0] }, steps: 4, firesWithin: 15 },
  OperationsDenied: { counters: { transfers_ops_denied_total: [0, 30] }, firesWithin: 30 },
};

/** Quiet before, fires in time, and a minute after its cause is gone it is over. */
function ruleTestOf(alert: string, cause: Cause): RuleTest {
  const begin = orderSteps * stepSeconds;
  const lastOfCause = begin + ((cause.steps ?? 20) - 1) * stepSeconds;
  return {
    name: alert,
    series: seriesOf(cause),
    expected: [
      { at: begin - stepSeconds, alert, isFiring: false },
      { at: begin + cause.firesWithin, alert, isFiring: true },
      { at: lastOfCause, alert, isFiring: true },
      { at: lastOfCause + resolvedWithinSeconds, alert, isFiring: false },
    ],
  };
}

describe.skipIf(promtool === undefined)('an alert', () => {
  it.each(Object.entries(causes))('%s fires in time, and is over a minute after its cause', async (alert, cause) => {
    await testRules(promtool ?? '', [ruleTestOf(alert, cause)]);
  });

  it('of what is counted does not fire for a few failures of a quiet service', async () => {
    const onceInSteps = (every: number) =>
      countUp(Array.from({ length: 120 }, (_, step) => (step > 40 && step % every === 0 ? 1 : 0)));
    const series = {
      [requests(200)]: onceInSteps(8),
      [requests(503)]: onceInSteps(8),
      transfers_enqueue_failures_total: onceInSteps(8),
      transfers_accept_group_orders_count: onceInSteps(8),
      transfers_post_group_failures_total: onceInSteps(8),
      transfers_post_conflicts_total: onceInSteps(8),
      transfers_post_group_orders_count: onceInSteps(40),
      transfers_ops_denied_total: onceInSteps(8),
    };
    const counted = ['ApiErrors', 'EnqueueFails', 'PostingFails', 'Contention', 'OperationsDenied'];
    const expected = counted.flatMap((alert) =>
      [50, 60, 70, 80, 90].map((step) => ({ at: step * stepSeconds, alert, isFiring: false })),
    );
    await testRules(promtool ?? '', [{ name: 'quiet', series, expected }]);
  });

  it.each([
    ['BacklogOld', 'transfers_oldest_pending_age_seconds', 60],
    ['PartitionsUnowned', 'transfers_partitions_unowned', 3],
  ])('%s goes on waiting where a scrape has no value', async (alert, gauge, value) => {
    const values: Values = Array.from({ length: 40 }, (_, step) => (step < 10 ? 0 : step % 2 === 0 ? value : 'stale'));
    const firesAt = 10 * stepSeconds + stepSeconds + 60;
    const expected = [
      { at: 10 * stepSeconds, alert, isFiring: false },
      ...[firesAt, firesAt + stepSeconds, 39 * stepSeconds].map((at) => ({ at, alert, isFiring: true })),
    ];
    await testRules(promtool ?? '', [{ name: alert, series: { [gauge]: values }, expected }]);
  });

  it.each([
    ['BacklogOld', 'transfers_oldest_pending_age_seconds', 60],
    ['PartitionsUnowned', 'transfers_partitions_unowned', 3],
  ])('%s does not fire for one look, after which none has a value', async (alert, gauge, value) => {
    const values: Values = [0, 0, value, ...Array.from({ length: 10 }, () => 'stale' as const)];
    const expected = values.map((_, step) => ({ at: step * stepSeconds, alert, isFiring: false }));
    await testRules(promtool ?? '', [{ name: alert, series: { [gauge]: values }, expected }]);
  });

  it('ServiceUnread does not fire where a server is away, nor while no web process has started', async () => {
    const series = (up: number, starting: number) => ({
      'transfers_server_up{server="mongodb"}': Array.from({ length: 10 }, () => up),
      'transfers_starting{process="web"}': Array.from({ length: 10 }, () => starting),
    });
    const at = 9 * stepSeconds;
    const ruleTest = (name: string, up: number, starting: number, isFiring: boolean) => {
      return { name, series: series(up, starting), expected: [{ at, alert: 'ServiceUnread', isFiring }] };
    };
    await testRules(promtool ?? '', [
      ruleTest('away', 0, 0, false),
      ruleTest('starting', 1, 1, false),
      ruleTest('unread', 1, 0, true),
    ]);
  });

  it('that never fires would be noticed', async () => {
    const never = { name: 'never', series: { transfers_stuck_orders: [0] as Values } };
    const expected = [{ at: 0, alert: 'OrdersStuck', isFiring: true }];
    await expect(testRules(promtool ?? '', [{ ...never, expected }])).rejects.toThrow('OrdersStuck');
  });
});

it('every alert has its cause here', () => {
  expect(Object.keys(causes).toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});
