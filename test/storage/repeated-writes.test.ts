import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Acceptor } from '../../src/accepting/accept.ts';
import { systemClock } from '../../src/clock.ts';
import { newId } from '../../src/domain/ids.ts';
import { openCollections, type Collections } from '../../src/storage/collections.ts';
import type { OrderDocument } from '../../src/storage/orders/documents.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { connectForRequests, type Storage } from '../../src/storage/shared/connection.ts';
import { startProxy, type Proxy } from '../faults/harness/proxy.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { createTestAcceptor } from '../support/test-acceptor.ts';

/*
 * If the driver repeats an insert, a server up to 5.0 does not tell of documents that the first attempt refused as duplicates,
 * or tells of others in their place. The embedded engine answers so too.
 */
const { db, uri, name } = testDatabase();
const log = pino({ level: 'silent' });
const orders = db.collection<OrderDocument>('orders');
const workspaceId = newId('workspace');

let proxy: Proxy;
let storage: Storage;
let acceptor: Acceptor;
let walletIds: readonly string[];
let collections: Collections;
/** Of the next command that has these in it, the answer is lost. */
let toLose: readonly string[] | undefined;
/** The request whose answer was lost. */
let repeated: Buffer | undefined;

beforeAll(async () => {
  await ensureSchema(db);
  const { wallets } = openCollections(db);
  const create = async (walletName: string) =>
    (await wallets.create({ workspaceId, name: walletName, currency: 'USD' })).id;
  walletIds = [await create('a'), await create('b'), await create('to be frozen')];
  const { hostname: host, port } = new URL(uri.replace('mongodb:', 'http:'));
  proxy = await startProxy({ host, port: Number(port) });
  const requests = new Map<number, Buffer>();
  proxy.intercept(({ direction, bytes, link }) => {
    if (direction === 'request') requests.set(link, bytes);
    const request = requests.get(link);
    const isIt = toLose?.every((name) => request?.includes(`${name}\0`)) === true;
    if (direction === 'request' || !isIt) return 'pass';
    [toLose, repeated] = [undefined, request];
    return 'cut';
  });
  // By polling, the driver finds the server again at once after a connection was cut.
  const monitoring = 'serverMonitoringMode=poll&heartbeatFrequencyMS=50&minHeartbeatFrequencyMS=50';
  const through = `mongodb://127.0.0.1:${proxy.port}/${name}?directConnection=true&${monitoring}`;
  storage = await connectForRequests(through, log, new AbortController().signal);
  collections = openCollections(storage.db, systemClock);
  acceptor = createTestAcceptor(collections);
});
afterAll(async () => {
  await storage.client.close();
  await proxy.close();
});
beforeEach(() => {
  [toLose, repeated] = [undefined, undefined];
});

const accept = (bizId: string) => {
  const [sourceWalletId = '', targetWalletId = ''] = walletIds;
  const asked = {
    type: 'TRANSFER',
    workspaceId,
    sourceWalletId,
    targetWalletId,
    amount: '1',
    currency: 'USD',
  };
  return acceptor.accept({ ...asked, bizId });
};
/** At once, so that they share a command. */
const acceptAll = (bizIds: readonly string[]) => Promise.all(bizIds.map(accept));

it.each([
  ['before a new one', (known: string, fresh: string) => [known, fresh]],
  ['behind a new one', (known: string, fresh: string) => [fresh, known]],
  ['between new ones', (known: string, fresh: string) => [fresh, known, `${fresh}-2`]],
])('a create %s, whose first answer was lost, gets the order that it repeats', async (where, together) => {
  const [known, fresh] = [`known ${where}`, `fresh ${where}`].map((text) => text.replaceAll(' ', '-')) as [
    string,
    string,
  ];
  const [first] = await acceptAll([known]);
  toLose = ['insert', 'orders'];
  const bizIds = together(known, fresh);
  const accepted = await acceptAll(bizIds);
  // They did share the command whose answer was lost.
  expect(bizIds.filter((bizId) => !repeated?.includes(bizId))).toEqual([]);
  expect(accepted.map(({ isReplay }) => isReplay)).toEqual(bizIds.map((bizId) => bizId === known));
  expect(accepted[bizIds.indexOf(known)]?.order.id).toBe(first?.order.id);
  for (const [index, { order }] of accepted.entries())
    expect(await orders.findOne({ _id: order.id })).toMatchObject({ bizId: bizIds[index], workspaceId });
});

/** Whatever else is written and believed: the command whose first answer is lost, what is asked for, and what it is to find. */
const others: [string, readonly string[], () => Promise<unknown>, unknown][] = [
  [
    'the use of a signed request',
    ['insert', 'signedRequests'],
    async () => {
      const request = { keyId: 'ak_1', timestamp: 1, nonce: 'lost' };
      const uses = [await collections.signedRequests.use(request, 'own')];
      return [...uses, await collections.signedRequests.use(request, 'another')];
    },
    [true, false],
  ],
  [
    'a wallet of a reference',
    ['commitTransaction'],
    async () => {
      const values = { workspaceId, currency: 'USD', name: 'c', reference: 'user:1' };
      const made = [await collections.wallets.make(values), await collections.wallets.make(values)];
      const stored = await db.collection('wallets').find({ reference: 'user:1' }).toArray();
      return [...made.map(({ isNew }) => isNew), made.map(({ wallet }) => wallet.id === String(stored[0]?._id))];
    },
    [true, false, [true, true]],
  ],
  [
    'a change of a wallet',
    ['commitTransaction'],
    async () => {
      const [, , id = ''] = walletIds;
      const changed = await collections.wallets.change({ workspaceId, id, change: { status: 'FROZEN' } });
      const stored = await db.collection<{ _id: string; status: string }>('wallets').findOne({ _id: id });
      return [changed?.outcome, changed?.wallet.status, stored?.status];
    },
    ['changed', 'FROZEN', 'FROZEN'],
  ],
  [
    'a lease',
    ['findAndModify', 'leases'],
    async () => [await collections.leases.take('one', 'own', 60_000), await collections.leases.take('one', 'other', 1)],
    [true, false],
  ],
  [
    'a member that is removed',
    ['delete', 'members'],
    async () => {
      await collections.workspaces.addMember(workspaceId, 'ann');
      return [
        await collections.workspaces.removeMember(workspaceId, 'ann'),
        await collections.workspaces.isMember(workspaceId, 'ann'),
      ];
    },
    [true, false],
  ],
  [
    'the faults of an order',
    ['update', 'fault.attempts'],
    async () => {
      const { order } = await accept('faulty');
      const fault = { workspaceId, orderId: order.id, reason: 'no' };
      const setAside = await collections.stuckOrders.recordFaults([fault], 2);
      return [setAside.size, (await orders.findOne({ _id: order.id }))?.fault?.attempts];
    },
    [0, 1],
  ],
];

it.each(others)('%s, whose first answer was lost, is told as it is', async (_, command, ask, found) => {
  toLose = command;
  expect(await ask()).toEqual(found);
  expect(repeated).toBeDefined();
});

it('an atomic batch, whose first answer was lost, is recorded once', async () => {
  const [sourceWalletId = '', targetWalletId = ''] = walletIds;
  const values = { workspaceId, sourceWalletId, targetWalletId, currency: 'USD', amount: '1' };
  const [first, second] = [pendingOrder(values), pendingOrder(values)];
  toLose = ['commitTransaction'];
  expect(await collections.orders.insertTogether([first, second])).toBe(true);
  expect(await collections.orders.insertTogether([first, second])).toBe(false);
  expect(await orders.countDocuments({ _id: { $in: [first.id, second.id] } })).toBe(2);
});
