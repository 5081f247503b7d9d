import type { CommandStartedEvent, Document } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { indexEntriesWritten } from '../../bench/measure/index-entries.ts';
import { openLedger, type Ledger } from '../posting/posting-ways.ts';

/*
 * What a create, and the posting of its order, cost MongoDB, counted: whoever adds a command, a document or a key sees it
 * here. The table of docs/storage.md has these numbers; test/reading/lists.test.ts counts what reads cost.
 */

let ledger: Ledger;
let writes: Document[];
beforeAll(async () => {
  ledger = await openLedger();
  ledger.service.on('commandStarted', ({ command }: CommandStartedEvent) => writes.push(command));
  writes = [];
  await ledger.post(await ledger.record([['world', 'alice', '1000']]));
});
afterAll(() => ledger.close());

/** Round trips, one after the other, and the documents that they write. */
function counted() {
  const documents = writes.map(({ documents: inserted = [], updates = [] }) => {
    const named = (updates as { q: { _id: unknown } }[]).map(({ q: { _id } }) =>
      typeof _id === 'object' ? (_id as { $in: unknown[] }).$in.length : 1,
    );
    return (inserted as unknown[]).length + named.reduce((sum, count) => sum + count, 0);
  });
  return {
    commands: writes.map((command) => `${Object.keys(command)[0]} ${String(Object.values(command)[0])}`),
    documents: documents.reduce((sum, count) => sum + count, 0),
  };
}

const stored = (name: string, filter: Document) => ledger.db.collection(name).find(filter).sort({ _id: 1 }).toArray();

it('a create writes one document of seven keys, and the posting of its order six, of five keys', async () => {
  writes = [];
  const [order] = await ledger.record([['alice', 'bob', '1']]);
  expect(counted()).toEqual({ commands: ['insert orders'], documents: 1 });
  const [pending] = await stored('orders', { _id: order!.id });
  const before = await stored('wallets', {});
  const signed = { ...pending!, request: { keyId: 'k', timestamp: 1, nonce: 'n' } };
  expect(indexEntriesWritten('orders', undefined, signed)).toBe(7);

  writes = [];
  expect(await ledger.post([order!])).toEqual(['completed']);
  const commands = ['find wallets', 'update orders', 'update wallets', 'insert flows', 'commitTransaction 1'];
  expect(counted()).toEqual({ commands, documents: 6 });
  const [completed] = await stored('orders', { _id: order!.id });
  const after = await stored('wallets', {});
  const flows = await stored('flows', { transferId: order!.id });
  const keys = [
    indexEntriesWritten('orders', pending, completed!),
    ...after.map((wallet, index) => indexEntriesWritten('wallets', before[index], wallet)),
    ...flows.map((flow) => indexEntriesWritten('flows', undefined, flow)),
  ];
  expect(keys.reduce((sum, count) => sum + count, 0)).toBe(5);
});

it('a group costs no command more, and each order one document and its two flows', async () => {
  const orders = await ledger.record(Array.from({ length: 20 }, () => ['alice', 'bob', '1'] as const));
  writes = [];
  await ledger.post(orders);
  // Its worker remembers the wallets.
  const commands = ['update orders', 'update wallets', 'insert flows', 'commitTransaction 1'];
  expect(counted()).toEqual({ commands, documents: 20 + 2 + 1 + 40 });
});
