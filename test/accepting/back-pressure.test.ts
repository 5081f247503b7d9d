import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ErrorName } from '../../src/errors.ts';
import { failoverMaxMs } from '../../src/waiting/failover.ts';
import type { Backlogs } from '../../src/storage/orders/backlog.ts';
import { startBackPressure, type BackPressure } from '../../src/accepting/back-pressure.ts';

const backlogMax = 10;
const backlogMaxWorkspace = 4;
const waitOptions = { timeout: 10_000, interval: 5 };
const hastenedBy = 20;
const refusedFor = (errorName: ErrorName) => expect.objectContaining({ errorName, retryAfterSeconds: 5 }) as Error;
const count = vi.fn<() => Promise<number>>();
const countOf = vi.fn<Backlogs['countOf']>();
let overLimit: ReadonlyMap<string, number>;
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
  overLimit = new Map();
  countOf.mockReset();
  pressure = start(false);
  await nextLook();
});

function start(isSharded: boolean): BackPressure {
  const snapshot: Backlogs['snapshot'] = async (limits) => {
    expect(limits).toEqual({ countMax: backlogMax, perWorkspaceMax: backlogMaxWorkspace });
    return { waiting: await count(), waitingOf: overLimit, overLimit, oldestPendingAt: undefined };
  };
  const log = pino({ level: 'silent' });
  return startBackPressure({ backlogMax, backlogMaxWorkspace }, { snapshot, countOf }, isSharded, log);
}

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
  overLimit = new Map([['ws_flood', backlogMaxWorkspace + 1]]);
  await nextLook();
  const flood = () => {
    check('ws_flood');
  };
  expect(flood).toThrow(refusedFor('WORKSPACE_BACKLOG_FULL'));
  expect(check).not.toThrow();

  count.mockRejectedValueOnce(new Error('took too long'));
  await nextLook();
  expect(flood).toThrow(refusedFor('WORKSPACE_BACKLOG_FULL'));

  overLimit = new Map();
  await nextLook();
  expect(flood).not.toThrow();
});

describe('orders that come many at once', () => {
  const batch = (workspaceId: string, orders: number) => () => {
    pressure.checkBatch(workspaceId, orders);
  };

  it('pass a limit by the size of one batch at the most: in all, and of a workspace', async () => {
    count.mockResolvedValue(backlogMax);
    overLimit = new Map([['ws_1', backlogMaxWorkspace]]);
    await nextLook();
    const before = count.mock.calls.length;
    expect(batch('ws_1', 7)).not.toThrow();
    expect(batch('ws_1', 1)).toThrow(refusedFor('BACKLOG_FULL'));
    expect(batch('ws_2', 1)).toThrow(refusedFor('BACKLOG_FULL'));
    expect(count.mock.calls).toHaveLength(before);
    count.mockResolvedValue(0);
    await nextLook();
    await nextLook();
    expect(batch('ws_1', 1)).not.toThrow();
    expect(batch('ws_1', 1)).toThrow(refusedFor('WORKSPACE_BACKLOG_FULL'));
    expect(batch('ws_2', backlogMaxWorkspace)).not.toThrow();
    expect(batch('ws_2', 1)).not.toThrow();
    expect(batch('ws_2', 1)).toThrow(refusedFor('WORKSPACE_BACKLOG_FULL'));
  });

  it('count until a look that began after them was answered, and for no single create', async () => {
    const looking = Promise.withResolvers<number>();
    count.mockReturnValueOnce(looking.promise);
    await nextLook();
    expect(batch('ws_1', backlogMaxWorkspace + 1)).not.toThrow();
    count.mockRejectedValueOnce(new Error('took too long'));
    looking.resolve(0);
    await nextLook();
    expect(batch('ws_1', 1)).toThrow(refusedFor('WORKSPACE_BACKLOG_FULL'));
    expect(check).not.toThrow();
    await nextLook();
    await nextLook();
    expect(batch('ws_1', 1)).not.toThrow();
  });

  it('that bring nothing to the workers count for nothing', () => {
    for (let time = 0; time < 20; time += 1) expect(batch('ws_1', 0)).not.toThrow();
    expect(batch('ws_1', backlogMaxWorkspace)).not.toThrow();
    expect(batch('ws_1', 1)).not.toThrow();
    expect(batch('ws_1', 1)).toThrow(refusedFor('WORKSPACE_BACKLOG_FULL'));
  });
});

describe('on a cluster of which a shard is away', () => {
  const [living, dead] = ['ws_living', 'ws_dead'];
  let waiting: number;
  const refusals = (...workspaceIds: string[]) =>
    workspaceIds.map((workspaceId) => {
      try {
        check(workspaceId);
        return undefined;
      } catch (error) {
        return (error as { errorName: ErrorName }).errorName;
      }
    });

  beforeEach(async () => {
    await pressure.close();
    waiting = 0;
    countOf.mockImplementation((workspaceId) =>
      workspaceId.startsWith(dead) ? Promise.reject(new Error('no primary')) : Promise.resolve(waiting),
    );
    count.mockRejectedValue(new Error('no primary'));
    pressure = start(true);
    await nextLook();
    expect(refusals(living, dead)).toEqual([undefined, undefined]);
    await nextLook();
  });

  it('only workspaces of that shard are refused, once an election would be over', async () => {
    nowMs = failoverMaxMs + 1;
    await nextLook();
    await nextLook();
    expect(refusals(living, dead)).toEqual([undefined, 'UNAVAILABLE']);
    expect(refusals('ws_new')).toEqual([undefined]);
    expect(countOf).toHaveBeenCalledWith(living, backlogMaxWorkspace + 1, expect.any(Number));
    count.mockResolvedValue(0);
    await nextLook();
    await nextLook();
    expect(refusals(living, dead)).toEqual([undefined, undefined]);
  });

  it('the others are refused by what waits of their own, and of all that are known', async () => {
    waiting = backlogMaxWorkspace + 1;
    await nextLook();
    await nextLook();
    expect(refusals(living, dead)).toEqual(['WORKSPACE_BACKLOG_FULL', undefined]);
    refusals('ws_second', 'ws_third');
    await nextLook();
    await nextLook();
    expect(refusals(living, dead)).toEqual(['BACKLOG_FULL', 'BACKLOG_FULL']);
  });

  it('batches count until their workspace was counted', async () => {
    pressure.checkBatch(living, backlogMaxWorkspace + 1);
    const another = () => {
      pressure.checkBatch(living, 1);
    };
    expect(another).toThrow(refusedFor('WORKSPACE_BACKLOG_FULL'));
    await nextLook();
    await nextLook();
    await nextLook();
    expect(another).not.toThrow();
  });

  it('so many are known at a time: one that creates nothing gives way, and one too many is refused', async () => {
    const many = Array.from({ length: 300 }, (_, index) => `${dead}_${index}`);
    nowMs = failoverMaxMs / 2;
    refusals(...many);
    nowMs = failoverMaxMs + 1;
    await nextLook();
    await nextLook();
    const given = refusals(...many);
    expect(given.filter((refusal) => refusal === undefined)).toHaveLength(256);
    expect(given.at(-1)).toBe('UNAVAILABLE');
    expect(Math.max(...countOf.mock.calls.map(([, countMax]) => countMax))).toBe(backlogMaxWorkspace + 1);
  });
});
