import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createWalletClaims } from '../../src/redis/walletClaims.ts';
import type { Turn, WalletClaims } from '../../src/redis/walletClaims.ts';
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

/** Whether each order got its wallets. */
async function take(claims: WalletClaims, orders: ReturnType<typeof transfer>[], turn: Turn = 'none') {
  return (await claims.take(orders, turn)).isTaken;
}

describe('claims of wallets', () => {
  test('give an order both of its wallets or neither', async () => {
    expect(await take(first, [transfer('a', 'b')])).toEqual([true]);
    expect(await take(second, [transfer('b', 'c'), transfer('d', 'e')])).toEqual([false, true]);
    // c is still free: the order that was refused left nothing behind.
    expect(await take(first, [transfer('c', 'f')])).toEqual([true]);
  });

  test('of no orders end a turn', async () => {
    expect(await take(first, [transfer('a', 'b')])).toEqual([true]);
    expect((await second.take([transfer('a', 'b')], 'for these')).hasTurn).toBe(true);
    expect(await take(first, [transfer('c', 'd')])).toEqual([false]);
    expect(await second.take([], 'none')).toEqual({ isTaken: [], hasTurn: false, refusedBy: undefined });
    expect(await take(first, [transfer('c', 'd')])).toEqual([true]);
  });

  test('are shared by the orders of one process, and not by another', async () => {
    expect(await take(first, [transfer('a', 'b'), transfer('b', 'c')])).toEqual([true, true]);
    expect(await take(first, [transfer('a', 'c')])).toEqual([true]);
    expect(await take(second, [transfer('a', 'c')])).toEqual([false]);
  });

  test('let no order overtake an earlier one on its wallet', async () => {
    await take(first, [transfer('a', 'b')]);
    const orders = [transfer('a', 'x'), transfer('x', 'y'), transfer('u', 'v')];
    expect(await take(second, orders)).toEqual([false, false, true]);
  });

  test('are given back by their holder alone, and run out by themselves', async () => {
    await take(first, [transfer('a', 'b')]);
    await second.release(['a', 'b']);
    expect(await take(second, [transfer('a', 'b')])).toEqual([false]);
    expect(await redis.pttl(`${prefix}:claim:a`)).toBeGreaterThan(0);
    await first.release(['a', 'b']);
    expect(await take(second, [transfer('a', 'b')])).toEqual([true]);
  });

  test('give everything to the process whose turn it is, until it has got what it asked for', async () => {
    await take(first, [transfer('hot', 'a')]);
    expect(await second.take([transfer('hot', 'b')], 'for these')).toEqual({
      isTaken: [false],
      hasTurn: true,
      refusedBy: 'worker-1',
    });
    await first.release(['hot', 'a']);
    // The first would be quicker, as who has just given a wallet back always is; but it is the second's turn.
    const others = [transfer('hot', 'c'), transfer('x', 'y')];
    expect(await first.take(others, 'none')).toEqual({
      isTaken: [false, false],
      hasTurn: false,
      refusedBy: 'worker-2',
    });
    expect(await second.take([transfer('hot', 'b')], 'for these')).toMatchObject({ isTaken: [true], hasTurn: false });
    expect(await take(first, [transfer('x', 'y')])).toEqual([true]);
    expect(await redis.exists(`${prefix}:turn`)).toBe(0);
  });

  test('let a turn go on while its holder says so, though nothing is in its way', async () => {
    expect(await second.take([transfer('a', 'b')], 'goes on')).toEqual({
      isTaken: [true],
      hasTurn: true,
      refusedBy: undefined,
    });
    expect(await take(first, [transfer('x', 'y')])).toEqual([false]);
    expect(await second.take([transfer('c', 'd')], 'for these')).toMatchObject({ isTaken: [true], hasTurn: false });
    expect(await take(first, [transfer('x', 'y')])).toEqual([true]);
  });

  test('give one process the turn where several ask, and none where nothing is in its way', async () => {
    expect(await take(first, [transfer('a', 'b')], 'for these')).toEqual([true]);
    expect(await redis.exists(`${prefix}:turn`)).toBe(0);
    const third = createWalletClaims(redis, prefix, 'worker-3');
    await take(second, [transfer('a', 'c')], 'for these');
    expect(await third.take([transfer('a', 'd')], 'goes on')).toEqual({
      isTaken: [false],
      hasTurn: false,
      refusedBy: 'worker-2',
    });
    expect(await redis.get(`${prefix}:turn`)).toBe('worker-2');
    expect(await redis.pttl(`${prefix}:turn`)).toBeGreaterThan(0);
  });
});
