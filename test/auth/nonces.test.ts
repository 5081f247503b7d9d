import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { createNonces } from '../../src/redis/nonces.ts';
import { testRedis } from '../support/redis.ts';

const { url } = await testRedis();
const redis = new Redis(url);
afterAll(() => {
  redis.disconnect();
});
const nonces = createNonces(redis, 'test');

describe('nonces', () => {
  it('are spent by exactly one of a hundred at once', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => nonces.spend('ak_1', 'once')));
    expect(answers.filter((counted) => counted !== undefined)).toHaveLength(1);
  });

  it('are each answered for themselves where many share a command', async () => {
    await nonces.spend('ak_many_7', 'many-7');
    const all = Array.from({ length: 600 }, (_, index) => index);
    const answers = await Promise.all(all.map((index) => nonces.spend(`ak_many_${index % 10}`, `many-${index}`)));
    expect(all.filter((index) => answers[index] === undefined)).toEqual([7]);
    const counts = all.filter((index) => index % 10 === 3).map((index) => answers[index]?.requestCount);
    expect(counts).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  it('belong to their key', async () => {
    expect(await nonces.spend('ak_1', 'shared')).toBeDefined();
    expect(await nonces.spend('ak_2', 'shared')).toBeDefined();
    expect(await nonces.spend('ak_1', 'shared')).toBeUndefined();
  });

  it('are not spent by asking', async () => {
    expect(await nonces.isUnspent('ak_1', 'asked')).toBe(true);
    expect(await nonces.spend('ak_1', 'asked')).toBeDefined();
    expect(await nonces.isUnspent('ak_1', 'asked')).toBe(false);
  });

  it('count the requests of their key for a second, but none that repeats a nonce', async () => {
    const answers = await Promise.all([1, 2, 1, 3].map((nonce) => nonces.spend('ak_counted', `counted-${nonce}`)));
    expect(answers.map((counted) => counted?.requestCount)).toEqual([1, 2, undefined, 3]);
    for (const { countedForMs } of answers.filter((counted) => counted !== undefined)) {
      expect(countedForMs).toBeGreaterThan(0);
      expect(countedForMs).toBeLessThanOrEqual(1_000);
    }
    await expect.poll(() => redis.exists('test:rate:key:ak_counted'), { timeout: 10_000 }).toBe(0);
  });

  it('are spent once also where Redis has forgotten the script, as after a restart', async () => {
    const pipelined = new Redis(url, { enableAutoPipelining: true });
    const again = createNonces(pipelined, 'test');
    expect(await again.spend('ak_1', 'before')).toBeDefined();
    await redis.script('FLUSH');
    const answers = await Promise.all(['before', 'after', 'after'].map((nonce) => again.spend('ak_1', nonce)));
    expect(answers.map((counted) => counted !== undefined)).toEqual([false, true, false]);
    pipelined.disconnect();
  });

  it('are remembered for as long as a timestamp 60 s ahead stays valid, and then forgotten', async () => {
    await nonces.spend('ak_1', 'kept');
    const remainingMs = await redis.pttl('test:nonce:ak_1:kept');
    // And for as long as its body may take to arrive after that.
    expect(remainingMs).toBeGreaterThan(152_000);
    expect(remainingMs).toBeLessThanOrEqual(165_000);
  });
});
