import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { createNonces } from '../../src/redis/nonces.ts';
import { createFailureLimit, createKeyLimit, type RateVerdict } from '../../src/redis/rate-limits.ts';
import type { KeyRate } from '../../src/storage/keys/api-keys.ts';
import { testRedis } from '../support/redis.ts';

const { url } = await testRedis();
const redis = new Redis(url, { enableAutoPipelining: true });
afterAll(() => {
  redis.disconnect();
});
const usual = { perSecond: 1_000, burst: 2_000 };
const nonces = createNonces(redis, 'test');
const limit = createKeyLimit(redis, 'test', usual);

/** One request of a key: counted, then judged. */
async function request(keyId: string, rate?: KeyRate): Promise<RateVerdict> {
  const counted = await nonces.spend(keyId, randomUUID());
  if (counted === undefined) throw new Error('a random nonce was spent before');
  return limit.judge(keyId, rate, counted);
}

/** How many of so many requests at once are allowed; they may lie in two seconds. */
async function allowed(count: number, keyId: string, rate?: KeyRate): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: count }, () => request(keyId, rate)));
  return verdicts.filter(({ isAllowed }) => isAllowed).length;
}

describe('the rate of a key', () => {
  it('is that of the settings where it has none of its own', async () => {
    expect(await allowed(100, 'ak_usual')).toBe(100);
  });

  it('of its own holds for it alone, with its burst', async () => {
    const rate = { perSecond: 2, burst: 5 };
    expect(await allowed(100, 'ak_own', rate)).toBeOneOf([5, 7]);
    expect(await allowed(100, 'ak_other')).toBe(100);
    expect(await request('ak_own', rate)).toMatchObject({
      isAllowed: false,
      retryAfterSeconds: 1,
      header: '"key";r=0;t=1',
    });
  });

  it('may lie above that of the settings', async () => {
    expect(await allowed(5_000, 'ak_fast', { perSecond: 5_000, burst: 5_000 })).toBe(5_000);
  });

  it('is held against what was used before it changed, and passes again once it is taken back', async () => {
    expect(await allowed(100, 'ak_changed')).toBe(100);
    expect(await allowed(100, 'ak_changed', { perSecond: 2, burst: 2 })).toBeLessThanOrEqual(4);
    expect(await allowed(100, 'ak_changed')).toBe(100);
  });
});

describe('who is past a limit', () => {
  /** A connection of its own that is closed: whatever is still answered was not asked of Redis. */
  async function closing<Answer>(passLimit: (redis: Redis) => Promise<() => Answer>): Promise<Awaited<Answer>> {
    const own = new Redis(url);
    const askAgain = await passLimit(own);
    own.disconnect();
    return await askAgain();
  }

  it('costs Redis nothing more: an address', async () => {
    const refused = await closing(async (own) => {
      const failures = createFailureLimit(own, 'test', 3);
      const allowed = [];
      for (let time = 0; time < 4; time += 1) allowed.push((await failures.consume('203.0.113.9')).isAllowed);
      expect(allowed).toEqual([true, true, true, false]);
      return () => failures.consume('203.0.113.9');
    });
    expect(refused).toMatchObject({
      isAllowed: false,
      header: expect.stringMatching(/^"address";r=0;t=\d+$/) as string,
    });
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
  });

  it.each([
    ['a burst', { perSecond: 1, burst: 3 }],
    ['none', { perSecond: 1, burst: 1 }],
  ])('costs Redis nothing more: a key with %s', async (name, rate) => {
    const counted = { requestCount: 100, countedForMs: 1_000 };
    const refused = await closing(async (own) => {
      const keys = createKeyLimit(own, 'test', usual);
      for (let time = 0; time < 3; time += 1) await keys.judge(`ak_${name}`, rate, counted);
      return () => keys.judge(`ak_${name}`, rate, counted);
    });
    expect(refused).toMatchObject({ isAllowed: false, retryAfterSeconds: 1 });
  });
});
