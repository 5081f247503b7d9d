import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ErrorName } from '../../src/errors.ts';
import { failoverMaxMs } from '../../src/storage/shared/failover.ts';
import type { Backlogs } from '../../src/storage/orders/backlog.ts';
import type { PendingOrders } from '../../src/storage/orders/pending-orders.ts';
import { startBackPressure, type BackPressure } from '../../src/accepting/back-pressure.ts';

const backlogMax = 10;
const backlogMaxWorkspace = 4;
const waitOptions = { timeout: 10_000, interval: 5 };
const hastenedBy = 20;
const refusedFor = (errorName: ErrorName) => expect.objectContaining({ errorName, retryAfterSeconds: 5 }) as Error;
const count = vi.fn<() => Promise<number>>();
const crowded = vi.fn<Backlogs['crowded']>();
const check = (workspaceId = 'ws_1') => {
  pressure.check(workspaceId);
};
let nowMs: number;
let hanging: PromiseWithResolvers<number>;
let pressure: BackPressure;

beforeEach(async () => {
  // The clock is the test's, and looks, which come once a second, do so more often.
  const { setTimeout } = timers;
  vi.spyOn(timers, 'setTimeout').mockImplementation((ms = 0, ...more) => setTimeout(ms / hastenedBy, ...more));
  syncBuiltinESMExports();
  nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  hanging = Promise.withResolvers<number>();
  count.mockReset().mockResolvedValue(0);
  const look: PendingOrders['look'] = async () => {
    const waiting = await count();
    return { waiting, pending: waiting, settledBefore: '' };
  };
  const pendingOrders = { look };
  crowded.mockReset().mockResolvedValue(new Map());
  const backlog = { crowded } as unknown as Backlogs;
  const limits = { backlogMax, backlogMaxWorkspace };
  pressure = startBackPressure({ pendingOrders, backlog, log: pino({ level: 'silent' }), ...limits });
  await nextLook();
});
afterEach(async () => {
  hanging.resolve(0);
  await pressure.close();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

async function nextLook(): Promise<void> {
  const before = count.mock.calls.length;
  await vi.waitFor(() => {
    expect(count.mock.calls.length).toBeGreaterThan(before);
  }, waitOptions);
  await new Promise(setImmediate);
}

it.each([
  ['answers errors', () => Promise.reject(new Error('not primary'))],
  ['does not answer', () => hanging.promise],
  [
    'answers slowly',
    () => {
      nowMs += 2_500;
      return Promise.resolve(0);
    },
  ],
])('a MongoDB that %s is waited for as long as an election takes, then creates are refused', async (_, looking) => {
  count.mockImplementation(looking);
  await nextLook();
  nowMs = failoverMaxMs;
  expect(check).not.toThrow();
  nowMs += 1;
  expect(check).toThrow(refusedFor('UNAVAILABLE'));
});

it('a MongoDB whose answers are all slow is given up as long after the first of them, until one is fast', async () => {
  count.mockImplementation(() => {
    nowMs += 2_500;
    return Promise.resolve(0);
  });
  while (nowMs <= failoverMaxMs) {
    expect(check).not.toThrow();
    await nextLook();
  }
  expect(check).toThrow(refusedFor('UNAVAILABLE'));
  count.mockResolvedValue(0);
  await nextLook();
  expect(check).not.toThrow();
});

it('an election that was waited out leaves nothing behind', async () => {
  count.mockReturnValueOnce(hanging.promise);
  await nextLook();
  nowMs = 6_000;
  expect(check).not.toThrow();
  hanging.resolve(0);
  await new Promise(setImmediate);
  expect(check).not.toThrow();
  await nextLook();
  nowMs += failoverMaxMs;
  expect(check).not.toThrow();
});

it('a MongoDB that is slow after an election, with all that waited, is waited for as long again', async () => {
  count.mockRejectedValue(new Error('not primary'));
  nowMs = 8_000;
  await nextLook();
  count.mockImplementation(() => {
    nowMs += 2_500;
    return Promise.resolve(0);
  });
  await nextLook();
  expect(nowMs).toBeGreaterThan(failoverMaxMs);
  expect(check).not.toThrow();
  nowMs = 8_000 + failoverMaxMs + 1;
  expect(check).toThrow(refusedFor('UNAVAILABLE'));
});

it('too many orders that wait are refused at the next look, until there are fewer', async () => {
  count.mockResolvedValue(backlogMax + 1);
  await nextLook();
  expect(check).toThrow(refusedFor('BACKLOG_FULL'));
  count.mockResolvedValue(backlogMax);
  await nextLook();
  expect(check).not.toThrow();
});

it('a workspace of which too many orders wait is refused, and no other', async () => {
  count.mockResolvedValue(backlogMaxWorkspace + 1);
  crowded.mockResolvedValue(new Map([['ws_flood', backlogMaxWorkspace + 1]]));
  await nextLook();
  expect(() => {
    check('ws_flood');
  }).toThrow(refusedFor('WORKSPACE_BACKLOG_FULL'));
  expect(check).not.toThrow();
  expect(crowded).toHaveBeenCalledWith({ moreThan: backlogMaxWorkspace, countMax: backlogMax + 1 });

  crowded.mockRejectedValue(new Error('took too long'));
  await nextLook();
  expect(() => {
    check('ws_flood');
  }).toThrow(refusedFor('WORKSPACE_BACKLOG_FULL'));

  count.mockResolvedValue(backlogMaxWorkspace);
  const asked = crowded.mock.calls.length;
  await nextLook();
  check('ws_flood');
  expect(crowded).toHaveBeenCalledTimes(asked);
});
