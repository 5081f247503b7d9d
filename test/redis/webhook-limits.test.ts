import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import {
  callsPerMinute,
  createReplayPace,
  createWebhookCallLimit,
  replayedAtOnceMax,
} from '../../src/redis/webhook-limits.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { url } = await testRedis();
const redis = new Redis(url);
afterAll(() => redis.quit());

const prefix = `limits-${Math.random()}`;
const times = async <T>(count: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, act));

describe('how often owners may have something sent', () => {
  const limit = createWebhookCallLimit(redis, prefix);

  it.each(['create', 'test', 'replay'] as const)(
    'is limited for a %s by the minute, whichever process counts',
    async (call) => {
      const other = createWebhookCallLimit(redis, prefix);
      const verdicts = await times(callsPerMinute[call], () => limit.consume(call, 'ws_1'));
      expect(verdicts.every(({ isAllowed }) => isAllowed)).toBe(true);
      const { isAllowed, retryAfterSeconds, header } = await other.consume(call, 'ws_1');
      expect(isAllowed).toBe(false);
      expect(retryAfterSeconds).toBeGreaterThan(0);
      expect(header).toMatch(/^"webhook";r=0;t=\d+$/);
    },
  );

  it('is limited for each workspace, and each kind of call, by itself', async () => {
    await times(callsPerMinute.test + 1, () => limit.consume('test', 'ws_2'));
    expect(await limit.consume('test', 'ws_3')).toMatchObject({ isAllowed: true });
    expect(await limit.consume('replayOfEvent', 'ws_2')).toMatchObject({ isAllowed: true });
  });
});

describe('the pace of replays', () => {
  const pace = createReplayPace(redis, prefix);

  it('lets a workspace send so many events at once, and more a moment later', async () => {
    expect(await pace.take('ws_1', replayedAtOnceMax - 1)).toBe(true);
    expect(await pace.take('ws_1', 2)).toBe(false);
    expect(await pace.take('ws_2', 2)).toBe(true);
    await waitFor(() => pace.take('ws_1', 2));
  });

  it('lets an entry pass that has more events than that', async () => {
    expect(await pace.take('ws_3', 10 * replayedAtOnceMax)).toBe(true);
    expect(await pace.take('ws_3', 1)).toBe(false);
  });
});
