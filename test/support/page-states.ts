import { pino } from 'pino';
import { addDocs } from '../../src/ops/docs.ts';
import { lostLately, webhooksOf, type Overview } from '../../src/ops/overview.ts';
import { followProblems } from '../../src/ops/problems/follow.ts';
import type { LatelyCount, ProcessReport } from '../../src/storage/processes/reports.ts';
import type { WebhookBacklog } from '../../src/storage/webhooks/backlog.ts';
import { createMetrics } from '../../src/ops/metrics.ts';
import { startOpsServer } from '../../src/ops/server.ts';
import { addStyles, pagePolicy, withPolicy } from '../../src/ops/page/serving.ts';
import { addOverviewRoutes } from '../../src/ops/pages.ts';

const ago = (ms: number): Date => new Date(Date.now() - ms);

function report(kind: ProcessReport['kind'], index: number): ProcessReport {
  return {
    id: `transfers-${kind}-7f9c5d8b4-x2x9q-${index}:1:ab12cd3${index}`,
    kind,
    startedAt: ago(7_500_000),
    clockAheadMs: 0,
    version: '1.0.0',
    unknownTypes: [],
    answeredPerSecond: kind === 'web' ? 1_840 : 0,
    acceptedPerSecond: kind === 'web' ? 920 : 0,
    postedPerSecond: kind === 'worker' ? 920 : 0,
    busyShare: kind === 'worker' ? 0.43 : 0,
    sentPerSecond: 0,
    deliveredPerSecond: 0,
  };
}

/** A service in which all is well. */
export function healthy(): Overview {
  const processes = [report('web', 0), report('web', 1), report('worker', 0), report('worker', 1)];
  return {
    at: new Date(),
    servers: ['mongodb', 'redis'].map((name) => ({ name, isUp: true, since: ago(7_500_000), pingMs: 1 })),
    backlog: { pending: 180, isLowerBound: false, oldestPendingAt: ago(210), stuck: 0 },
    late: { holds: { count: 0, oldestAt: undefined }, scheduled: { count: 0, oldestAt: undefined } },
    posting: { jobs: { waiting: 3, active: 2, delayed: 0, failed: 0, completed: 200 }, isPaused: false },
    processes,
    lost: lostLately([], new Date()),
    activity: {
      acceptedPerSecond: 1_840,
      postedPerSecond: 1_840,
      workersAlive: 2,
      busyShare: 0.43,
      commitSeconds: 0.02,
    },
    scaling: { suggestedWorkers: 2, limitedBy: null },
    webhooks: webhooksWith({}),
  };
}

/** @param behind how many webhooks have events waiting, for how many minutes, one more each. */
export function webhooksWith(changes: Partial<WebhookBacklog>, behind = 2, minutes = 1): Overview['webhooks'] {
  const found = Array.from({ length: behind }, (_, index) => ({
    workspaceId: 'ws_01M7YFW4H9MHJM5TEH8GNDWS21',
    id: `wh_01M7YFX2NQTRGWP2B5WKRJ${String(index).padStart(4, '0')}`,
    waiting: 1_200 + index,
    behindSince: ago((minutes + behind - index) * 60_000),
    failures: index,
  }));
  return webhooksOf(
    { behind: found, disabled: 0, lookedAt: ago(30_000), ...changes },
    [{ sentPerSecond: 1_900, deliveredPerSecond: 1_700 }],
    new Date(),
  );
}

/** A state of the page for each problem that it tells. */
export const problemStates = {
  ServerDown: () =>
    changed(({ servers, processes }) => ({
      servers: servers.map((each) => (each.name === 'redis' ? { ...each, isUp: false, since: ago(95_000) } : each)),
      processes: processes?.map((each, index) => ({
        ...each,
        down: { redis: ago(95_000) },
        ...(index === 0 && { lately: { answered: 900, serverErrors: 850 } }),
      })),
      ...{ posting: undefined, scaling: undefined },
    })),
  MongoSlow: () => counting({ commitSeconds: 9, commits: 3, slowAnswers: 30, answered: 100 }),
  ServiceUnread: () => changed(() => ({ backlog: undefined, processes: undefined, activity: undefined })),
  NoWorkers: () =>
    changed(({ activity, processes }) => ({
      activity: activity && { ...activity, workersAlive: 0, postedPerSecond: 0 },
      processes: processes?.filter(({ kind }) => kind === 'web'),
    })),
  ProcessesLost: () =>
    changed(({ at }) => {
      const run = (index: number) => ({
        id: `transfers-worker-7f9c5d8b4-x2x9q-0:1:de34cd${10 + index}`,
        kind: 'worker' as const,
        seenAt: ago(45_000 + index * 20_000),
      });
      const runs = Array.from({ length: 14 }, (_, index) => run(index));
      return { lost: lostLately(runs, at) };
    }),
  PostingPaused: () => changed(({ posting }) => ({ posting: posting && { ...posting, isPaused: true } })),
  PostingFails: () => counting({ groupFailures: 2, groups: 8 }),
  ApiErrors: () => counting({ serverErrors: 30, answered: 1_800 }),
  ApiSlow: () => counting({ slowAnswers: 30, answered: 100 }),
  BacklogOld: () =>
    changed(({ backlog }) => ({ backlog: backlog && { ...backlog, pending: 9_120, oldestPendingAt: ago(95_000) } })),
  WebhooksBehind: () => changed(() => ({ webhooks: webhooksWith({ lookedAt: ago(1_500_000) }, 25, 20) })),
  OrdersStuck: () => changed(({ backlog }) => ({ backlog: backlog && { ...backlog, stuck: 2 } })),
  DueLate: () => changed(({ late }) => ({ late: late && { ...late, holds: { count: 3, oldestAt: ago(95_000) } } })),
  ClockOff: () => reporting(() => ({ clockAheadMs: -90_000 })),
  CertificateExpires: () => reporting(() => ({ certificates: { redis: new Date(Date.now() + 86_400_000) } })),
  SignaturesRefused: () => counting({ forged: 31 }),
} as const satisfies Record<string, () => Overview>;

function changed(change: (overview: Overview) => Partial<Overview>): Overview {
  const overview = healthy();
  return { ...overview, ...change(overview) };
}

/** Each process says this besides. */
function reporting(change: (report: ProcessReport) => Partial<ProcessReport>): Overview {
  return changed(({ processes }) => ({ processes: processes?.map((each) => ({ ...each, ...change(each) })) }));
}

/** Of the processes one counted this lately, a second. */
function counting(lately: Partial<Record<LatelyCount, number>>): Overview {
  return changed(({ processes: [first, ...rest] = [] }) => ({ processes: first && [{ ...first, lately }, ...rest] }));
}

/** The problems of a state that has lasted for an hour. */
export function lastingProblems(overview: Overview, wrongSetting?: string) {
  const problems = followProblems({ isStarting: () => false, wrongSetting: () => wrongSetting });
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
  let shown = healthy();
  const health = {
    isStarting: () => false,
    isDraining: () => false,
    wrongSetting: () => undefined,
    servers: () => Promise.resolve(shown.servers),
  };
  const server = await startOpsServer(
    { health, metrics: createMetrics(), token: undefined, log: pino({ level: 'silent' }) },
    '127.0.0.1',
    0,
  );
  const overview = () => Promise.resolve(shown);
  server.show({
    overview,
    addRoutes(app) {
      app.use(withPolicy(pagePolicy));
      addStyles(app);
      addOverviewRoutes(app, overview, () => lastingProblems(shown));
      addDocs(app);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    show(overviewNow: Overview): void {
      shown = overviewNow;
    },
    close: () => server.close(),
  };
}
