import { latelyOf, type ProcessReport } from '../storage/processes/reports.ts';

export interface Load extends ReturnType<typeof activityOf> {
  /** Orders that wait. */
  readonly pending: number;
  /** Buckets of which workspaces wait or are posted now: as many workers find something to do. */
  readonly buckets: number;
}

export interface Scaling {
  readonly suggestedWorkers: number;
  /**
   * Why more workers would not help although the load asks for them: it comes from few workspaces, or the workers wait for
   * MongoDB. Null if they would help, or are not needed.
   */
  readonly limitedBy: 'workspaces' | 'mongodb' | null;
}

/** Workers whose commits take longer than this, on average, wait for MongoDB: more of them would only wait too. */
export const slowCommitSeconds = 1;
/** Assumed until a worker has been seen at work. It is low, so that a first backlog brings enough workers. */
const capacityAtFirst = 500;
const capacityMin = 1;
/** How fast the suggested workers would drain what waits. */
const drainWithinSeconds = 10;
/** Below this share of busy time a worker's rate shows how little there was to do, and not how much it can do. */
const busyShareMin = 0.2;
/** The weight of what is seen now in the moving average. */
const capacityWeight = 0.1;
/** Workers are to be used to this share of their capacity, so that there is room for a burst. */
const utilisationTarget = 0.7;
/** Fewer workers are suggested only after fewer were enough for this long, so that a scaler does not follow each dip. */
const steadyMs = 60_000;

interface Sample {
  readonly at: number;
  readonly needed: number;
  readonly buckets: number;
}

/** The activity of the whole service, from the reports of its processes. */
export function activityOf(processes: readonly ProcessReport[]) {
  const workers = processes.filter(({ kind }) => kind === 'worker');
  const sum = (rates: readonly number[]): number => rates.reduce((total, rate) => total + rate, 0);
  return {
    acceptedPerSecond: sum(processes.map(({ acceptedPerSecond }) => acceptedPerSecond)),
    postedPerSecond: sum(workers.map(({ postedPerSecond }) => postedPerSecond)),
    workersAlive: workers.length,
    /** Share of the time in which a worker had a group in hand, 0 to 1, on average. */
    busyShare: workers.length === 0 ? 0 : sum(workers.map(({ busyShare }) => busyShare)) / workers.length,
    /** How long a commit takes, on average; 0 if there were none. */
    commitSeconds: latelyOf(processes, 'commitSeconds') / (latelyOf(processes, 'commits') || 1),
  };
}

/**
 * Watches the load, and says how many workers it asks for: enough to post what arrives, and to drain what waits in
 * {@link drainWithinSeconds}. It suggests more workers at once, fewer only after a minute, and beyond the first none that
 * would find nothing to do, nor more than there are while those wait for MongoDB. A worker's capacity is a moving average of
 * what busy ones posted, kept while idle.
 */
export function createScaling(nowMs: () => number = () => performance.now()) {
  let capacitySeen: number | undefined;
  let samples: Sample[] = [];

  /** Orders a second that one busy worker posts. */
  function capacityOf({ workersAlive, busyShare, postedPerSecond }: Load): number {
    const busyWorkers = workersAlive * Math.min(1, busyShare);
    if (busyWorkers > 0 && busyShare >= busyShareMin && postedPerSecond > 0) {
      const seen = Math.max(capacityMin, postedPerSecond / busyWorkers);
      capacitySeen = capacitySeen === undefined ? seen : capacitySeen + capacityWeight * (seen - capacitySeen);
    }
    return capacitySeen ?? capacityAtFirst;
  }

  return (load: Load): Scaling => {
    const { pending, acceptedPerSecond, buckets } = load;
    const needed = Math.ceil(
      (acceptedPerSecond + pending / drainWithinSeconds) / (capacityOf(load) * utilisationTarget),
    );
    const at = nowMs();
    samples = [...samples.filter((sample) => at - sample.at < steadyMs), { at, needed, buckets }];
    const neededLately = Math.max(...samples.map((sample) => sample.needed));
    const usefulLately = Math.max(1, ...samples.map((sample) => sample.buckets));
    const isMongoSlow = load.commitSeconds > slowCommitSeconds;
    const useful = Math.min(usefulLately, isMongoSlow ? Math.max(1, load.workersAlive) : Infinity);
    return {
      suggestedWorkers: Math.max(1, Math.min(neededLately, useful)),
      limitedBy: neededLately <= useful ? null : isMongoSlow ? 'mongodb' : 'workspaces',
    };
  };
}
