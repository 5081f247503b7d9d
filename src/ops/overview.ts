import type { Clock } from '../clock.ts';
import type { QueueInspection } from '../queue/inspection.ts';
import type { RedisClient } from '../redis/connection.ts';
import type { Backlog } from '../storage/orders/backlog.ts';
import type { Collections } from '../storage/collections.ts';
import { createSharedRead } from '../cache.ts';
import type { WebSettings } from '../config.ts';
import type { Health } from './health.ts';
import { readPartitions, usedOf } from './partitions.ts';
import { readReports } from './reports.ts';
import { activityOf, createScaling, type ScalingLimits } from './scaling.ts';
import { webhooksOf } from './webhooks.ts';

/** The whole service at one moment. A value whose server is away is undefined, and `servers` says so. */
export type Overview = Awaited<ReturnType<typeof read>>;

export interface OverviewTools extends Pick<Collections, 'backlog' | 'stuckOrders' | 'webhookBacklog'> {
  /** A connection of the operator's own, so that looking never delays a request. */
  readonly redis: RedisClient;
  readonly inspection: QueueInspection;
  readonly health: Health;
  readonly clock: Clock;
  readonly settings: Pick<WebSettings, 'QUEUE_PREFIX' | 'BACKLOG_MAX'> & ScalingLimits;
  readonly partitionCount: () => number;
  readonly isPaused: (partition: number) => boolean;
  /** The count that back-pressure makes anyway, up to one above BACKLOG_MAX; undefined if MongoDB does not answer. */
  readonly pendingCount: () => number | undefined;
}

const rememberedMs = 1_000;
const stuckShownMax = 20;

/** Reads the overview, at most once a second however many ask, with a few bounded queries; never rejects. */
export function createOverview(tools: OverviewTools): () => Promise<Overview> {
  const suggest = createScaling(tools.settings);
  return createSharedRead(() => read(tools, suggest), rememberedMs);
}

async function read(tools: OverviewTools, suggest: ReturnType<typeof createScaling>) {
  const at = tools.clock();
  const reports = readReports(tools.redis, tools.settings.QUEUE_PREFIX);
  const [servers, backlog, partitions, processes, webhooks] = await Promise.all([
    tools.health.servers(),
    orUndefined(readBacklog(tools)),
    orUndefined(readPartitions(tools.inspection, { ...tools, count: tools.partitionCount() }, reports)),
    orUndefined(reports),
    orUndefined(tools.webhookBacklog.read(at)),
  ]);
  const stuck =
    backlog !== undefined && backlog.stuck > 0 ? await orUndefined(tools.stuckOrders.list(stuckShownMax)) : [];
  const activity = processes === undefined ? undefined : activityOf(processes);
  const scaling =
    backlog === undefined || activity === undefined || partitions === undefined
      ? undefined
      : suggest({ ...activity, pending: backlog.pending, ...usedOf(partitions) });
  return {
    at,
    servers,
    backlog,
    /** If more orders wait than this, creates are refused. */
    backlogMax: tools.settings.BACKLOG_MAX,
    stuck: stuck ?? [],
    partitions,
    processes,
    activity,
    scaling,
    webhooks: webhooks && webhooksOf(webhooks, processes ?? [], at),
  };
}

async function readBacklog({ backlog, pendingCount, settings }: OverviewTools): Promise<Backlog | undefined> {
  const counted = pendingCount();
  return counted === undefined ? undefined : backlog.read(counted, settings.BACKLOG_MAX);
}

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch(() => undefined);
}
