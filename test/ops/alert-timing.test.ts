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

const requests = (status: number) => `transfers_http_requests_total{route="r",status="${status}",code="c"}`;
const answers = 'transfers_http_request_duration_seconds';
const commits = 'transfers_commit_duration_seconds';
/** Of a rule's test all begins at the epoch. */
const validFor = (days: number) => days * 86_400;

const causes: Record<string, Cause> = {
  ServerDown: {
    gauges: {
      'transfers_server_up{server="redis",instance="a"}': [1, 0],
      'transfers_server_up{server="redis",instance="b"}': [1, 0],
    },
    steps: 3,
    firesWithin: 30,
  },
  MongoSlow: {
    counters: { [`${commits}_sum{of="posting"}`]: [1, 60], [`${commits}_count{of="posting"}`]: [100, 20] },
    firesWithin: 150,
  },
  ApiGone: {
    gauges: {
      'transfers_starting{process="web",instance="a"}': [0, 'stale'],
      // Another one waits for a server, and a worker does not count.
      'transfers_starting{process="web",instance="b"}': [1, 1],
      'transfers_starting{process="worker"}': [0, 0],
    },
    firesWithin: 60,
  },
  ServiceUnread: {
    gauges: {
      transfers_pending_orders: [10, 'stale'],
      ...{ transfers_workers_alive: [2, 2], transfers_posting_paused: [0, 0] },
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
  PostingPaused: { gauges: { transfers_posting_paused: [0, 1] }, steps: 4, firesWithin: 15 },
  BacklogOld: { gauges: { transfers_oldest_pending_age_seconds: [1, 20] }, firesWithin: 60 },
  ScrapeFails: { gauges: { 'up{job="transfers-worker",instance="a"}': [1, 0] }, firesWithin: 60 },
  OrdersStuck: { gauges: { transfers_stuck_orders: [0, 2] }, steps: 2, firesWithin: 0 },
  DueLate: { gauges: { transfers_due_late: [0, 2] }, steps: 4, firesWithin: 30 },
  PostingFails: {
    counters: { transfers_post_group_failures_total: [0, 20], [`${commits}_count{of="posting"}`]: [100, 20] },
    firesWithin: 240,
  },
  ApiErrors: { counters: { [requests(200)]: [1_000, 500], [requests(503)]: [0, 500] }, firesWithin: 120 },
  ApiSlow: {
    counters: {
      [requests(200)]: [1_000, 1_000],
      [`${answers}_count`]: [1_000, 1_000],
      [`${answers}_bucket{le="2.5"}`]: [1_000, 500],
    },
    firesWithin: 150,
  },
  SignaturesRefused: {
    counters: { 'transfers_pipeline_refusals_total{step="signature"}': [0, 1_500] },
    firesWithin: 180,
  },
  ClockOff: { gauges: { 'transfers_clock_offset_seconds{instance="a"}': [0, -3] }, firesWithin: 30 },
  CertificateExpires: {
    gauges: {
      'transfers_certificate_expiry_timestamp_seconds{server="redis"}': [validFor(90), validFor(10)],
      'transfers_certificate_expiry_timestamp_seconds{server="mongodb"}': [validFor(90), validFor(90)],
    },
    steps: 2,
    firesWithin: 0,
  },
  WebhooksBehind: { gauges: { transfers_webhook_unattended_seconds: [60, 1_000] }, steps: 4, firesWithin: 15 },
};

/** The same alerts by their other causes. */
const otherCauses: [alert: string, cause: Cause][] = [
  ['OrdersStuck', { counters: { transfers_orders_unknown_type_total: [0, 3] }, steps: 4, firesWithin: 15 }],
  [
    'ScrapeFails',
    {
      gauges: {
        transfers_workers_alive: [2, 2],
        'transfers_build_info{process="worker",instance="a"}': [1, 1],
        'transfers_build_info{process="worker",instance="b"}': [1, 'stale'],
      },
      firesWithin: 60,
    },
  ],
];

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
  it.each([...Object.entries(causes), ...otherCauses])(
    '%s fires in time, and is over a minute after its cause',
    async (alert, cause) => {
      await testRules(promtool ?? '', [ruleTestOf(alert, cause)]);
    },
  );

  it('of what is counted does not fire for a few failures of a quiet service', async () => {
    const onceInSteps = (every: number) =>
      countUp(Array.from({ length: 120 }, (_, step) => (step > 40 && step % every === 0 ? 1 : 0)));
    const series = {
      [requests(200)]: onceInSteps(8),
      [requests(503)]: onceInSteps(8),
      [`${answers}_count`]: onceInSteps(8),
      [`${answers}_bucket{le="2.5"}`]: onceInSteps(1_000),
      transfers_post_group_failures_total: onceInSteps(8),
      [`${commits}_count{of="posting"}`]: onceInSteps(8),
      [`${commits}_sum{of="posting"}`]: onceInSteps(8).map((value) => 3 * Number(value)),
    };
    const counted = ['ApiErrors', 'ApiSlow', 'PostingFails', 'MongoSlow'];
    const expected = counted.flatMap((alert) =>
      [50, 60, 70, 80, 90].map((step) => ({ at: step * stepSeconds, alert, isFiring: false })),
    );
    await testRules(promtool ?? '', [{ name: 'quiet', series, expected }]);
  });

  it('of errors and of failed groups does not fire for an election of 11 s, nor after it', async () => {
    const total = 60;
    const rises = (usual: number, inElection: number) =>
      countUp(Array.from({ length: total }, (_, step) => (step === 40 ? inElection : usual)));
    const series = {
      [requests(200)]: rises(1_000, 250),
      [requests(503)]: rises(0, 750),
      transfers_post_group_failures_total: rises(0, 30),
      [`${commits}_count{of="posting"}`]: rises(100, 55),
      [`${commits}_sum{of="posting"}`]: rises(1, 200),
    };
    const expected = ['ApiErrors', 'PostingFails', 'MongoSlow'].flatMap((alert) =>
      Array.from({ length: 12 }, (_, index) => ({ at: (40 + index) * stepSeconds, alert, isFiring: false })),
    );
    await testRules(promtool ?? '', [{ name: 'election', series, expected }]);
  });

  it('of a server does not fire while one process reaches it', async () => {
    const series = {
      'transfers_server_up{server="redis",instance="a"}': Array.from({ length: 10 }, () => 0),
      'transfers_server_up{server="redis",instance="b"}': Array.from({ length: 10 }, () => 1),
    };
    const expected = [{ at: 9 * stepSeconds, alert: 'ServerDown', isFiring: false }];
    await testRules(promtool ?? '', [{ name: 'one process', series, expected }]);
  });

  const [alert, gauge, value] = ['BacklogOld', 'transfers_oldest_pending_age_seconds', 60];

  it('that is bridged goes on waiting where a scrape has no value', async () => {
    const values: Values = Array.from({ length: 40 }, (_, step) => (step < 10 ? 0 : step % 2 === 0 ? value : 'stale'));
    const firesAt = 10 * stepSeconds + stepSeconds + 60;
    const expected = [
      { at: 10 * stepSeconds, alert, isFiring: false },
      ...[firesAt, firesAt + stepSeconds, 39 * stepSeconds].map((at) => ({ at, alert, isFiring: true })),
    ];
    await testRules(promtool ?? '', [{ name: alert, series: { [gauge]: values }, expected }]);
  });

  it('that is bridged does not fire for one look, after which none has a value', async () => {
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
