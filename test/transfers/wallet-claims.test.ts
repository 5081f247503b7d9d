import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createWalletClaims } from '../../src/redis/walletClaims.ts';
import type { WalletClaims } from '../../src/redis/walletClaims.ts';
import { testRedis } from '../support/redis.ts';

const { url } = await testRedis();
const redis = new Redis(url);
afterAll(() => {
  redis.disconnect();
});

let prefix: string;
let first: WalletClaims;
let second: WalletClaims;
beforeEach(() => {
  prefix = `test-${randomUUID()}`;
  first = createWalletClaims(redis, prefix, 'worker-1');
  second = createWalletClaims(redis, prefix, 'worker-2');
});

function transfer(sourceWalletId: string, targetWalletId: string) {
  return { sourceWalletId, targetWalletId };
}

describe('claims of wallets', () => {
  test('give an order both of its wallets or neither', async () => {
    expect(await first.take([transfer('a', 'b')], false)).toEqual([true]);
    expect(await second.take([transfer('b', 'c'), transfer('d', 'e')], false)).toEqual([false, true]);
    // c is still free: the order that was refused left nothing behind.
    expect(await first.take([transfer('c', 'f')], false)).toEqual([true]);
  });

  test('are shared by the orders of one process, and not by another', async () => {
    expect(await first.take([transfer('a', 'b'), transfer('b', 'c')], false)).toEqual([true, true]);
    expect(await first.take([transfer('a', 'c')], false)).toEqual([true]);
    expect(await second.take([transfer('a', 'c')], false)).toEqual([false]);
  });

  test('let no order overtake an earlier one on its wallet', async () => {
    await first.take([transfer('a', 'b')], false);
    expect(await second.take([transfer('a', 'x'), transfer('x', 'y'), transfer('u', 'v')], false)).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('are given back by their holder alone, and run out by themselves', async () => {
    await first.take([transfer('a', 'b')], false);
    await second.release(['a', 'b']);
    expect(await second.take([transfer('a', 'b')], false)).toEqual([false]);
    expect(await redis.pttl(`${prefix}:claim:a`)).toBeGreaterThan(0);
    await first.release(['a', 'b']);
    expect(await second.take([transfer('a', 'b')], false)).toEqual([true]);
  });

  test('give everything to the process whose turn it is, until it has got what it asked for', async () => {
    await first.take([transfer('hot', 'a')], false);
    expect(await second.take([transfer('hot', 'b')], true)).toEqual([false]);
    await first.release(['hot', 'a']);
    // The first would be quicker, as who has just given a wallet back always is; but it is the second's turn.
    expect(await first.take([transfer('hot', 'c'), transfer('x', 'y')], false)).toEqual([false, false]);
    expect(await second.take([transfer('hot', 'b')], true)).toEqual([true]);
    expect(await first.take([transfer('x', 'y')], false)).toEqual([true]);
    expect(await redis.exists(`${prefix}:turn`)).toBe(0);
  });

  test('give one process the turn where several ask, and none where nothing is in its way', async () => {
    expect(await first.take([transfer('a', 'b')], true)).toEqual([true]);
    expect(await redis.exists(`${prefix}:turn`)).toBe(0);
    const third = createWalletClaims(redis, prefix, 'worker-3');
    await second.take([transfer('a', 'c')], true);
    await third.take([transfer('a', 'd')], true);
    expect(await redis.get(`${prefix}:turn`)).toBe('worker-2');
    expect(await redis.pttl(`${prefix}:turn`)).toBeGreaterThan(0);
  });
});
