import { createSharedRead } from '../cache.ts';
import type { Clock } from '../clock.ts';
import type { WebSettings } from '../config.ts';
import type { Collections } from '../storage/collections.ts';
import type { Look } from '../storage/orders/backlog.ts';
import type { Health } from './health.ts';
import { usedOf, type ReadPartitions } from './partitions.ts';
import { activityOf, createScaling, type ScalingLimits } from './scaling.ts';
import { webhooksOf } from './webhooks.ts';

/** The whole service at one moment. A value whose server is away is undefined, and `servers` says so. */
export type Overview = Awaited<ReturnType<ReturnType<typeof createOverview>>>;

interface OverviewSources {
  readonly collections: Pick<
    Collections,
    'backlog' | 'dueOrders' | 'processReports' | 'stuckOrders' | 'webhookBacklog'
  >;
  readonly servers: Health['servers'];
  /** What back-pressure sees anyway; undefined if MongoDB does not answer. */
  readonly lastLook: () => Look | undefined;
  readonly readPartitions: ReadPartitions;
}

const rememberedMs = 1_000;
const stuckShownMax = 20;
/** A hold is released within two seconds, and an order started within one; what is not after so long is late. */
const holdLateAfterMs = 30_000;
const scheduledLateAfterMs = 10_000;

/** Reads the overview, at most once a second however many ask, with a few bounded queries; never rejects. */
export function createOverview(
  { collections, servers: readServers, lastLook, readPartitions }: OverviewSources,
  settings: Pick<WebSettings, 'BACKLOG_MAX'> & ScalingLimits,
  clock: Clock,
) {
  const { backlog, dueOrders, processReports, stuckOrders, webhookBacklog } = collections;
  const { BACKLOG_MAX: backlogMax } = settings;
  const suggest = createScaling(settings);

  async function readBacklog() {
    const look = lastLook();
    return look === undefined ? undefined : backlog.read(look, backlogMax);
  }

  return createSharedRead(async () => {
    const at = clock();
    const reports = processReports.latest();
    const [servers, waiting, partitionStates, processes, webhooks, lateHolds, lateScheduled] = await Promise.all([
      readServers(),
      orUndefined(readBacklog()),
      orUndefined(readPartitions(reports)),
      orUndefined(reports),
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
