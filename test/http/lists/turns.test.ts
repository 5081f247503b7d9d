import { expect, it } from 'vitest';
import { createListTurns } from '../../../src/http/lists/turns.ts';
import { createThroughFailover } from '../../../src/waiting/failover.ts';
import { isTransientFault } from '../../../src/storage/shared/transaction.ts';
import { waitFor } from '../../support/wait-for.ts';

// Whose turn it is, and who loses it, is a matter of test/waiting/bulkhead.test.ts.

const limits = { permits: 3, slowPermits: 3, permitsOfKey: 2, waiting: { max: 1, ofKeyMax: 1 } };
const refused = { errorName: 'TOO_MANY_LISTS', retryAfterSeconds: 1 };

it('lists that are too many are refused at once, and not read once nobody waits for the answer any more', async () => {
  let leftMs = 14_000;
  const inTurn = createListTurns(createThroughFailover(isTransientFault), limits);
  const reading: PromiseWithResolvers<string>[] = [];
  const list = () =>
    inTurn({ workspaceId: 'a', timeLeftMs: () => leftMs }, () => {
      reading.push(Promise.withResolvers<string>());
      return reading.at(-1)!.promise;
    });
  const read = [list(), list()];
  const late = expect(list()).rejects.toMatchObject(refused);
  await waitFor(() => reading.length === 2);
  await expect(list()).rejects.toMatchObject(refused);
  leftMs = 500;
  for (const { resolve } of reading) resolve('read');
  expect(await Promise.all(read)).toEqual(['read', 'read']);
  await late;
  expect(reading).toHaveLength(2);
});
