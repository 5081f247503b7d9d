import { MongoClient, type CommandStartedEvent } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { createSingleReads } from '../../src/http/single-reads.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { createThroughFailover } from '../../src/waiting/failover.ts';
import { isTransientFault } from '../../src/storage/shared/transaction.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';

const { uri, db: plain } = testDatabase();
const client = new MongoClient(uri, { monitorCommands: true });
const { orders, wallets } = openCollections(client.db());
const [mine, theirs] = [newId('workspace'), newId('workspace')];
const values = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: '1', currency: 'USD' };
const own = pendingOrder({ ...values, workspaceId: mine, bizId: 'invoice-1' });
const unnamed = pendingOrder({ ...values, workspaceId: mine });
const foreign = pendingOrder({ ...values, workspaceId: theirs, bizId: 'invoice-1' });
const throughFailover = createThroughFailover(isTransientFault);
const unhurried = (): number => Infinity;
let finds = 0;

beforeAll(async () => {
  await ensureSchema(plain);
  await orders.insertBatch([own, unnamed, foreign]);
  client.on('commandStarted', ({ commandName }: CommandStartedEvent) => (finds += commandName === 'find' ? 1 : 0));
});
afterAll(() => client.close());

async function inOneQuery<T>(reading: () => Promise<T>): Promise<T> {
  const before = finds;
  const result = await reading();
  expect(finds - before).toBe(1);
  return result;
}

describe('single reads of one moment', () => {
  it('share one query, and each workspace sees its own orders alone', async () => {
    const find = createSingleReads(orders.findMany, throughFailover);
    const ask = (workspaceId: string, idOrBizId: string) => find({ workspaceId, idOrBizId }, unhurried);
    const found = await inOneQuery(() =>
      Promise.all([
        ask(mine, 'invoice-1'),
        ask(theirs, 'invoice-1'),
        ask(mine, own.id),
        ask(theirs, own.id),
        ask(mine, foreign.id),
        ask(mine, unnamed.id),
        ask(mine, unnamed.id),
        ask(mine, 'invoice-2'),
        ask(newId('workspace'), unnamed.id),
      ]),
    );
    const none = undefined;
    expect(found.map((each) => each?.id)).toEqual([
      ...[own.id, foreign.id, own.id, none, none, unnamed.id, unnamed.id, none, none],
    ]);
  });

  it('share one query, and each workspace sees its own wallets alone, EXTERNAL ones never', async () => {
    const wallet = await wallets.create({ workspaceId: mine, currency: 'USD', name: 'mine' });
    const other = await wallets.create({ workspaceId: theirs, currency: 'USD', name: 'theirs' });
    const external = await wallets.ensureExternal(mine, 'USD');
    const find = createSingleReads(wallets.findVisible, throughFailover);
    const ask = (workspaceId: string, id: string) => find({ workspaceId, id }, unhurried);
    const found = await inOneQuery(() =>
      Promise.all([
        ask(mine, wallet.id),
        ask(theirs, wallet.id),
        ask(mine, other.id),
        ask(theirs, other.id),
        ask(mine, external.id),
        ask(mine, wallet.id),
      ]),
    );
    expect(found.map((each) => each?.id)).toEqual([wallet.id, undefined, undefined, other.id, undefined, wallet.id]);
  });
});
