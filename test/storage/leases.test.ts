import { describe, expect, test } from 'vitest';
import { openLeases } from '../../src/storage/leases.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const leases = openLeases(db);
const longMs = 60_000;

describe('a lease', () => {
  test('is taken by one of many at once, and renewed by its holder alone', async () => {
    const holders = Array.from({ length: 10 }, (_, index) => `worker-${index}`);
    const taken = await Promise.all(holders.map((holder) => leases.take('one', holder, longMs)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    const again = await Promise.all(holders.map((holder) => leases.take('one', holder, longMs)));
    expect(again).toEqual(taken);
  });

  test('is free again once it is released, by its holder alone', async () => {
    expect(await leases.take('released', 'first', longMs)).toBe(true);
    await leases.release('released', 'second');
    expect(await leases.take('released', 'second', longMs)).toBe(false);
    await leases.release('released', 'first');
    expect(await leases.take('released', 'second', longMs)).toBe(true);
  });

  test('is free again once its time is over', async () => {
    expect(await leases.take('over', 'first', 1)).toBe(true);
    await waitFor(() => leases.take('over', 'second', longMs));
    expect(await leases.take('over', 'first', longMs)).toBe(false);
  });

  test('may be held under a name with any characters', async () => {
    expect(await leases.take('odd', '$until', longMs)).toBe(true);
    expect(await leases.take('odd', '$until', longMs)).toBe(true);
    expect(await leases.take('odd', 'other', longMs)).toBe(false);
  });
});
