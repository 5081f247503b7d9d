import { expect, it } from 'vitest';
import { openClient } from '../../src/storage/shared/connection.ts';
import { testDatabase } from '../support/database.ts';

const { uri } = testDatabase();

it('reads and writes with the majority, and tries once more', async () => {
  const client = await openClient(uri, 5_000);
  expect(client.readConcern?.level).toBe('majority');
  expect(client.writeConcern).toMatchObject({ w: 'majority', journal: true });
  expect(client.writeConcern?.wtimeoutMS).toBeUndefined();
  expect(client.readPreference.mode).toBe('primary');
  expect(client.options).toMatchObject({ retryReads: true, retryWrites: true });
  await client.close();
});
