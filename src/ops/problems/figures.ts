import type { PartitionState } from '../partitions.ts';
import type { Seen } from './problem.ts';

/* What several problems are told by. */

/** There may be 256 partitions. */
const namedMax = 8;

export const isPaused = (partition: PartitionState): boolean => partition.isPaused;
export const isUnowned = ({ owners }: PartitionState): boolean => owners.length === 0;

export function numbersOf(partitions: readonly PartitionState[]): Seen {
  const numbers = partitions.map(({ partition }) => partition);
  const more = numbers.length > namedMax ? ` and ${numbers.length - namedMax} more` : '';
  return { figure: `no. ${numbers.slice(0, namedMax).join(', ')}${more}` };
}

export function secondsBetween(earlier: Date | undefined, later: Date): number {
  return earlier === undefined ? 0 : (later.getTime() - earlier.getTime()) / 1_000;
}

/** Of no times: undefined. */
export function earliest(times: readonly Date[]): Date | undefined {
  return times.length === 0 ? undefined : new Date(Math.min(...times.map((time) => time.getTime())));
}
