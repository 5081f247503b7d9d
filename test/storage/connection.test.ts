import { expect, it } from 'vitest';
import { openClient } from '../../src/storage/connection.ts';
import { testDatabase } from '../support/database.ts';

const { uri } = testDatabase();

it('reads and writes with the majority, whatever the address says', async () => {
  const address = new URL(uri);
  address.searchParams.set('readConcernLevel', 'local');
  address.searchParams.set('w', '1');
  address.searchParams.set('journal', 'false');
  const client = await openClient(address.href, 5_000);
  expect(client.readConcern?.level).toBe('majority');
  expect(client.writeConcern).toMatchObject({ w: 'majority', journal: true });
  await client.close();
});
