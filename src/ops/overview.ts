import pTimeout from 'p-timeout';
import { createSharedRead } from '../cache.ts';
import type { Clock } from '../clock.ts';
import type { WebSettings } from '../config.ts';
import type { Collections } from '../storage/collections.ts';
import type { Look } from '../storage/orders/backlog.ts';
import type { Health } from './health.ts';
import { usedOf, type ReadPartitions } from './partitions.ts';
import { knownMs, runsOf } from './runs.ts';
import { activityOf, createScaling, type ScalingLimits } from './scaling.ts';
import { webhooksOf } from './webhooks.ts';

/** The whole service at one moment. A value whose server is away is undefined, and `servers` says so. */
export type Overview = Awaited<ReturnType<ReturnType<typeof createWholeRead>>>;

interface OverviewSources {
  readonly collections: Pick<
    Collections,
    'backlog' | 'dueOrders' | 'processReports' | 'processRuns' | 'stuckOrders' | 'webhookBacklog'
  >;
  readonly servers: Health['servers'];
  /** What back-pressure sees anyway; undefined if MongoDB does not answer. */
  readonly lastLook: () => Look | undefined;
  readonly readPartitions: ReadPartitions;
}

const rememberedMs = 1_000;
/** Longer than the queries may take at a server that answers. One that hangs is noticed by its driver only after many seconds. */
const readMaxMs = 1_500;
const stuckShownMax = 20;
/** A hold is released within two seconds, and an order started within one; what is not after so long is late. */
const holdLateAfterMs = 30_000;
const scheduledLateAfterMs = 10_000;

/** Of the service, as long as nothing of it could be read. */
export const nothingKnown = {
  ...{ backlog: undefined, stuck: [], lateHolds: undefined, lateScheduled: undefined, partitions: undefined },
  ...{ processes: undefined, runs: undefined, activity: undefined, scaling: undefined, webhooks: undefined },
} satisfies Partial<Overview>;

/**
 * Reads the overview, at most once a second however many ask, with a few bounded queries; never rejects. While a server hangs,
 * nothing but that is known, within two seconds; one reading goes on until it is answered, and no other begins meanwhile.
 */
export function createOverview(
  sources: OverviewSources,
  settings: Pick<WebSettings, 'BACKLOG_MAX'> & ScalingLimits,
  clock: Clock,
): () => Promise<Overview> {
  const read = createWholeRead(sources, settings, clock);
  const fallback = async (): Promise<Overview> => ({
    ...nothingKnown,
    ...{ at: clock(), servers: await sources.servers(), backlogMax: settings.BACKLOG_MAX },
  });
  return () => pTimeout(read(), { milliseconds: readMaxMs, fallback });
}

function createWholeRead(
  { collections, servers: readServers, lastLook, readPartitions }: OverviewSources,
  settings: Pick<WebSettings, 'BACKLOG_MAX'> & ScalingLimits,
  clock: Clock,
) {
  const { backlog, dueOrders, processReports, processRuns, stuckOrders, webhookBacklog } = collections;
  const { BACKLOG_MAX: backlogMax } = settings;
  const suggest = createScaling(settings);

  async function readBacklog() {
    const look = lastLook();
    return look === undefined ? undefined : backlog.read(look, backlogMax);
  }

  return createSharedRead(async () => {
    const at = clock();
    const reports = processReports.latest();
    const [servers, waiting, partitionStates, processes, runs, webhooks, lateHolds, lateScheduled] = await Promise.all([
      readServers(),
      orUndefined(readBacklog()),
      orUndefined(readPartitions(reports)),
      orUndefined(reports),
      orUndefined(processRuns.since(new Date(at.getTime() - knownMs))),
      orUndefined(webhookBacklog.read(at)),
      orUndefined(dueOrders.late('COMPLETED', new Date(at.getTime() - holdLateAfterMs))),
      orUndefined(dueOrders.late('SCHEDULED', new Date(at.getTime() - scheduledLateAfterMs))),
    ]);
    const stuck = waiting !== undefined && waiting.stuck > 0 ? await orUndefined(stuckOrders.list(stuckShownMax)) : [];
    const activity = processes === undefined ? undefined : activityOf(processes);
    const scaling =
      waiting === undefined || activity === undefined || partitionStates === undefined
        ? undefined
        : suggest({ ...activity, pending: waiting.pending, ...usedOf(partitionStates) });
    return {
      at,
      servers,
      backlog: waiting,
      /** If more orders wait than this, creates are refused. */
      backlogMax,
      stuck: stuck ?? [],
      /** Holds that have expired and are not released. */
      lateHolds,
      /** SCHEDULED orders whose time has come. */
      lateScheduled,
      partitions: partitionStates,
      processes,
      /** Which of them started or were lost in the last hour. */
      runs: runs && processes && runsOf(runs, processes, at),
      activity,
      scaling,
      webhooks: webhooks && webhooksOf(webhooks, processes ?? [], at),
    };
  }, rememberedMs);
}

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch(() => undefined);
}

export type ShownScaling = NonNullable<ReturnType<typeof describeScaling>>;

/** The numbers that a scaler needs, in seconds and orders a second; undefined if they could not be read. */
export function describeScaling({ at, backlog, activity, scaling }: Overview) {
  if (backlog === undefined || activity === undefined || scaling === undefined) return undefined;
  const { pending: pendingOrders, isLowerBound, oldestPendingAt } = backlog;
  const oldestPendingSeconds = oldestPendingAt === undefined ? 0 : (at.getTime() - oldestPendingAt.getTime()) / 1000;
  return { at, ...scaling, ...activity, pendingOrders, isLowerBound, oldestPendingSeconds };
}
