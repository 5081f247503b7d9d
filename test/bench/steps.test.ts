import { expect, it } from 'vitest';
import { stepsOf } from '../../bench/profile/steps.ts';

const request = (id: string, startMs: number, endMs: number) => ({
  ...{ name: 'POST /api/v1/transfer/command/create', traceIds: [id], startMs, endMs },
});

it('an order’s time is that of its request, of the job that its request caused, and of the job’s group', () => {
  const spans = [
    request('first', 0, 10),
    request('second', 4, 12),
    { name: 'post job', traceIds: ['first', 'second'], startMs: 13, endMs: 40 },
    { name: 'post group', traceIds: ['other'], startMs: 1, endMs: 14 },
    { name: 'post group', traceIds: ['first'], startMs: 20, endMs: 38 },
    request('never posted', 5, 15),
  ];
  expect(stepsOf(spans, 10)).toEqual([
    { recorded: 8, taken: 1, begun: 7, posted: 18, total: 36 },
    { recorded: 10, taken: 3, begun: 7, posted: 18, total: 40 },
  ]);
});

it('looks at the last orders alone: those before them warmed up', () => {
  const spans = [
    request('warm-up', 0, 10),
    request('measured', 100, 110),
    { name: 'post job', traceIds: ['warm-up'], startMs: 11, endMs: 20 },
    { name: 'post job', traceIds: ['measured'], startMs: 112, endMs: 130 },
    { name: 'post group', traceIds: ['measured'], startMs: 115, endMs: 129 },
  ];
  expect(stepsOf(spans, 1)).toEqual([{ recorded: 10, taken: 2, begun: 3, posted: 14, total: 30 }]);
});
