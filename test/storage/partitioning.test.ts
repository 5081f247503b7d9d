import { beforeEach, describe, expect, test } from 'vitest';
import { SettingsError } from '../../src/settings/config.ts';
import { openPartitioning } from '../../src/storage/partitioning/partitioning.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();
const partitioning = openPartitioning(db);

beforeEach(async () => {
  await db.collection('partitioning').deleteMany({});
});

describe('the number of partitions', () => {
  test('is one for all processes, however many start at once', async () => {
    expect(await partitioning.count()).toBeUndefined();
    const agreed = await Promise.all(Array.from({ length: 10 }, () => partitioning.agree(12)));
    expect(new Set(agreed)).toEqual(new Set([12]));
    expect(await partitioning.count()).toBe(12);
  });

  test('is that of the first where others are told another one, and who is not told follows', async () => {
    const settled = await Promise.allSettled([5, 6, 7, undefined].map((wanted) => partitioning.agree(wanted)));
    const recorded = await partitioning.count();
    for (const [index, wanted] of [5, 6, 7, undefined].entries()) {
      const isRefused = wanted !== undefined && wanted !== recorded;
      expect(settled[index]).toMatchObject(isRefused ? { status: 'rejected' } : { value: recorded });
    }
  });

  test('is 8 where nobody says', async () => {
    expect(await partitioning.agree(undefined)).toBe(8);
    expect(await partitioning.agree(8)).toBe(8);
  });

  test('that differs is refused, with both ways out', async () => {
    await partitioning.agree(8);
    const refused = partitioning.agree(16);
    await expect(refused).rejects.toThrow(SettingsError);
    await expect(refused).rejects.toThrow('POSTING_PARTITIONS is 16, but this database has 8 partitions');
    await expect(refused).rejects.toThrow('leave it unset');
    await expect(refused).rejects.toThrow('admin partitions set --count 16');
  });

  test('is another one once it was changed', async () => {
    await partitioning.change(4);
    expect(await partitioning.agree(undefined)).toBe(4);
    await partitioning.change(16);
    expect(await partitioning.agree(16)).toBe(16);
    await expect(partitioning.agree(4)).rejects.toThrow(SettingsError);
  });
});
