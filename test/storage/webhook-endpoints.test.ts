import { MongoServerError, type Db } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { IndeterminateError } from '../../src/storage/shared/transaction.ts';
import { openWebhookEndpoints } from '../../src/storage/webhooks/endpoints.ts';

interface Stored {
  readonly url: string;
  readonly slot: number;
}

const values = { workspaceId: 'ws_1', url: 'https://a.example', description: '', events: [] };
const other = { url: 'https://b.example', slot: 0 };
const secretOf = () => ({ masterKeyVersion: 1, sealed: new Uint8Array(), createdAt: new Date(), expiresAt: null });

/**
 * A create whose inserts meet a duplicate as often as said. @param shown what a majority has at each read in turn; the last
 * from then on.
 */
function create(duplicates: number, shown: readonly (readonly Stored[])[]) {
  const left = [...shown];
  let inserts = 0;
  const url = 'E11000 duplicate key error collection: transfers.webhookEndpoints index: endpoint_url_once dup key';
  const collection = {
    find: () => ({ toArray: () => Promise.resolve(left.length > 1 ? left.shift() : left[0]) }),
    insertOne: () =>
      (inserts += 1) > duplicates
        ? Promise.resolve()
        : Promise.reject(new MongoServerError({ code: 11000, errmsg: url, keyPattern: { workspaceId: 1, url: 1 } })),
  };
  return openWebhookEndpoints({ collection: () => collection } as unknown as Db).create(values, secretOf);
}

describe('an endpoint that MongoDB calls a duplicate', () => {
  test('is unsettled for as long as no majority has the one that it repeats', async () => {
    await expect(create(1, [[]])).rejects.toThrow(IndeterminateError);
  });

  test('exists where a majority has its URL', async () => {
    expect(await create(1, [[], [{ ...other, url: values.url }]])).toBe('exists');
  });

  test('takes the next place where a majority has another one in its own', async () => {
    expect(await create(1, [[], [other]])).toMatchObject({ url: values.url });
  });
});
