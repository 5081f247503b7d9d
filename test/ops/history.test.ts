import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { onTimeAxis, slotMs, startHistory } from '../../src/ops/history.ts';
import type { Overview } from '../../src/ops/overview.ts';
import { bannerStates } from '../support/page-states.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const prefix = 'history-test';
const redis = new Redis((await testRedis()).url);
afterAll(() => {
  redis.disconnect();
});

const halfHourMs = 1_800_000;
const overviewAt = (at: Date): Overview => ({ ...bannerStates.draining().overview, at });
const agoMs = (ms: number): Date => new Date(Date.now() - ms);

describe('the history', () => {
  it('is there after a restart, of the last half hour, and takes one place for each moment', async () => {
    const looks = [agoMs(20 * 60_000), agoMs(10 * 60_000), new Date()];
    for (const [index, at] of looks.entries()) {
      const history = startHistory(() => Promise.resolve(overviewAt(at)), redis, prefix);
      await waitFor(async () => (await redis.hlen(`${prefix}:history`)) === index + 1);
      // A second look at the same moment takes the place of the first.
      expect(history.points().map((point) => point.at)).toEqual(looks.slice(0, index + 1));
      await history.close();
    }
    expect(await redis.pttl(`${prefix}:history`)).toBeGreaterThan(halfHourMs - 60_000);
    const after = startHistory(() => Promise.resolve(overviewAt(agoMs(31 * 60_000))), redis, prefix);
    await waitFor(() => after.points().length === 3);
    expect(after.points()[0]).toMatchObject({ at: looks[0], acceptedPerSecond: 1_840, pending: 180 });
    await after.close();
  });

  it('goes on from what this process saw where Redis is away', async () => {
    const away = new Redis({ port: 1, lazyConnect: true, retryStrategy: () => null, enableOfflineQueue: false });
    away.on('error', () => undefined);
    const history = startHistory(() => Promise.resolve(overviewAt(new Date())), away, prefix);
    await waitFor(() => history.points().length === 1);
    await history.close();
    away.disconnect();
  });

  it('is laid on a time axis that ends now, with gaps where nobody looked', () => {
    const { history } = bannerStates.draining();
    const now = new Date();
    const [first, , third] = history.slice(-3);
    if (first === undefined || third === undefined) throw new Error('the state has a history');
    const places = onTimeAxis([first, third], third.at, 10);
    expect(places).toHaveLength(10);
    expect(places.slice(-3)).toEqual([first, undefined, third]);
    expect(onTimeAxis(history, now, 10).length).toBeGreaterThanOrEqual(history.length);
    expect(onTimeAxis([], now, 10)).toEqual(Array.from({ length: 10 }, () => undefined));
    expect(slotMs * 360).toBe(halfHourMs);
  });
});
