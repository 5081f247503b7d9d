import { MongoServerError } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  attemptMinMs,
  createThroughFailover,
  failoverMaxMs,
  waitingLimits,
  type ThroughFailover,
} from '../../src/waiting/failover.ts';
import { isTransientFault } from '../../src/storage/shared/transaction.ts';

const ofServer = (code: number) => new MongoServerError({ code, errmsg: 'refused' });
const notWritablePrimary = ofServer(10107);
const unhurried = (): number => Infinity;
let throughFailover: ThroughFailover;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  throughFailover = createThroughFailover(isTransientFault);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Fails for so long, and answers then. */
function electing(forMs: number) {
  const until = performance.now() + forMs;
  return vi.fn(() => (performance.now() < until ? Promise.reject(notWritablePrimary) : Promise.resolve('answered')));
}

it('work goes on with the new primary', async () => {
  const work = electing(failoverMaxMs - 1_000);
  const answer = throughFailover('ws_1', work, unhurried);
  await vi.advanceTimersByTimeAsync(failoverMaxMs);
  expect(await answer).toBe('answered');
  // With backoff: an election is no time for a storm of attempts.
  expect(work.mock.calls.length).toBeLessThan(40);
});

it.each([
  ['the servers take longer than a failover does', unhurried, failoverMaxMs],
  ['the request has no time for another attempt', (): number => attemptMinMs - 1, 0],
])('work fails as it last did where %s', async (_, leftMs, afterMs) => {
  const failed = expect(throughFailover('ws_1', electing(60_000), leftMs)).rejects.toBe(notWritablePrimary);
  await vi.advanceTimersByTimeAsync(afterMs + 1_000);
  await failed;
});

it('what is no fault of the servers is not tried again', async () => {
  const work = vi.fn(() => Promise.reject(ofServer(121)));
  await expect(throughFailover('ws_1', work, unhurried)).rejects.toMatchObject({ code: 121 });
  expect(work).toHaveBeenCalledTimes(1);
});

describe('places', () => {
  const unavailable = { errorName: 'UNAVAILABLE', retryAfterSeconds: 1 };
  const fill = (work: () => Promise<string>, perWorkspace: readonly (readonly [string, number])[]) =>
    perWorkspace.flatMap(([workspaceId, count]) =>
      Array.from({ length: count }, () => throughFailover(workspaceId, work, unhurried)),
    );

  it('of one workspace are a share; beyond it work is refused before it begins, until other work ends', async () => {
    const gate = Promise.withResolvers<string>();
    const waiting = fill(() => gate.promise, [['ws_1', waitingLimits.ofKeyMax]]);
    const work = vi.fn(() => Promise.resolve('answered'));
    await expect(throughFailover('ws_1', work, unhurried)).rejects.toMatchObject(unavailable);
    expect(work).not.toHaveBeenCalled();
    expect(await throughFailover('ws_2', work, unhurried)).toBe('answered');
    gate.resolve('answered');
    await Promise.all(waiting);
    expect(await throughFailover('ws_1', work, unhurried)).toBe('answered');
  });

  it('are there for a newcomer, who takes that of the last of those with most; its attempt may end, and is the last', async () => {
    const gate = Promise.withResolvers<string>();
    const lefts: (() => number)[] = [];
    const hanging = vi.fn((leftMs: () => number) => {
      lefts.push(leftMs);
      return gate.promise;
    });
    throughFailover = createThroughFailover(isTransientFault, { max: 3, ofKeyMax: 2 });
    const [kept, lost, other] = ['ws_1', 'ws_1', 'ws_2'].map((who) => throughFailover(who, hanging, unhurried));
    const others = Promise.allSettled([kept, other]);
    const refused = expect(lost).rejects.toMatchObject(unavailable);
    expect(await throughFailover('ws_3', () => Promise.resolve('answered'), unhurried)).toBe('answered');
    await refused;
    expect(lefts.map((leftMs) => leftMs())).toEqual([Infinity, 0, Infinity]);
    gate.reject(notWritablePrimary);
    await vi.advanceTimersByTimeAsync(100);
    // The two that kept their places go on, the third does not.
    expect(hanging).toHaveBeenCalledTimes(5);
    await vi.advanceTimersByTimeAsync(failoverMaxMs + 1_000);
    expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('change hands only while attempts are few, because those that lost theirs go on', async () => {
    throughFailover = createThroughFailover(isTransientFault, { max: 2, ofKeyMax: 2 });
    const gate = Promise.withResolvers<string>();
    const taken = ['ws_1', 'ws_1', 'ws_2', 'ws_2'].map((who) => throughFailover(who, () => gate.promise, unhurried));
    const outcomes = Promise.allSettled(taken);
    await expect(throughFailover('ws_3', () => gate.promise, unhurried)).rejects.toMatchObject(unavailable);
    gate.resolve('answered');
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  });
});
