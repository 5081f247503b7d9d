import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { createNonces } from '../../src/redis/nonces.ts';
import { createKeyLimit } from '../../src/redis/rateLimits.ts';
import type { RateVerdict } from '../../src/redis/rateLimits.ts';
import type { KeyRate } from '../../src/storage/apiKeys.ts';
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
