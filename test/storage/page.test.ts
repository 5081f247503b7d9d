import { expect, it } from 'vitest';
import { findRows } from '../../src/storage/shared/page.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();

it('rows that are more than a reply holds are an error, not fewer rows', async () => {
  const collection = db.collection<{ _id: string; text: string }>('rows');
  const text = 'x'.repeat(1_000_000);
  await collection.insertMany(Array.from({ length: 20 }, (_, row) => ({ _id: String(row), text })));
  const rows = (limit: number) => findRows(collection, { filter: {}, limit }, {});
  expect(await rows(10)).toHaveLength(10);
  await expect(rows(20)).rejects.toThrow('rows');
});
