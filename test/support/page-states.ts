import { pino } from 'pino';
import { addDocs } from '../../src/ops/docs.ts';
import { nothingKnown, type Overview } from '../../src/ops/overview.ts';
import { followProblems } from '../../src/ops/problems/follow.ts';
import type { LatelyCount, ProcessReport } from '../../src/storage/processes/reports.ts';
import { runsOf } from '../../src/ops/runs.ts';
import { webhooksOf } from '../../src/ops/webhooks.ts';
import type { WebhookBacklog } from '../../src/storage/webhooks/backlog.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import { startOpsServer } from '../../src/ops/server.ts';
import type { WrongSetting } from '../../src/config.ts';
import { addPageFiles, pagePolicy, withPolicy } from '../../src/ops/page/serving.ts';
import { addOverviewRoutes } from '../../src/ops/pages.ts';

/** The service in one state, as its page shows it. */
export interface PageState {
  overview: Overview;
  isDraining?: boolean;
}

const backlogMax = 50_000;
const ago = (ms: number): Date => new Date(Date.now() - ms);

function report(kind: 'web' | 'worker', index: number): ProcessReport {
  const percentiles = { p50: 12, p95: 48, p99: 95 };
  return {
    id: `transfers-${kind}-7f9c5d8b4-x2x9q-${index}:1:ab12cd3${index}`,
    kind,
    startedAt: ago(7_500_000),
    clockAheadMs: 0,
    vitals: { version: '1.0.0', cpu: 0.58, loopShare: 0.41, rssBytes: 184_000_000, heapBytes: 61_000_000 },
    unknownTypes: [],
    answeredPerSecond: kind === 'web' ? 1_840 : 0,
    acceptedPerSecond: kind === 'web' ? 920 : 0,
    postedPerSecond: kind === 'worker' ? 920 : 0,
    conflictsPerSecond: 0,
    busyShare: kind === 'worker' ? 0.43 : 0,
    partitions: kind === 'worker' ? [index * 4, index * 4 + 1, index * 4 + 2, index * 4 + 3] : [],
    sentPerSecond: 0,
    deliveredPerSecond: 0,
    ...(kind === 'web' ? { answerMs: percentiles } : { latencyMs: percentiles }),
  };
}

function healthy(): Overview {
  const processes = [report('web', 0), report('web', 1), report('worker', 0), report('worker', 1)];
  const jobs = { waiting: 3, active: 2, delayed: 0, failed: 0, completed: 200 };
  return {
    at: new Date(),
    servers: ['mongodb', 'redis'].map((name) => ({ name, isUp: true, since: ago(7_500_000), pingMs: 1 })),
    backlog: { pending: 180, isFull: false, isLowerBound: false, oldestPendingAt: ago(210), stuck: 0 },
    backlogMax,
    lateHolds: { count: 0, oldestAt: undefined },
    lateScheduled: { count: 0, oldestAt: undefined },
    partitions: Array.from({ length: 8 }, (_, partition) => ({
      partition,
      owners: [processes[partition < 4 ? 2 : 3]?.id ?? ''],
      jobs,
      isPaused: false,
    })),
    processes,
    runs: runsOf([], processes, new Date()),
    activity: { acceptedPerSecond: 1_840, postedPerSecond: 1_840, workersAlive: 2, busyShare: 0.43 },
    scaling: { backlogSeconds: 0.1, drainSeconds: 0.1, suggestedWorkers: 2, capacityPerWorker: 4_000, limitedBy: null },
    webhooks: webhooksWith({}),
  };
}

const endpoint = {
  workspaceId: 'ws_01M7YFW4H9MHJM5TEH8GNDWS21',
  url: 'https://a-rather-long-name.of-a-receiver.billing.example.com/hooks/of-its-own?key=hidden',
};

/** @param behind how many webhooks have events waiting, for how many minutes, one more each. */
export function webhooksWith(changes: Partial<WebhookBacklog>, behind = 2, minutes = 1): Overview['webhooks'] {
  const found = Array.from({ length: behind }, (_, index) => ({
    ...endpoint,
    id: `wh_01M7YFX2NQTRGWP2B5WKRJ${String(index).padStart(4, '0')}`,
    waiting: 1_200 + index,
    behindSince: ago((minutes + behind - index) * 60_000),
    failures: index,
    failingSince: index === 0 ? null : ago(50_000),
  }));
  return webhooksOf(
    { behind: found, disabled: [], lookedAt: ago(30_000), ...changes },
    [{ sentPerSecond: 1_900, deliveredPerSecond: 1_700 }],
    new Date(),
  );
}

/** Every state that the page has a banner for, by the name of its problem. */
export const bannerStates = {
  'server-down': () => {
    const { backlog: _, scaling: __, ...rest } = healthy();
    const servers = rest.servers.map((server) => (server.name === 'mongodb' ? { ...server, isUp: false } : server));
    return { overview: { ...rest, servers, backlog: undefined, scaling: undefined } };
  },
  'service-unread': () => changed(({ partitions }) => ({ ...nothingKnown, partitions })),
  'no-workers': () =>
    changed(({ activity, processes, partitions }) => ({
      activity: activity && { ...activity, workersAlive: 0, postedPerSecond: 0 },
      processes: processes?.filter(({ kind }) => kind === 'web'),
      partitions: partitions?.map((partition) => ({ ...partition, owners: [] })),
    })),
  'processes-lost': () =>
    changed(({ at, processes = [] }) => {
      const run = (index: number) => {
        const lostAt = ago(45_000 + index * 20_000);
        const startedAt = new Date(lostAt.getTime() - 18_000);
        return {
          id: `transfers-worker-7f9c5d8b4-x2x9q-0:1:de34cd${10 + index}`,
          kind: 'worker' as const,
          startedAt,
          lostAt,
        };
      };
      return {
        runs: runsOf(
          Array.from({ length: 14 }, (_, index) => run(index)),
          processes,
          at,
        ),
      };
    }),
  'partitions-unowned': () =>
    changed(({ partitions }) => ({
      partitions: partitions?.map((each) => (each.partition < 2 ? { ...each, owners: [] } : each)),
    })),
  'master-keys-wrong': () => wrong('MasterKeysWrong', 'wrong settings: MASTER_KEYS lacks version 2'),
  'queues-differ': () => wrong('QueuesDiffer', 'wrong settings: QUEUE_PREFIX is not that of the others'),
  'currencies-differ': () => wrong('CurrenciesDiffer', 'wrong settings: CURRENCIES gives BTC 4 decimals'),
  'clock-off': () => reporting(() => ({ clockAheadMs: -90_000 })),
  'clocks-apart': () => reporting(({ kind }) => ({ clockAheadMs: kind === 'web' ? 800 : -800 })),
  'certificate-expires': () => reporting(() => ({ certificates: { redis: new Date(Date.now() + 86_400_000) } })),
  'posting-fails': () => counting({ groupFailures: 2, groups: 8 }),
  contention: () => counting({ conflicts: 90, groups: 20 }),
  'latency-high': () => counting({ slow: 12, posted: 900 }),
  'api-errors': () => counting({ serverErrors: 30, answered: 1_800 }),
  'enqueue-fails': () => counting({ enqueueFailures: 3, batches: 40 }),
  'signatures-refused': () => counting({ forged: 31 }),
  'operations-denied': () => counting({ denied: 0.4 }),
  'backlog-old': () =>
    changed(() => ({
      backlog: { pending: 9_120, isFull: false, isLowerBound: false, oldestPendingAt: ago(95_000), stuck: 0 },
    })),
  'order-type-unknown': () => reporting(() => ({ unknownTypes: ['HOLD'] })),
  'expiry-late': () => changed(() => ({ lateHolds: { count: 3, oldestAt: ago(95_000) } })),
  'schedule-late': () => changed(() => ({ lateScheduled: { count: 1, oldestAt: ago(95_000) } })),
  'orders-stuck': () =>
    changed(({ backlog }) => ({
      backlog: backlog && { ...backlog, stuck: 2 },
    })),
  'partition-paused': () =>
    changed(({ partitions }) => ({
      partitions: partitions?.map((each) => ({ ...each, isPaused: each.partition === 3 })),
    })),
  'workers-short': () =>
    changed(({ activity, backlog, scaling }) => ({
      backlog: backlog && { ...backlog, oldestPendingAt: ago(4_000) },
      activity: activity && { ...activity, acceptedPerSecond: 9_000, busyShare: 1 },
      scaling: scaling && { ...scaling, suggestedWorkers: 4 },
    })),
  'backlog-near-max': () =>
    changed(() => ({
      backlog: { pending: 43_210, isFull: false, isLowerBound: false, oldestPendingAt: ago(9_000), stuck: 0 },
    })),
  'webhooks-behind': () => changed(() => ({ webhooks: webhooksWith({ lookedAt: ago(1_500_000) }, 25, 20) })),
  'webhook-endpoint-disabled': () =>
    changed(() => {
      const disabled = (['GONE', 'FAILING'] as const).map((disabledReason, index) => ({
        ...{ ...endpoint, id: `wh_01M7YFX2NQTRGWP2B5WKRJWTM${index}`, disabledReason, disabledAt: ago(3_600_000) },
      }));
      return { webhooks: webhooksWith({ disabled }) };
    }),
  draining: () => ({ ...changed(() => ({})), isDraining: true }),
} as const satisfies Record<string, () => PageState>;

function changed(change: (overview: Overview) => Partial<Overview>): PageState {
  const overview = healthy();
  return { overview: { ...overview, ...change(overview) } };
}

/** Each process says this besides. */
function reporting(change: (report: ProcessReport) => Partial<ProcessReport>): PageState {
  return changed(({ processes }) => ({ processes: processes?.map((each) => ({ ...each, ...change(each) })) }));
}

/** Of the processes one counted this lately, a second. */
function counting(lately: Partial<Record<LatelyCount, number>>): PageState {
  return changed(({ processes: [first, ...rest] = [] }) => ({ processes: first && [{ ...first, lately }, ...rest] }));
}

function wrong(runbook: string, message: string): PageState {
  return reporting(({ kind }) => (kind === 'worker' ? { wrongSettings: { [runbook]: message } } : {}));
}

/** The problems of a state that has lasted for an hour. */
export function lastingProblems({ overview, isDraining = false }: PageState, wrongSetting?: WrongSetting) {
  const problems = followProblems({
    isStarting: () => false,
    isDraining: () => isDraining,
    wrongSetting: () => wrongSetting,
  });
  const earlier = ago(3_600_000);
  // As old then as it is now, whatever waits.
  const { oldestPendingAt } = overview.backlog ?? {};
  const aged = oldestPendingAt && new Date(earlier.getTime() - (overview.at.getTime() - oldestPendingAt.getTime()));
  const backlog = overview.backlog && { ...overview.backlog, oldestPendingAt: aged };
  problems({ ...overview, at: earlier, backlog });
  return problems(overview);
}

/** Serves the page as the web process does, of whatever state is set last. */
export async function servePage() {
  let shown: PageState = changed(() => ({}));
  const health = {
    isStarting: () => false,
    isDraining: () => shown.isDraining ?? false,
    wrongSetting: () => undefined,
    servers: () => Promise.resolve(shown.overview.servers),
  };
  const server = await startOpsServer(
    { health, metrics: createMetrics(), token: undefined, log: pino({ level: 'silent' }), onDenied: () => undefined },
    '127.0.0.1',
    0,
  );
  const overview = () => Promise.resolve(shown.overview);
  server.show({
    overview,
    addRoutes(app) {
      app.use(withPolicy(pagePolicy));
      addPageFiles(app);
      addOverviewRoutes(app, overview, () => lastingProblems(shown));
      addDocs(app);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    show(state: PageState): void {
      shown = state;
    },
    close: () => server.close(),
  };
}
