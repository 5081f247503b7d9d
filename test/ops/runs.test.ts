import { describe, expect, it } from 'vitest';
import { runsOf } from '../../src/ops/runs.ts';
import type { ProcessReport } from '../../src/storage/processes/reports.ts';
import type { ProcessRun } from '../../src/storage/processes/runs.ts';

const at = new Date('2026-01-01T12:00:00Z');
const ago = (minutes: number): Date => new Date(at.getTime() - minutes * 60_000);
const alive = (id: string) => ({ id }) as ProcessReport;

describe('the runs of the last hour', () => {
  const runs: ProcessRun[] = [
    { id: 'w1', kind: 'worker', startedAt: ago(5), lostAt: ago(1) },
    { id: 'w2', kind: 'worker', startedAt: ago(300), lostAt: ago(29) },
    { id: 'w3', kind: 'worker', startedAt: ago(50), lostAt: ago(31) },
    { id: 'web', kind: 'web', lostAt: ago(3) },
    { id: 'slow', kind: 'worker', startedAt: ago(40), lostAt: ago(2) },
    { id: 'stopped', kind: 'worker', startedAt: ago(4), lostAt: ago(3), endedAt: ago(2) },
    { id: 'old', kind: 'worker', startedAt: ago(90), lostAt: ago(61) },
  ];
  const { lost, started, lately } = runsOf(runs, [alive('slow')], at);

  it('name whom nobody hears of any more, the last one first', () => {
    expect(lost.map(({ id }) => id)).toEqual(['w1', 'web', 'w2', 'w3']);
  });

  it('count what started, whatever became of it', () => {
    expect(started.map(({ id }) => id)).toEqual(['w1', 'w3', 'slow', 'stopped']);
  });

  it('are counted for the metrics over half an hour, by kind', () => {
    expect(lately.map(({ kind, started, lost }) => [kind, started, lost.map(({ id }) => id)])).toEqual([
      ['web', 0, ['web']],
      ['worker', 2, ['w1', 'w2']],
    ]);
  });
});
