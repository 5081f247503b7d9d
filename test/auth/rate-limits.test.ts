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
const usual = { perSecond: 200, burst: 400 };
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
    expect(await allowed(600, 'ak_fast', { perSecond: 600, burst: 600 })).toBe(600);
  });

  it('is held against what was used before it changed, and passes again once it is taken back', async () => {
    expect(await allowed(100, 'ak_changed')).toBe(100);
    expect(await allowed(100, 'ak_changed', { perSecond: 2, burst: 2 })).toBeLessThanOrEqual(4);
    expect(await allowed(100, 'ak_changed')).toBe(100);
  });
});

describe('many requests in one', () => {
  const rate = { perSecond: 10, burst: 30 };
  const extra = rate.burst - rate.perSecond;
  const second = (keyId: string) => `test:rate:key:${keyId}`;
  const burst = (keyId: string) => `test:rate:burst:${keyId}`;

  /** One that is counted, judged and charged. @param used what the key has used of its second and its burst. */
  async function batch(keyId: string, count: number, used?: { second?: number; burst?: number }) {
    if (used?.second !== undefined) await redis.set(second(keyId), used.second, 'PX', 30_000);
    if (used?.burst !== undefined) await redis.set(burst(keyId), used.burst, 'PX', 300_000);
    const counted = (await nonces.spend(keyId, randomUUID()))!;
    expect((await limit.judge(keyId, rate, counted)).isAllowed).toBe(true);
    return (await limit.charge(keyId, rate, count, counted)).verdict;
  }
  const used = async (keyId: string): Promise<number[]> => (await redis.mget(second(keyId), burst(keyId))).map(Number);

  it.each([
    ['of the second', 10, {}, [10, 0]],
    ['what is left of the second, then of the burst', 15, { second: 4 }, [10, 9]],
    ['all that is left', 30, {}, [10, 20]],
    ['of the burst alone', 11, { second: 10 }, [11, 11]],
    ['more than ever of a whole burst alone', 500, { second: 10 }, [11, 500]],
  ])('take %s', async (name, count, before, after) => {
    expect(await batch(`ak_${name}`, count, { second: 0, ...before })).toMatchObject({ isAllowed: true });
    expect(await used(`ak_${name}`)).toEqual(after);
  });

  it.each([
    // What helps is a new second, or a new burst.
    ['what a new second has', 12, { second: 9, burst: 18 }, { retryAfterSeconds: 30, header: '"key";r=0;t=30' }],
    ['what only a new burst has', 13, { second: 8, burst: 18 }, { retryAfterSeconds: 300, header: '"key";r=1;t=300' }],
    ['more than ever', 31, { second: 8, burst: 1 }, { retryAfterSeconds: 300 }],
  ])('take nothing where they want %s, and are told when', async (name, count, before, verdict) => {
    const keyId = `ak_${name}`;
    expect(await batch(keyId, count, before)).toMatchObject({ isAllowed: false, ...verdict });
    expect(await used(keyId)).toEqual([before.second + 1, before.burst]);
  });

  it('pass where they are more than ever, while the burst is whole, and use it until the rate has made up for them', async () => {
    expect(await batch('ak_above', 500, { second: 4 })).toMatchObject({ isAllowed: true });
    expect(await used('ak_above')).toEqual([10, 494]);
    const lastsMs = await redis.pttl(burst('ak_above'));
    expect(lastsMs).toBeGreaterThan(49_000);
    expect(lastsMs).toBeLessThanOrEqual(49_400);
    await redis.set(second('ak_above'), 0, 'PX', 30_000);
    expect(await batch('ak_above', 11)).toMatchObject({ isAllowed: false });
    expect(await batch('ak_above', 9)).toMatchObject({ isAllowed: true });
  });

  it('are counted in two steps as in one, the second of which may be more than ever', async () => {
    const keyId = 'ak_two_steps';
    await redis.set(second(keyId), 4, 'PX', 30_000);
    const counted = (await nonces.spend(keyId, randomUUID()))!;
    const first = await limit.charge(keyId, rate, 15, counted);
    expect([first.verdict.isAllowed, await used(keyId)]).toEqual([true, [10, 9]]);
    const next = await limit.charge(keyId, rate, 500, counted, first.charged);
    expect([next.verdict.isAllowed, await used(keyId)]).toEqual([true, [10, 494]]);
    expect(await redis.pttl(burst(keyId))).toBeGreaterThan(49_000);
    // What another has taken of the burst is not its own.
    expect((await limit.charge(keyId, rate, 501, counted, first.charged)).verdict.isAllowed).toBe(false);
    expect(await used(keyId)).toEqual([10, 494]);
  });

  it.each([
    ['together no more than one may', 6, extra / 5],
    ['once, if they are more than ever', 100, 1],
  ])('pass, of any number at once, %s', async (name, count, passedMax) => {
    const keyId = `ak_${name}`;
    await redis.set(second(keyId), 0, 'PX', 30_000);
    const spent = await Promise.all(Array.from({ length: 10 }, () => nonces.spend(keyId, randomUUID())));
    const verdicts = await Promise.all(spent.map((counted) => limit.charge(keyId, rate, count, counted!)));
    const passed = verdicts.filter(({ verdict }) => verdict.isAllowed).length;
    expect(passed).toBeGreaterThanOrEqual(1);
    expect(passed).toBeLessThanOrEqual(passedMax);
    expect(await used(keyId)).toEqual([10, passed * (count - 1)]);
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
