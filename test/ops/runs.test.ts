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
    { id: 'w1', kind: 'worker', seenAt: ago(1) },
    { id: 'w2', kind: 'worker', seenAt: ago(29) },
    { id: 'w3', kind: 'worker', seenAt: ago(31) },
    { id: 'web', kind: 'web', seenAt: ago(3) },
    { id: 'runs', kind: 'worker', seenAt: ago(0.1) },
    { id: 'slow', kind: 'worker', seenAt: ago(2) },
    { id: 'stopped', kind: 'worker', seenAt: ago(3), endedAt: ago(2) },
  ];

  it('is whoever nobody hears of any more, within half an hour, the last one first', () => {
    expect(lostIds(runs)).toEqual([
      ['web', ['web']],
      ['worker', ['w1', 'w2']],
    ]);
  });

  it('is nobody once the last one is ten minutes ago', () => {
    expect(lostIds(runs.filter(({ id }) => id !== 'w1'))).toEqual([
      ['web', ['web']],
      ['worker', []],
    ]);
  });
});
