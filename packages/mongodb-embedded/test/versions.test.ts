import { Int32 } from 'bson';
import { MongoClient } from 'mongodb';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEngine } from '../src/engine.ts';
import { openCatalog } from '../src/storage/catalog.ts';
import { recordRange, type Collection } from '../src/storage/collection.ts';
import { openStore, type Store } from '../src/storage/store.ts';
import { createTransactions } from '../src/storage/transaction.ts';
import { keysOf, newVersion } from '../src/storage/version.ts';
import { compileUpdate } from '../src/semantics/update.ts';
import type { Document } from '../src/semantics/values.ts';
import { createVersions } from '../src/storage/versions.ts';

// About what the engine keeps of its committed records in memory: it has to be what the file says at any time.
let store: Store;
let storage: ReturnType<typeof openStorage>;
let collection: Collection;

function openStorage() {
  const versions = createVersions(store);
  const catalog = openCatalog(store, versions);
  return { versions, catalog, transactions: createTransactions(store, catalog, versions) };
}

/** Writes one record in a commit of its own; `fails` breaks that commit after all was handed to SQLite. */
function write(record: number, n: number | undefined, { fails = false, padding = '' } = {}): void {
  const { transactions, versions } = storage;
  const unit = transactions.begin(true);
  const after = n === undefined ? undefined : newVersion({ _id: new Int32(record), n: new Int32(n), padding });
  transactions.write(unit, collection, { record, before: versions.lookUp(record), after });
  if (fails) {
    unit.alongside.push(() => {
      throw new Error('the disk is full');
    });
  }
  transactions.commit(unit);
}

function read(record: number): unknown {
  const version = storage.versions.lookUp(record);
  const stored = store.readRecord(record);
  expect(version?.bytes && Buffer.from(version.bytes)).toEqual(stored && Buffer.from(stored));
  return version === undefined ? undefined : (version.document['n'] as Int32).value;
}

function createCollection(): Collection {
  const created = storage.catalog.prepare('d.c', {});
  storage.transactions.define(() => {
    storage.catalog.save(created);
  });
  storage.catalog.enter(created);
  return created;
}

beforeEach(() => {
  store = openStore(':memory:');
  storage = openStorage();
  collection = createCollection();
});
afterEach(() => {
  store.close();
});

describe('the committed version of a record', () => {
  it('is the last that was committed', () => {
    const record = collection.nextRecord++;
    expect(read(record)).toBeUndefined();
    write(record, 1);
    expect(read(record)).toBe(1);
    write(record, 2);
    expect(read(record)).toBe(2);
    write(record, undefined);
    expect(read(record)).toBeUndefined();
  });

  it('stays what it was where a commit fails', () => {
    const [changed, deleted, inserted] = [collection.nextRecord++, collection.nextRecord++, collection.nextRecord++];
    write(changed, 1);
    write(deleted, 1);
    expect(() => {
      write(changed, 2, { fails: true });
    }).toThrow('the disk is full');
    expect(() => {
      write(deleted, undefined, { fails: true });
    }).toThrow('the disk is full');
    expect(() => {
      write(inserted, 1, { fails: true });
    }).toThrow('the disk is full');
    expect([read(changed), read(deleted), read(inserted)]).toEqual([1, 1, undefined]);
    write(changed, 3);
    expect(read(changed)).toBe(3);
  });

  it('is not an older one because the newer is too large to be kept', () => {
    const record = collection.nextRecord++;
    write(record, 1);
    write(record, 2, { padding: 'x'.repeat(100_000) });
    expect(read(record)).toBe(2);
    write(record, 3);
    expect(read(record)).toBe(3);
  });

  it('goes with its collection', () => {
    const record = collection.nextRecord++;
    write(record, 1);
    storage.transactions.define(() => {
      storage.catalog.drop(collection);
    });
    expect(read(record)).toBeUndefined();
    collection = createCollection();
    expect(recordRange(collection).from).toBeGreaterThan(record);
    expect(read(collection.nextRecord)).toBeUndefined();
  });

  it('is read anew from a file that is opened again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'embedded-'));
    for (let opened = 0; opened < 3; opened++) {
      const engine = await startEngine({ file: join(folder, 'data') });
      const client = await MongoClient.connect(engine.uri);
      const wallets = client.db('d').collection<{ _id: string; n: number }>('wallets');
      expect((await wallets.findOne({ _id: 'w' }))?.n).toBe(opened === 0 ? undefined : opened * 2);
      for (let n = 0; n < 2; n++) await wallets.updateOne({ _id: 'w' }, { $inc: { n: 1 } }, { upsert: true });
      expect(await wallets.findOne({ _id: 'w' })).toEqual({ _id: 'w', n: opened * 2 + 2 });
      await client.close();
      await engine.close();
    }
    await rm(folder, { recursive: true });
  });
});

describe('the keys of a changed record', () => {
  const one = new Int32(1);
  const status = { status: 'PENDING' };
  const specs: Document[] = [
    { name: 'plain', key: { owner: one, at: one } },
    { name: 'partial', key: { owner: one }, partialFilterExpression: { status: 'PENDING' } },
    { name: 'either', key: { at: one }, partialFilterExpression: { $and: [status, { tags: { $exists: true } }] } },
    { name: 'sparse', key: { gone: one }, sparse: true },
    { name: 'nested', key: { 'request.nonce': one }, unique: true },
    { name: 'many', key: { tags: one, at: one } },
  ];

  it.each<[string, Document]>([
    ['a field of no index', { $set: { note: 'x' } }],
    ['the field of a partial filter', { $set: { status: 'COMPLETED' } }],
    ['a field inside a document', { $set: { 'request.nonce': 'z' } }],
    ['an element of an array', { $set: { 'tags.0': 'z' } }],
    ['a new field', { $set: { gone: null } }],
    ['a field that is taken away', { $unset: { tags: '' } }],
    ['the whole document', { owner: 'o', ...status, at: new Int32(2) }],
  ])('are those of its new state after a change of %s', (_what, change) => {
    collection.indexes.push(...specs.map((spec) => storage.catalog.newIndex(spec)));
    const document = { owner: 'o', at: one, ...status, tags: ['a', 'b'], request: { nonce: 'n' } };
    const before = newVersion({ _id: one, ...document });
    const { doc } = compileUpdate(change)(before.document, { filter: {}, isInsert: false, now: new Date() });
    const after = newVersion(doc);
    const record = collection.nextRecord++;
    const { transactions } = storage;
    for (const version of [before, after]) {
      const unit = transactions.begin(true);
      transactions.write(unit, collection, { record, before: version === after ? before : undefined, after: version });
      transactions.commit(unit);
    }
    const entries = store.statement('SELECT index_id, key FROM entry ORDER BY index_id, key').all();
    const expected = collection.indexes.flatMap((index) =>
      keysOf(newVersion(doc), index)
        .sort((left, right) => Buffer.compare(left, right))
        .map((key) => ({ index_id: index.id, key })),
    );
    expect(
      entries.map((entry) => ({ ...entry, key: Buffer.from(entry['key'] as Uint8Array).toString('hex') })),
    ).toEqual(expected.map(({ key, ...entry }) => ({ ...entry, key: Buffer.from(key).toString('hex') })));
  });
});
