import { describe, expect, it } from 'vitest';
import { lostOf } from '../../src/ops/runs.ts';
import type { ProcessReport } from '../../src/storage/processes/reports.ts';
import type { ProcessRun } from '../../src/storage/processes/runs.ts';

const at = new Date('2026-01-01T12:00:00Z');
const ago = (minutes: number): Date => new Date(at.getTime() - minutes * 60_000);
const alive = (id: string) => ({ id }) as ProcessReport;
const lostIds = (runs: readonly ProcessRun[]) =>
  lostOf(runs, [alive('slow')], at).map(({ kind, lost }) => [kind, lost.map(({ id }) => id)]);

describe('who was lost', () => {
  const runs: ProcessRun[] = [
    { id: 'w1', kind: 'worker', startedAt: ago(5), lostAt: ago(1) },
    { id: 'w2', kind: 'worker', startedAt: ago(300), lostAt: ago(29) },
    { id: 'w3', kind: 'worker', startedAt: ago(50), lostAt: ago(31) },
    { id: 'web', kind: 'web', lostAt: ago(3) },
    { id: 'slow', kind: 'worker', startedAt: ago(40), lostAt: ago(2) },
    { id: 'stopped', kind: 'worker', startedAt: ago(4), lostAt: ago(3), endedAt: ago(2) },
  ];

  it('is whoever nobody hears of any more, within half an hour, the last one first', () => {
    expect(lostIds(runs)).toEqual([
      ['web', ['web']],
      ['worker', ['w1', 'w2']],
    ]);
  });

  it('is who died while it started, which nobody else finds silent', () => {
    const starting = (id: string, startingAt: Date, more: Partial<ProcessRun> = {}): ProcessRun => ({
      ...{ id, kind: 'worker', startedAt: ago(5), startingAt },
      ...more,
    });
    const stillStarts = starting('starts', new Date(at.getTime() - 2_000));
    const begun = starting('begun', ago(3), { begunAt: ago(3) });
    const stopped = starting('stopped', ago(3), { endedAt: ago(2) });
    expect(lostIds([starting('dead', ago(4)), stillStarts, begun, stopped])).toEqual([
      ['web', []],
      ['worker', ['dead']],
    ]);
  });

  it('is nobody once the last one is ten minutes ago', () => {
    expect(lostIds(runs.filter(({ id }) => id !== 'w1'))).toEqual([
      ['web', ['web']],
      ['worker', []],
    ]);
  });
});
