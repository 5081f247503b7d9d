/** What the processes do. */
export interface Activity {
  readonly acceptedPerSecond: number;
  readonly postedPerSecond: number;
  readonly workersAlive: number;
  /** Share of the time in which the workers had a group in hand, 0 to 1, on average. */
  readonly busyShare: number;
}

export interface Load extends Activity {
  /** Orders that wait. */
  readonly pending: number;
}

export interface ScalingLimits {
  readonly workersMin: number;
  readonly workersMax: number;
  /** How fast the suggested workers would drain what waits now. */
  readonly drainSeconds: number;
}

export interface Scaling {
  /** How long the workers need for what waits now, were nothing to arrive; null where there are none. */
  readonly backlogSeconds: number | null;
  /** How long until nothing waits, at the rate orders arrive; null where they arrive faster than they are posted. */
  readonly drainSeconds: number | null;
  readonly suggestedWorkers: number;
  /** Orders a second that one busy worker posts. */
  readonly capacityPerWorker: number;
}

/** Until a worker was seen at work: cautious, so that a first backlog brings workers rather than hope. */
const capacityUnknown = 500;
const capacityMin = 1;
/** Below this share of busy time a worker's rate says how little came in, not how much it could do. */
const busyShareMin = 0.2;
/** Workers are suggested for this share of their capacity, so that a burst finds room. */
const utilisationTarget = 0.7;

/**
 * How many workers the load asks for: enough for what arrives and for draining what waits in `drainSeconds`. Pure. One
 * worker's capacity is what the busy ones post now; a worker that adds little (all fight over one wallet) lowers it, and
 * the limit above keeps that from growing without end.
 */
export function suggestScaling(load: Load, limits: ScalingLimits): Scaling {
  const busyWorkers = load.workersAlive * Math.min(1, load.busyShare);
  const isCapacityKnown = load.workersAlive > 0 && load.busyShare >= busyShareMin && load.postedPerSecond > 0;
  const capacityPerWorker = isCapacityKnown
    ? Math.max(capacityMin, load.postedPerSecond / busyWorkers)
    : capacityUnknown;
  const capacity = capacityPerWorker * load.workersAlive;
  const backlogSeconds = load.pending === 0 ? 0 : capacity > 0 ? load.pending / capacity : null;
  const surplus = capacity - load.acceptedPerSecond;
  const needed =
    (load.acceptedPerSecond + load.pending / limits.drainSeconds) / (capacityPerWorker * utilisationTarget);
  return {
    backlogSeconds,
    drainSeconds: load.pending === 0 ? 0 : surplus > 0 ? load.pending / surplus : null,
    suggestedWorkers: Math.min(limits.workersMax, Math.max(limits.workersMin, Math.ceil(needed))),
    capacityPerWorker,
  };
}
