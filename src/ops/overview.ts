import pTimeout from 'p-timeout';
import { createSharedRead } from '../cache.ts';
import type { Clock } from '../clock.ts';
import type { WebSettings } from '../settings/config.ts';
import type { Collections } from '../storage/collections.ts';
import type { BacklogSnapshot } from '../storage/orders/backlog.ts';
import type { LostProcess, ProcessReport } from '../storage/processes/reports.ts';
import { behindReadMax, type WebhookBacklog } from '../storage/webhooks/backlog.ts';
import type { Health } from './health.ts';
import type { QueueCounts } from '../queue/posting-queue.ts';
import { activityOf, createScaling } from './scaling.ts';

/** The whole service at one moment. A value whose server is away is undefined, and `servers` says so. */
export type Overview = Awaited<ReturnType<ReturnType<typeof createOverview>>>;

interface OverviewSources {
  readonly collections: Pick<
    Collections,
    'backlog' | 'dueOrders' | 'postingPause' | 'processReports' | 'webhookBacklog'
  >;
  readonly servers: Health['servers'];
  /** What back-pressure sees anyway; undefined if MongoDB does not answer. */
  readonly lastSnapshot: () => BacklogSnapshot | undefined;
  /** The jobs of posting, by state. */
  readonly readJobs: () => Promise<QueueCounts>;
}

const rememberedMs = 1_000;
/** Longer than a query may take at a server that answers. One that hangs is noticed by its driver only after many seconds. */
const partMaxMs = 1_500;
/** A hold is released within two seconds, and an order started within one; what is not after so long is late. */
const holdLateAfterMs = 30_000;
const scheduledLateAfterMs = 10_000;
/** Longer than a supervisor waits: if no other process was lost since, it is over. */
const lossGoesOnMs = 600_000;

/**
 * Reads the overview, at most once a second however many ask, with a few bounded queries; never rejects, and takes about two
 * seconds at the most. What cannot be read in time is absent, and nothing besides. A part that hangs is not read again until it
 * is answered.
 */
export function createOverview(
  { collections, servers: readServers, lastSnapshot, readJobs }: OverviewSources,
  settings: Pick<WebSettings, 'BACKLOG_MAX'>,
  clock: Clock,
) {
  const { backlog, dueOrders, postingPause, processReports, webhookBacklog } = collections;
  const { BACKLOG_MAX: backlogMax } = settings;
  const suggest = createScaling();

  const before = (ms: number) => new Date(clock().getTime() - ms);
  const part = {
    backlog: createPart(async () => {
      const snapshot = lastSnapshot();
      return snapshot === undefined ? undefined : backlog.read(snapshot, backlogMax);
    }),
    posting: createPart(async () => {
      const [jobs, isPaused] = await Promise.all([readJobs(), postingPause.isPaused()]);
      return { jobs, isPaused };
    }),
    processes: createPart(() => processReports.latest()),
    lost: createPart(() => processReports.lost()),
    webhooks: createPart(() => webhookBacklog.read(clock())),
    late: createPart(async () => {
      const [holds, scheduled] = await Promise.all([
        dueOrders.late('COMPLETED', before(holdLateAfterMs)),
        dueOrders.late('SCHEDULED', before(scheduledLateAfterMs)),
      ]);
      return { holds, scheduled };
    }),
  };

  return createSharedRead(async () => {
    const at = clock();
    const [servers, waiting, posting, processes, lost, webhooks, late] = await Promise.all([
      readServers(),
      part.backlog(),
      part.posting(),
      part.processes(),
      part.lost(),
      part.webhooks(),
      part.late(),
    ]);
    const activity = processes === undefined ? undefined : activityOf(processes);
    const scaling =
      waiting === undefined || activity === undefined || posting === undefined
        ? undefined
        : suggest({ ...activity, pending: waiting.pending, buckets: posting.jobs.waiting + posting.jobs.active });
    return {
      at,
      servers,
      backlog: waiting,
      /** Holds that have expired and are not released, and SCHEDULED orders whose time has come. */
      late,
      posting,
      processes,
      /** Which of them were lost lately, by kind. */
      lost: lost && lostLately(lost, at),
      activity,
      scaling,
      webhooks: webhooks && webhooksOf(webhooks, processes ?? [], at),
    };
  }, rememberedMs);
}

/**
 * The processes that were lost, by kind, the last one first. None if the last one was lost more than {@link lossGoesOnMs} ago.
 * @param lost the last one first.
 */
export function lostLately(lost: readonly LostProcess[], at: Date) {
  return (['web', 'worker', 'webhooks'] as const).map((kind) => {
    const ofKind = lost.filter((each) => each.kind === kind);
    const [last] = ofKind;
    const goesOn = last !== undefined && at.getTime() - last.seenAt.getTime() < lossGoesOnMs;
    return { kind, lost: goesOn ? ofKind : [] };
  });
}

/** The state of the sending of webhooks: all endpoints together, and the one that is behind for the longest. */
export function webhooksOf(
  { behind, disabled, lookedAt }: WebhookBacklog,
  processes: readonly Pick<ProcessReport, 'sentPerSecond' | 'deliveredPerSecond'>[],
  at: Date,
) {
  const ageMs = (since: Date | undefined): number =>
    since === undefined ? 0 : Math.max(0, at.getTime() - since.getTime());
  const [worst] = behind;
  return {
    sentPerSecond: processes.reduce((sum, { sentPerSecond }) => sum + sentPerSecond, 0),
    deliveredPerSecond: processes.reduce((sum, { deliveredPerSecond }) => sum + deliveredPerSecond, 0),
    worst: worst && { id: worst.id, workspaceId: worst.workspaceId, oldestMs: ageMs(worst.behindSince) },
    waiting: behind.reduce((sum, { waiting }) => sum + waiting, 0),
    /** Whether more endpoints may be behind than were read. */
    isLowerBound: behind.length === behindReadMax,
    failing: behind.filter(({ failures }) => failures > 0).length,
    disabled,
    /** The longest time for which no worker came to an endpoint that is enabled. */
    unattendedMs: ageMs(lookedAt),
  };
}

/** Reads a part of the overview; undefined if that fails or takes too long. */
function createPart<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  const readOnce = oneAtATime(read);
  return () => pTimeout(readOnce(), { milliseconds: partMaxMs, fallback: () => undefined }).catch(() => undefined);
}

/** Who asks while a reading is under way gets what that finds. */
function oneAtATime<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () =>
    (reading ??= read().finally(() => {
      reading = undefined;
    }));
}

/** The numbers that a scaler needs; undefined if they could not be read. */
export function describeScaling({ at, backlog, activity, scaling }: Overview) {
  if (backlog === undefined || activity === undefined || scaling === undefined) return undefined;
  const { pending: pendingOrders, isLowerBound, oldestPendingAt } = backlog;
  const oldestPendingSeconds = oldestPendingAt === undefined ? 0 : (at.getTime() - oldestPendingAt.getTime()) / 1000;
  return { at, ...scaling, ...activity, pendingOrders, isLowerBound, oldestPendingSeconds };
}
