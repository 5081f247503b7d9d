import { MongoServerError } from 'mongodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  attemptMinMs,
  createThroughFailover,
  failoverMaxMs,
  waitingMax,
  type ThroughFailover,
} from '../../src/storage/failover.ts';

const ofServer = (code: number) => new MongoServerError({ code, errmsg: 'refused' });
const notWritablePrimary = ofServer(10107);
const unhurried = (): number => Infinity;
let throughFailover: ThroughFailover;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  throughFailover = createThroughFailover();
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
  const answer = throughFailover(work, unhurried);
  await vi.advanceTimersByTimeAsync(failoverMaxMs);
  expect(await answer).toBe('answered');
  // With backoff: an election is no time for a storm of attempts.
  expect(work.mock.calls.length).toBeLessThan(40);
});

it.each([
  ['the servers take longer than a failover does', unhurried, failoverMaxMs],
  ['the request has no time for another attempt', (): number => attemptMinMs - 1, 0],
])('work fails as it last did where %s', async (_, leftMs, afterMs) => {
  const failed = expect(throughFailover(electing(60_000), leftMs)).rejects.toBe(notWritablePrimary);
  await vi.advanceTimersByTimeAsync(afterMs + 1_000);
  await failed;
});

it('what is no fault of the servers is not tried again', async () => {
  const work = vi.fn(() => Promise.reject(ofServer(121)));
  await expect(throughFailover(work, unhurried)).rejects.toMatchObject({ code: 121 });
  expect(work).toHaveBeenCalledTimes(1);
});

it('beyond the bound work is refused before it begins, and taken again as soon as other work ends', async () => {
  const gate = Promise.withResolvers<undefined>();
  const waiting = Array.from({ length: waitingMax }, () => throughFailover(() => gate.promise, unhurried));
  const work = vi.fn(() => Promise.resolve('answered'));
  await expect(throughFailover(work, unhurried)).rejects.toMatchObject({
    errorName: 'UNAVAILABLE',
    retryAfterSeconds: 1,
  });
  expect(work).not.toHaveBeenCalled();
  gate.resolve(undefined);
  await Promise.all(waiting);
  expect(await throughFailover(work, unhurried)).toBe('answered');
});
