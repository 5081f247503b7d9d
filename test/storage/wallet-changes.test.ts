import { Collection, MongoBulkWriteError, MongoClient, MongoNetworkError, type BulkWriteResult } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { openWalletLists } from '../../src/reading/wallets.ts';
import { testDatabase } from '../support/database.ts';

/** As many processes as make and change wallets of one workspace at once. */
const openings = 4;

const { uri, db } = testDatabase();
const clients = Array.from({ length: openings }, () => new MongoClient(uri));
const all = clients.map((client) => openCollections(client.db()).wallets);
const [wallets] = all as [(typeof all)[number]];
const lists = openWalletLists(db);
beforeAll(() => ensureSchema(db));
afterAll(() => Promise.all(clients.map((client) => client.close())));

const currency = 'USD';
const stored = (workspaceId: string) => db.collection('wallets').countDocuments({ workspaceId, kind: 'STANDARD' });
const newWallet = async (workspaceId: string) => (await wallets.make({ workspaceId, currency, name: 'n' })).wallet.id;

describe(`${openings} processes`, () => {
  it('make one wallet for each reference, however often it is asked for, and count it once', async () => {
    const workspaceId = newId('workspace');
    const references = Array.from({ length: 40 }, (_, index) => `r-${index}`);
    const asked = Array.from({ length: 25 }, () => references).flat();
    const made = await Promise.all(
      asked.map((reference, index) => all[index % openings]!.make({ workspaceId, currency, name: 'n', reference })),
    );
    expect(made.map(({ wallet }) => wallet.reference)).toEqual(asked);
    expect(new Set(made.map(({ wallet }) => wallet.id)).size).toBe(references.length);
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(references.length);
    expect([await stored(workspaceId), await lists.count({ workspaceId })]).toEqual([40, 40]);
  });

  it('make a wallet for each request without one, one after the other, and none fails', async () => {
    const workspaceId = newId('workspace');
    const made = await Promise.all(
      all.map(async ({ make }) => {
        const ids = [];
        for (let count = 0; count < 25; count += 1)
          ids.push((await make({ workspaceId, currency, name: 'n' })).wallet.id);
        return ids;
      }),
    );
    expect(new Set(made.flat()).size).toBe(100);
    expect([await stored(workspaceId), await lists.count({ workspaceId })]).toEqual([100, 100]);
  });

  it('make one wallet of an id that comes again, because its first answer was lost', async () => {
    const workspaceId = newId('workspace');
    for (const reference of [undefined, 'lost']) {
      const values = { workspaceId, currency, name: 'n', id: newId('wallet'), reference };
      const { reference: _, ...without } = values;
      const asked = reference === undefined ? without : { ...without, reference };
      const first = await wallets.make(asked);
      const again = await Promise.all(all.map(({ make }) => make(asked)));
      for (const { wallet, isNew } of again) expect([wallet, isNew]).toEqual([first.wallet, true]);
    }
    const id = newId('wallet');
    const atOnce = await Promise.all(all.map(({ make }) => make({ workspaceId, currency, name: 'n', id })));
    expect(atOnce.map(({ wallet }) => wallet.id)).toEqual(atOnce.map(() => id));
    expect([await stored(workspaceId), await lists.count({ workspaceId })]).toEqual([3, 3]);
  });

  it('change the states of wallets, which are counted as they are', async () => {
    const workspaceId = newId('workspace');
    const ids = await Promise.all(Array.from({ length: 20 }, () => newWallet(workspaceId)));
    const statuses = ['FROZEN', 'ACTIVE', 'FROZEN', 'CLOSED'] as const;
    await Promise.all(
      Array.from({ length: 400 }, (_, index) => {
        const change = { status: statuses[(index * 7) % 4]! };
        return all[index % openings]!.change({ workspaceId, id: ids[index % ids.length]!, change });
      }),
    );
    for (const status of ['ACTIVE', 'FROZEN', 'CLOSED'] as const)
      expect(await lists.count({ workspaceId, status })).toBe(
        await db.collection('wallets').countDocuments({ workspaceId, kind: 'STANDARD', status }),
      );
    expect(await lists.count({ workspaceId })).toBe(ids.length);
  });
});

it('a wallet whose insert loses its connection is not made, for a reason that may pass', async () => {
  const broken = new MongoNetworkError('connection closed');
  const insert = vi.spyOn(Collection.prototype, 'insertMany');
  insert.mockRejectedValueOnce(new MongoBulkWriteError(broken, {} as BulkWriteResult));
  await expect(newWallet(newId('workspace'))).rejects.toBe(broken);
  insert.mockRestore();
});

describe('changes that come at once', () => {
  it('are each judged by what the one before has left, and counted in the version', async () => {
    const workspaceId = newId('workspace');
    const id = await newWallet(workspaceId);
    const limit = (amount: number) => ({ creditLimit: new Money(amount), decimals: 2 });
    const changes = [limit(5), { status: 'FROZEN' }, limit(5), { status: 'ACTIVE' }, { status: 'CLOSED' }] as const;
    const outcomes = await Promise.all(
      [...changes, limit(6), { status: 'FROZEN' } as const].map((change) =>
        wallets.change({ workspaceId, id, change }),
      ),
    );
    expect(outcomes.map((outcome) => [outcome!.outcome, outcome!.wallet.status, outcome!.wallet.version])).toEqual([
      ['changed', 'ACTIVE', 1],
      ['changed', 'FROZEN', 2],
      ['unchanged', 'FROZEN', 2],
      ['changed', 'ACTIVE', 3],
      ['changed', 'CLOSED', 4],
      ['CLOSED', 'CLOSED', 4],
      ['CLOSED', 'CLOSED', 4],
    ]);
    const [now] = await wallets.findVisible([{ workspaceId, id }]);
    expect(now).toEqual(outcomes.at(-1)!.wallet);
  });

  it('find no wallet of another workspace, and no EXTERNAL one, which is not counted either', async () => {
    const workspaceId = newId('workspace');
    const id = await newWallet(workspaceId);
    const external = await wallets.ensureExternal(workspaceId, currency);
    const change = { status: 'FROZEN' } as const;
    const asked = [
      { workspaceId: newId('workspace'), id },
      { workspaceId, id: external.id },
      { workspaceId, id: newId('wallet') },
    ];
    const outcomes = await Promise.all(asked.map((named) => wallets.change({ ...named, change })));
    expect(outcomes).toEqual([undefined, undefined, undefined]);
    expect(await lists.count({ workspaceId })).toBe(1);
    expect((await wallets.findVisible([{ workspaceId, id }]))[0]).toMatchObject({ status: 'ACTIVE', version: 0 });
  });

  it('are made though MongoDB refuses one of them for its document', async () => {
    const workspaceId = newId('workspace');
    const ids = await Promise.all(Array.from({ length: 3 }, () => newWallet(workspaceId)));
    const wrong = { _id: ids[1]! };
    const collection = db.collection<{ _id: string; name?: string }>('wallets');
    await collection.updateOne(wrong, { $unset: { name: 1 } }, { bypassDocumentValidation: true });
    const change = { status: 'FROZEN' } as const;
    const outcomes = await Promise.allSettled(ids.map((id) => wallets.change({ workspaceId, id, change })));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await lists.count({ workspaceId, status: 'FROZEN' })).toBe(2);
  });
});

it('wallets are found by the references of several workspaces at once, each its own', async () => {
  const [first, second] = [newId('workspace'), newId('workspace')];
  const made = [];
  for (const [workspaceId, reference] of [
    [first, 'a'],
    [first, 'b'],
    [second, 'a'],
  ] as const)
    made.push((await wallets.make({ workspaceId, reference, currency, name: 'n' })).wallet.id);
  const named = [
    { workspaceId: first, reference: 'a' },
    { workspaceId: second, reference: 'b' },
    { workspaceId: second, reference: 'a' },
    { workspaceId: first, reference: 'b' },
  ];
  const found = await wallets.findReferred(named);
  expect(found.map((wallet) => wallet?.id)).toEqual([made[0], undefined, made[2], made[1]]);
});
