import { expect, it } from 'vitest';
import { createListLimiter } from '../../../src/http/lists/limiter.ts';
import { createThroughFailover } from '../../../src/waiting/failover.ts';
import { isTransientFault } from '../../../src/storage/shared/transaction.ts';
import { waitFor } from '../../support/wait-for.ts';

// Who gets a permit, and who loses a place, is a matter of test/waiting/bulkhead.test.ts.

const limits = { permits: 3, slowPermits: 3, permitsOfKey: 2, waiting: { max: 1, ofKeyMax: 1 } };
const refused = { errorName: 'TOO_MANY_LISTS', retryAfterSeconds: 1 };

it('lists that are too many are refused at once, and not read once nobody waits for the answer any more', async () => {
  let leftMs = 14_000;
  const limiter = createListLimiter(createThroughFailover(isTransientFault), limits);
  const reading: PromiseWithResolvers<string>[] = [];
  const list = () =>
    limiter({ workspaceId: 'a', timeLeftMs: () => leftMs }, () => {
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
