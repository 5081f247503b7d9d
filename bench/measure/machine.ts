import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** What the machine's neighbours, and whatever else runs on it, leave to a measurement. */
export interface MachineState {
  /** How long a fixed piece of work takes, before and after it on average. */
  readonly workMs: number;
  /** Which share of its time the machine's host gave to others meanwhile; NaN where it does not say. */
  readonly stolen: number;
}

interface Look {
  readonly workMs: number;
  /** In ticks since the machine's start. */
  readonly stolen: number;
  readonly all: number;
}

const workBytes = 1_000_000;
const hashesPerTry = 60;
/** The quickest counts, which says most of the machine and least of what ran beside it by chance. */
const tries = 3;
/** By how much the fixed work may differ between two measurements that are compared. */
export const changedMax = 0.1;

/** @returns what `measure` does, and the state of the machine around it. */
export async function onMachine<T>(
  measure: () => Promise<T>,
  look: () => Look = lookAtMachine,
): Promise<readonly [T, MachineState]> {
  const before = look();
  const measured = await measure();
  const after = look();
  const stolen = (after.stolen - before.stolen) / (after.all - before.all);
  return [measured, { workMs: (before.workMs + after.workMs) / 2, stolen }];
}

/** Whether the machine changed too much between two measurements for them to be compared. */
export function hasChanged(one: MachineState, other: MachineState): boolean {
  return Math.abs(one.workMs / other.workMs - 1) > changedMax;
}

function lookAtMachine(): Look {
  const work = Buffer.alloc(workBytes, 'work');
  const taken = Array.from({ length: tries }, () => {
    const startedAt = performance.now();
    for (let count = 0; count < hashesPerTry; count += 1) hash('sha256', work);
    return performance.now() - startedAt;
  });
  return { workMs: Math.min(...taken), ...ticksOf(statLine()) };
}

/** Source: proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal; what follows is part of the first. */
export function ticksOf(line: string): Pick<Look, 'stolen' | 'all'> {
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  return { stolen: ticks[7] ?? Number.NaN, all: ticks.reduce((sum, each) => sum + each, 0) };
}

function statLine(): string {
  try {
    return readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
  } catch {
    // There is none but on Linux.
    return '';
  }
}
