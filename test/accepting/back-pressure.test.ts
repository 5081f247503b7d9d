import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failoverMaxMs } from '../../src/waiting/failover.ts';
import type { Backlogs } from '../../src/storage/orders/backlog.ts';
import { startBackPressure, type BackPressure } from '../../src/accepting/back-pressure.ts';
import { refusalBy } from '../support/refusal-by.ts';

const [backlogMax, backlogMaxWorkspace, workspacesMax] = [10, 4, 10_000];
const waitOptions = { timeout: 10_000, interval: 5 };
const hastenedBy = 20;
const secondMs = 1_001;
/** Of each workspace. */
type Waiting = Readonly<Record<string, number>>;
const snapshotOf = vi.fn<() => Promise<number | Waiting>>();
const countOf = vi.fn<Backlogs['countOf']>();
const away = () => Promise.reject(new Error('not primary'));
const slow = () => {
  nowMs += 2_500;
  return Promise.resolve(0);
};
let nowMs: number;
let hanging: PromiseWithResolvers<number>;
let logged: unknown[];
let pressure: BackPressure;

beforeEach(async () => {
  // The clock is the test's, and snapshots, which come once a second, do so more often.
  const { setTimeout } = timers;
  vi.spyOn(timers, 'setTimeout').mockImplementation((ms = 0, ...more) => setTimeout(ms / hastenedBy, ...more));
  syncBuiltinESMExports();
  nowMs = secondMs;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  hanging = Promise.withResolvers<number>();
  snapshotOf.mockReset().mockResolvedValue(0);
  countOf.mockReset().mockResolvedValue(0);
  logged = [];
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
  const snapshot: Backlogs['snapshot'] = async (limits) => {
    expect(limits).toEqual({ countMax: backlogMax, perWorkspaceMax: backlogMaxWorkspace });
    const waiting = await snapshotOf();
    const byWorkspace = new Map(Object.entries(typeof waiting === 'number' ? {} : waiting));
    const inAll = typeof waiting === 'number' ? waiting : [...byWorkspace.values()].reduce((sum, of) => sum + of, 0);
    return { waiting: inAll, byWorkspace, isLowerBound: false, oldestPendingAt: undefined };
  };
  pressure = startBackPressure({ backlogMax, backlogMaxWorkspace }, { snapshot, countOf }, log);
  await pressure.firstSnapshot;
});

afterEach(async () => {
  hanging.resolve(0);
  await pressure.close();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Why a create or a batch is refused. Resolves once the count that it began has been answered, if it is at once. */
async function ask(workspaceId = 'ws_1', orders?: number): Promise<string | undefined> {
  const refusal = refusalBy(pressure, workspaceId, orders);
  await new Promise(setImmediate);
  return refusal;
}

/** Asks once a second. @returns the last answer. */
async function askUntil(untilMs: number, workspaceId = 'ws_1'): Promise<string | undefined> {
  for (; nowMs + secondMs < untilMs; nowMs += secondMs) await ask(workspaceId);
  nowMs = untilMs;
  return ask(workspaceId);
}

async function nextSnapshot(): Promise<void> {
  const before = snapshotOf.mock.calls.length;
  await vi.waitFor(() => {
    expect(snapshotOf.mock.calls.length).toBeGreaterThan(before);
  }, waitOptions);
  await new Promise(setImmediate);
}

/** As while a shard is away. */
async function withoutSnapshot(): Promise<void> {
  snapshotOf.mockImplementation(away);
  await nextSnapshot();
  nowMs += 3 * secondMs;
}

describe('while the orders of a workspace cannot be counted', () => {
  beforeEach(withoutSnapshot);

  it.each([
    ['answers errors', away],
    ['does not answer', () => hanging.promise],
    ['answers slowly', slow],
  ])(
    'because MongoDB %s, its creates wait for as long as an election takes, then they are refused',
    async (_, counting) => {
      const sinceMs = nowMs;
      countOf.mockImplementation((workspaceId) => (workspaceId === 'ws_1' ? counting() : Promise.resolve(0)));
      expect(await askUntil(sinceMs + failoverMaxMs)).toBeUndefined();
      nowMs = Math.max(nowMs, sinceMs + failoverMaxMs + 1);
      expect([await ask(), await ask('ws_other')]).toEqual(['UNAVAILABLE', undefined]);
      countOf.mockResolvedValue(0);
      hanging.resolve(0);
      await askUntil(nowMs + 3 * secondMs);
      expect(await ask()).toBeUndefined();
    },
  );

  it('and then all are, its creates are taken again', async () => {
    countOf.mockImplementation(away);
    expect(await askUntil(nowMs + failoverMaxMs + 2 * secondMs)).toBe('UNAVAILABLE');
    snapshotOf.mockResolvedValue(0);
    await nextSnapshot();
    expect(await ask()).toBeUndefined();
  });

  it('an election that was waited out leaves nothing behind', async () => {
    countOf.mockImplementationOnce(away);
    await ask();
    expect(await askUntil(nowMs + 2 * failoverMaxMs)).toBeUndefined();
  });

  it('and it creates nothing for so long, it is waited for again', async () => {
    countOf.mockImplementation(away);
    expect(await askUntil(nowMs + failoverMaxMs + secondMs)).toBe('UNAVAILABLE');
    nowMs += failoverMaxMs + 1;
    expect(await ask()).toBeUndefined();
  });
});

describe('while too many orders wait', () => {
  it('in all, creates are refused, until there are fewer, or nobody knows', async () => {
    for (const [counted, refusal] of [
      [backlogMax + 1, 'BACKLOG_FULL'],
      [backlogMax, undefined],
      [backlogMax + 1, 'BACKLOG_FULL'],
    ] as const) {
      snapshotOf.mockResolvedValue(counted);
      await nextSnapshot();
      expect([await ask(), pressure.lastSnapshot()?.waiting]).toEqual([refusal, counted]);
    }
    snapshotOf.mockImplementation(away);
    await nextSnapshot();
    nowMs += 2 * failoverMaxMs;
    expect([await ask(), pressure.lastSnapshot()]).toEqual([undefined, undefined]);
  });

  it('of a workspace, its creates alone are refused, by what the snapshot says of it', async () => {
    for (const [waiting, refusal] of [
      [backlogMaxWorkspace + 1, 'WORKSPACE_BACKLOG_FULL'],
      [backlogMaxWorkspace, undefined],
      [backlogMaxWorkspace + 1, 'WORKSPACE_BACKLOG_FULL'],
    ] as const) {
      snapshotOf.mockResolvedValue({ ws_flood: waiting, ws_other: 1 });
      await nextSnapshot();
      expect([await ask('ws_flood'), await ask('ws_other'), await ask('ws_third')]).toEqual([
        refusal,
        undefined,
        undefined,
      ]);
    }
    expect(countOf).not.toHaveBeenCalled();
  });

  it('of one that was not heard of for long, the last snapshot says so', async () => {
    snapshotOf.mockResolvedValue({ ws_flood: backlogMaxWorkspace + 1 });
    await nextSnapshot();
    snapshotOf.mockReturnValue(hanging.promise);
    await nextSnapshot();
    expect(await ask('ws_flood')).toBe('WORKSPACE_BACKLOG_FULL');
  });

  it('of a workspace, it is refused too once there is no snapshot, if the last one ended before it came to it', async () => {
    snapshotOf.mockResolvedValue({ ws_flood: backlogMaxWorkspace + 1, ws_other: backlogMaxWorkspace + 1 });
    await nextSnapshot();
    const refusals = async () => [await ask('ws_flood'), await ask('ws_other')];
    expect(await refusals()).toEqual(['WORKSPACE_BACKLOG_FULL', 'WORKSPACE_BACKLOG_FULL']);
    snapshotOf.mockResolvedValueOnce({ ws_many: backlogMax, ws_other: 1 }).mockImplementation(away);
    await nextSnapshot();
    await nextSnapshot();
    expect(await refusals()).toEqual(['WORKSPACE_BACKLOG_FULL', undefined]);
  });

  it('of a workspace, its own count begins as soon as a snapshot fails', async () => {
    await ask();
    expect(countOf).not.toHaveBeenCalled();
    snapshotOf.mockImplementation(away);
    await nextSnapshot();
    await ask();
    expect(countOf).toHaveBeenCalledOnce();
  });

  it('of a workspace, while there is no snapshot, it is counted once a second, in the background', async () => {
    await withoutSnapshot();
    const flood = 'ws_flood';
    countOf.mockImplementation((workspaceId) => Promise.resolve(workspaceId === flood ? backlogMaxWorkspace + 1 : 0));
    expect(await ask(flood)).toBeUndefined();
    for (let time = 0; time < 3; time += 1) expect(await ask(flood)).toBe('WORKSPACE_BACKLOG_FULL');
    expect(await ask()).toBeUndefined();
    expect(countOf.mock.calls).toEqual([flood, 'ws_1'].map((workspaceId) => [workspaceId, backlogMaxWorkspace + 1]));
    expect(logged).toContainEqual(
      expect.objectContaining({
        ...{ workspaceId: flood, waiting: backlogMaxWorkspace + 1 },
        msg: 'refusing orders of a workspace: too many wait',
      }),
    );
    countOf.mockImplementation(away);
    expect(await askUntil(nowMs + secondMs, flood)).toBe('WORKSPACE_BACKLOG_FULL');
    countOf.mockResolvedValue(backlogMaxWorkspace);
    await askUntil(nowMs + secondMs, flood);
    expect(await ask(flood)).toBeUndefined();
  });
});

describe('orders that come many at once', () => {
  it('pass a limit by the size of one batch at the most: in all, and of a workspace', async () => {
    snapshotOf.mockResolvedValue(backlogMax - backlogMaxWorkspace - 2);
    await nextSnapshot();
    snapshotOf.mockReturnValue(hanging.promise);
    await nextSnapshot();
    expect(await ask('ws_1', backlogMaxWorkspace + 1)).toBeUndefined();
    expect(await ask('ws_1', 1)).toBe('WORKSPACE_BACKLOG_FULL');
    expect(await ask('ws_2', 2)).toBeUndefined();
    expect(await ask('ws_2', 1)).toBe('BACKLOG_FULL');
    expect(await ask('ws_3')).toBe('BACKLOG_FULL');
  });

  it('count until they were counted, by a snapshot that began after them', async () => {
    expect(await ask('ws_1', backlogMaxWorkspace + 1)).toBeUndefined();
    snapshotOf.mockReturnValueOnce(hanging.promise).mockResolvedValue({ ws_1: 1 });
    await nextSnapshot();
    expect(await ask('ws_2', backlogMaxWorkspace + 1)).toBeUndefined();
    hanging.resolve(0);
    await new Promise(setImmediate);
    expect([await ask('ws_1', 1), await ask('ws_2', 1)]).toEqual([undefined, 'WORKSPACE_BACKLOG_FULL']);
    await nextSnapshot();
    expect(await ask('ws_2', backlogMaxWorkspace)).toBeUndefined();
  });

  it('count until they were counted, by a count that began after them', async () => {
    await withoutSnapshot();
    countOf.mockReturnValueOnce(hanging.promise).mockResolvedValue(1);
    expect(await ask('ws_1', backlogMaxWorkspace + 1)).toBeUndefined();
    hanging.resolve(0);
    await new Promise(setImmediate);
    expect(await ask('ws_1', 1)).toBe('WORKSPACE_BACKLOG_FULL');
    nowMs += secondMs;
    await ask('ws_1');
    expect(await ask('ws_1', backlogMaxWorkspace)).toBeUndefined();
  });

  it('are known by the count that began last, whichever ends last', async () => {
    await ask();
    const slowSnapshot = Promise.withResolvers<number>();
    snapshotOf.mockReturnValueOnce(slowSnapshot.promise).mockReturnValue(hanging.promise);
    await nextSnapshot();
    nowMs += 3 * secondMs;
    countOf.mockResolvedValue(backlogMaxWorkspace + 1);
    await ask();
    slowSnapshot.resolve(0);
    await nextSnapshot();
    expect(await ask()).toBe('WORKSPACE_BACKLOG_FULL');
  });

  it('that bring nothing to the workers count for nothing', async () => {
    for (let time = 0; time < 20; time += 1) await ask('ws_1', 0);
    expect(await ask('ws_1', backlogMaxWorkspace)).toBeUndefined();
    expect(await ask('ws_1', 1)).toBeUndefined();
    expect(await ask('ws_1', 1)).toBe('WORKSPACE_BACKLOG_FULL');
  });
});

it('so many workspaces are remembered at a time', async () => {
  await ask('ws_1', backlogMaxWorkspace + 1);
  for (let each = 0; each < workspacesMax - 1; each += 1) pressure.check(`ws_other_${each}`);
  expect(await ask('ws_1')).toBe('WORKSPACE_BACKLOG_FULL');
  for (let each = 0; each < workspacesMax; each += 1) pressure.check(`ws_other_${each}`);
  expect(await ask('ws_1')).toBeUndefined();
});
