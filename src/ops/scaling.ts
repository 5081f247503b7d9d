import type { WebSettings } from '../config.ts';
import type { ProcessReport } from './reports.ts';

export interface Load extends ReturnType<typeof activityOf> {
  /** Orders that wait. */
  readonly pending: number;
  readonly partitions: number;
  /** Partitions that have jobs now. */
  readonly partitionsWithJobs: number;
}

export type ScalingLimits = Pick<WebSettings, 'SCALE_WORKERS_MIN' | 'SCALE_WORKERS_MAX' | 'SCALE_DRAIN_SECONDS'>;

export interface Scaling {
  /** How long the workers need for what waits now, were nothing to arrive; null where there are none. */
  readonly backlogSeconds: number | null;
  /** How long until nothing waits, at the rate orders arrive; null where they arrive faster than they are posted. */
  readonly drainSeconds: number | null;
  readonly suggestedWorkers: number;
  /** Orders a second that one busy worker posts. */
  readonly capacityPerWorker: number;
  /**
   * Why more workers would not help although the load asks for them: each partition has a worker of its own, or the load is
   * of workspaces in so few partitions; null where they would.
   */
  readonly limitedBy: 'partitions' | 'workspaces' | null;
}

/** Until a worker was seen at work: cautious, so that a first backlog brings workers rather than hope. */
const capacityAtFirst = 500;
const capacityMin = 1;
/** Below this share of busy time a worker's rate says how little came in, not how much it could do. */
const busyShareMin = 0.2;
/** Of what is seen now, in the capacity that is remembered. */
const capacityWeight = 0.1;
/** Workers are suggested for this share of their capacity, so that a burst finds room. */
const utilisationTarget = 0.7;
/** Fewer are suggested only where fewer were enough for so long: a scaler that follows each dip starts workers in vain. */
const steadyMs = 60_000;

interface Look {
  readonly at: number;
  readonly needed: number;
  readonly partitionsWithJobs: number;
}

/** What the whole service does, from what its processes say of themselves. */
export function activityOf(processes: readonly ProcessReport[]) {
  const workers = processes.filter(({ kind }) => kind === 'worker');
  const owners = workers.filter(({ partitions }) => partitions.length > 0);
  const sum = (rates: readonly number[]): number => rates.reduce((total, rate) => total + rate, 0);
  return {
    acceptedPerSecond: sum(processes.map(({ acceptedPerSecond }) => acceptedPerSecond)),
    postedPerSecond: sum(workers.map(({ postedPerSecond }) => postedPerSecond)),
    workersAlive: workers.length,
    /** Share of the time in which the workers that have partitions had a group in hand, 0 to 1, on average. */
    busyShare: owners.length === 0 ? 0 : sum(owners.map(({ busyShare }) => busyShare)) / owners.length,
  };
}

/**
 * Watches the load, and says how many workers it asks for: enough for what arrives and for draining what waits in
 * SCALE_DRAIN_SECONDS; more at once, fewer after a minute, none for whom there is no partition. One worker's capacity is a
 * moving average of what the busy ones posted, and is remembered while they are idle.
 */
export function createScaling(limits: ScalingLimits, nowMs: () => number = () => performance.now()) {
  const { SCALE_WORKERS_MIN: workersMin, SCALE_WORKERS_MAX: workersMax, SCALE_DRAIN_SECONDS: drainSeconds } = limits;
  let capacitySeen: number | undefined;
  let looks: Look[] = [];

  function capacityOf({ workersAlive, busyShare, postedPerSecond, partitions }: Load): number {
    const busyWorkers = Math.min(workersAlive, partitions) * Math.min(1, busyShare);
    if (busyWorkers > 0 && busyShare >= busyShareMin && postedPerSecond > 0) {
      const seen = Math.max(capacityMin, postedPerSecond / busyWorkers);
      capacitySeen = capacitySeen === undefined ? seen : capacitySeen + capacityWeight * (seen - capacitySeen);
    }
    return capacitySeen ?? capacityAtFirst;
  }

  return (load: Load): Scaling => {
    const { pending, acceptedPerSecond, partitions } = load;
    const capacityPerWorker = capacityOf(load);
    const capacity = capacityPerWorker * Math.min(load.workersAlive, partitions);
    const surplus = capacity - acceptedPerSecond;
    const needed = Math.ceil((acceptedPerSecond + pending / drainSeconds) / (capacityPerWorker * utilisationTarget));
    const at = nowMs();
    looks = [
      ...looks.filter((look) => at - look.at < steadyMs),
      { at, needed, partitionsWithJobs: load.partitionsWithJobs },
    ];
    const neededLately = Math.max(...looks.map((look) => look.needed));
    const usefulLately = Math.max(1, ...looks.map((look) => look.partitionsWithJobs));
    const useful = Math.min(partitions, usefulLately);
    return {
      backlogSeconds: pending === 0 ? 0 : capacity > 0 ? pending / capacity : null,
      drainSeconds: pending === 0 ? 0 : surplus > 0 ? pending / surplus : null,
      suggestedWorkers: Math.min(workersMax, Math.max(workersMin, Math.min(neededLately, useful))),
      capacityPerWorker,
      limitedBy: neededLately <= useful ? null : useful === partitions ? 'partitions' : 'workspaces',
    };
  };
}
