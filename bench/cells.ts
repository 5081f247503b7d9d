import { hasChanged, onMachine, type MachineState } from './measure/machine.ts';
import type { Measured } from './measure/measured.ts';
import { median } from './measure/median.ts';
import type { Servers } from './servers/servers.ts';

/** One line of the result: something that is measured once a run. */
export interface Cell {
  readonly name: string;
  readonly role: 'product' | 'baseline' | 'limit';
  readonly unit: 'orders' | 'requests' | 'jobs' | 'legs';
  /** Names of the cells of the same run that it is compared with. */
  readonly against: readonly string[];
  /** By how much it has more than what it is compared with, where its rate should grow like that. */
  readonly times?: number;
  /** @param run from 0. */
  measure(servers: Servers, run: number): Promise<Measured>;
  /** Gives up what is kept from run to run; repeating it does nothing. */
  readonly close?: () => Promise<void>;
}

export interface Row {
  readonly name: string;
  readonly role: Cell['role'];
  readonly unit: Cell['unit'];
  readonly times?: number;
  /** One a run. */
  readonly runs: readonly Measured[];
  /** The machine around each. */
  readonly machine: readonly MachineState[];
  /**
   * The median of the runs' ratios, by the name of what it is compared with: of the runs within which the machine stayed the same;
   * NaN if it did in none.
   */
  readonly ratios: Readonly<Record<string, number>>;
}

/**
 * Measures every cell once a run, so that what is compared was measured minutes apart at the most; then compares within
 * each run.
 */
export async function measureCells(
  cells: readonly Cell[],
  runs: number,
  servers: Servers,
  onMeasured: (cell: Cell, run: number, measured: Measured) => void,
): Promise<Row[]> {
  const found = new Map<string, Of[]>(cells.map(({ name }) => [name, []]));
  try {
    for (let run = 0; run < runs; run += 1) {
      for (const cell of cells) {
        const [measured, machine] = await onMachine(() => cell.measure(servers, run));
        found.get(cell.name)?.push({ measured, machine });
        onMeasured(cell, run, measured);
      }
    }
  } finally {
    for (const cell of cells) await cell.close?.();
  }
  return cells.map(({ name, role, unit, against, times }) => {
    const own = found.get(name) ?? [];
    const ratios = against
      .filter((other) => found.has(other))
      .map((other) => [other, medianRatio(own, found.get(other) ?? [])] as const);
    const growth = times === undefined ? {} : { times };
    const runs = own.map(({ measured }) => measured);
    const machine = own.map((of) => of.machine);
    return { name, role, unit, ...growth, runs, machine, ratios: Object.fromEntries(ratios) };
  });
}

interface Of {
  readonly measured: Measured;
  readonly machine: MachineState;
}

export function medianRatio(own: readonly Of[], others: readonly Of[]): number {
  const ratios = own.flatMap(({ measured, machine }, run) => {
    const other = others[run];
    return other === undefined || hasChanged(machine, other.machine)
      ? []
      : [measured.perSecond / other.measured.perSecond];
  });
  return median(ratios);
}
