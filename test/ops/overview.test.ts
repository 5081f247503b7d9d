import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOverview, lostLately } from '../../src/ops/overview.ts';

type Sources = Parameters<typeof createOverview>[0];

const never = () => new Promise<never>(() => undefined);
const after = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(resolve, ms, value));
const settings = { BACKLOG_MAX: 100 } as Parameters<typeof createOverview>[1];
const found = { pending: 5, isLowerBound: false, oldestPendingAt: undefined, stuck: 2 };
const jobs = { waiting: 1, active: 0, delayed: 0, failed: 0, completed: 2 };
const nothingWaits = { behind: [], disabled: 0, unattendedSince: undefined };

/** An overview of sources of which all answer at once but for some. */
function overviewOf(backlog: () => Promise<typeof found>, late: () => Promise<unknown>) {
  const collections = {
    backlog: { read: backlog },
    postingPause: { isPaused: () => after(0, false) },
    dueOrders: { late: () => after(0, { count: 3 }) },
    processReports: { latest: () => after(0, []), lost: late },
    webhookBacklog: { read: () => after(0, nothingWaits) },
  };
  const sources = {
    collections,
    servers: () => after(0, []),
    lastSnapshot: () => ({}),
    readJobs: () => after(0, jobs),
  };
  return createOverview(sources as unknown as Sources, settings, () => new Date());
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function read(overview: ReturnType<typeof createOverview>) {
  const reading = overview();
  await vi.advanceTimersByTimeAsync(2_000);
  return reading;
}

it('of a MongoDB that is slow, only what is late is absent', async () => {
  const overview = overviewOf(() => after(1_000, found), never);
  expect(await read(overview)).toMatchObject({
    ...{ backlog: found, lost: undefined, late: { holds: { count: 3 }, scheduled: { count: 3 } } },
    ...{ posting: { jobs, isPaused: false }, processes: [], servers: [] },
  });
});

it('what hangs is not asked again until it has answered; what fails is absent', async () => {
  const answers: ((value: unknown) => void)[] = [];
  const late = vi.fn(() => new Promise((resolve) => answers.push(resolve)));
  const backlog = vi.fn(() => Promise.reject(new Error('no')));
  const overview = overviewOf(backlog, late);
  for (let times = 0; times < 3; times += 1) {
    expect(await read(overview)).toMatchObject({ backlog: undefined, lost: undefined, processes: [] });
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect([late.mock.calls.length, backlog.mock.calls.length]).toEqual([1, 3]);
  answers[0]?.([]);
  await vi.advanceTimersByTimeAsync(2_000);
  void overview();
  await vi.advanceTimersByTimeAsync(0);
  expect(late).toHaveBeenCalledTimes(2);
});

it('of lost processes none counts any more once the last of its kind is ten minutes ago', () => {
  const at = new Date();
  const lost = [9, 11].map((minutes) => ({
    ...{ id: `${minutes}`, kind: 'worker' as const },
    seenAt: new Date(at.getTime() - minutes * 60_000),
  }));
  const countOf = (processes: typeof lost) => lostLately(processes, at).map(({ lost: { length } }) => length);
  expect([countOf(lost), countOf(lost.slice(1))]).toEqual([
    [0, 2, 0],
    [0, 0, 0],
  ]);
});
