import type { Redis } from 'ioredis';
import type { QueueCounts, QueueInspection } from '../queue/inspection.ts';
import type { Backlog, Backlogs } from '../storage/backlog.ts';
import type { StuckOrder, StuckOrders } from '../storage/stuckOrders.ts';
import { cached } from './cached.ts';
import type { Health, ServerHealth } from './health.ts';
import { readReports } from './reports.ts';
import type { ProcessReport } from './reports.ts';
import { suggestScaling } from './scaling.ts';
import type { Activity, Scaling, ScalingLimits } from './scaling.ts';

/** The whole service at one moment. What could not be asked is undefined: its server is away, and `servers` says so. */
export interface Overview {
  readonly at: Date;
  readonly servers: readonly ServerHealth[];
  readonly backlog: Backlog | undefined;
  readonly stuck: readonly StuckOrder[];
  readonly queue: QueueCounts | undefined;
  readonly processes: readonly ProcessReport[] | undefined;
  readonly activity: Activity | undefined;
  readonly scaling: Scaling | undefined;
}

export interface OverviewTools {
  readonly redis: Redis;
  readonly prefix: string;
  readonly inspection: QueueInspection;
  readonly backlog: Backlogs;
  readonly stuckOrders: StuckOrders;
  readonly health: Health;
  readonly limits: ScalingLimits;
  /** What the service counts for itself all the time; undefined where MongoDB does not answer. */
  readonly pendingCount: () => number | undefined;
  /** The count goes up to one above it. */
  readonly backlogMax: number;
}

const rememberedMs = 1_000;
const stuckShownMax = 20;

/** Reads the overview, at most once a second however many ask, with a few bounded queries; never rejects. */
export function createOverview(tools: OverviewTools): () => Promise<Overview> {
  return cached(() => read(tools), rememberedMs);
}

async function read(tools: OverviewTools): Promise<Overview> {
  const at = new Date();
  const [servers, backlog, queue, processes] = await Promise.all([
    tools.health.servers(),
    orUndefined(readBacklog(tools)),
    orUndefined(tools.inspection.counts()),
    orUndefined(readReports(tools.redis, tools.prefix)),
  ]);
  const stuck =
    backlog !== undefined && backlog.stuck > 0 ? await orUndefined(tools.stuckOrders.list(stuckShownMax)) : [];
  const activity = processes === undefined ? undefined : activityOf(processes);
  const scaling =
    backlog === undefined || activity === undefined
      ? undefined
      : suggestScaling({ ...activity, pending: backlog.pending }, tools.limits);
  return { at, servers, backlog, stuck: stuck ?? [], queue, processes, activity, scaling };
}

async function readBacklog({ backlog, pendingCount, backlogMax }: OverviewTools): Promise<Backlog | undefined> {
  const counted = pendingCount();
  return counted === undefined ? undefined : backlog.read(counted, backlogMax);
}

/** What the whole service does, from what its processes say of themselves. */
export function activityOf(processes: readonly ProcessReport[]): Activity {
  const workers = processes.filter(({ kind }) => kind === 'worker');
  const sum = (rates: readonly number[]): number => rates.reduce((total, rate) => total + rate, 0);
  return {
    acceptedPerSecond: sum(processes.map(({ acceptedPerSecond }) => acceptedPerSecond)),
    postedPerSecond: sum(workers.map(({ postedPerSecond }) => postedPerSecond)),
    workersAlive: workers.length,
    busyShare: workers.length === 0 ? 0 : sum(workers.map(({ busyShare }) => busyShare)) / workers.length,
  };
}

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch(() => undefined);
}
