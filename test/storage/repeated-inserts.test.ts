import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAcceptor, type Acceptor } from '../../src/accepting/accept.ts';
import { createJobs } from '../../src/accepting/jobs.ts';
import { createRecorder } from '../../src/accepting/record.ts';
import { createWalletCheck } from '../../src/accepting/wallet-check.ts';
import { systemClock } from '../../src/clock.ts';
import { createCurrencies } from '../../src/domain/currency.ts';
import { newId } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { createThroughFailover } from '../../src/failover.ts';
import { openCollections } from '../../src/storage/collections.ts';
import type { OrderDocument } from '../../src/storage/orders/documents.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { connectForRequests, type Storage } from '../../src/storage/shared/connection.ts';
import { isTransientFault } from '../../src/storage/shared/transaction.ts';
import { startProxy, type Proxy } from '../faults/harness/proxy.ts';
import { testDatabase } from '../support/database.ts';

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
/** How many replies to inserts of orders are still to be lost. */
let toLose: number;
/** The request whose answer was lost. */
let repeated: Buffer | undefined;

beforeAll(async () => {
  await ensureSchema(db);
  const { wallets } = openCollections(db);
  const create = async (walletName: string) =>
    (await wallets.create({ workspaceId, name: walletName, currency: 'USD' })).id;
  walletIds = [await create('a'), await create('b')];
  const { hostname: host, port } = new URL(uri.replace('mongodb:', 'http:'));
  proxy = await startProxy({ host, port: Number(port) });
  const requests = new Map<number, Buffer>();
  proxy.intercept(({ direction, bytes, link }) => {
    if (direction === 'request') requests.set(link, bytes);
    const request = requests.get(link);
    const isInsert = request?.includes('insert\0') === true && request.includes('orders\0');
    if (direction === 'request' || !isInsert || toLose === 0) return 'pass';
    [toLose, repeated] = [toLose - 1, request];
    return 'cut';
  });
  const through = `mongodb://127.0.0.1:${proxy.port}/${name}?directConnection=true`;
  storage = await connectForRequests(through, log, new AbortController().signal);
  const collections = openCollections(storage.db, systemClock);
  const jobs = createJobs({ enqueue: () => Promise.resolve() }, log);
  acceptor = createAcceptor({
    recorder: createRecorder(collections.orders, jobs),
    walletCheck: createWalletCheck(collections.wallets),
    throughFailover: createThroughFailover(isTransientFault),
    checkPressure: () => undefined,
    checkScheduled: () => Promise.resolve(),
    currencies: createCurrencies(new Map()),
    clock: systemClock,
  });
});
afterAll(async () => {
  await storage.client.close();
  await proxy.close();
});
beforeEach(() => {
  [toLose, repeated] = [0, undefined];
});

const accept = (bizId: string) => {
  const [sourceWalletId = '', targetWalletId = ''] = walletIds;
  const asked = {
    type: 'TRANSFER',
    workspaceId,
    sourceWalletId,
    targetWalletId,
    amount: new Money(1),
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
  toLose = 1;
  const bizIds = together(known, fresh);
  const accepted = await acceptAll(bizIds);
  // They did share the command whose answer was lost.
  expect(bizIds.filter((bizId) => !repeated?.includes(bizId))).toEqual([]);
  expect(accepted.map(({ isReplay }) => isReplay)).toEqual(bizIds.map((bizId) => bizId === known));
  expect(accepted[bizIds.indexOf(known)]?.order.id).toBe(first?.order.id);
  for (const [index, { order }] of accepted.entries())
    expect(await orders.findOne({ _id: order.id })).toMatchObject({ bizId: bizIds[index], workspaceId });
});
