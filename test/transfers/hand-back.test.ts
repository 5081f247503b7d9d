import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { openPostedWrites } from '../../src/storage/postedWrites.ts';
import { openPostingSessions } from '../../src/storage/postingSessions.ts';
import { ensureSchema } from '../../src/storage/schema.ts';
import { createPoster } from '../../src/transfers/post.ts';
import type { Poster } from '../../src/transfers/post.ts';
import { testDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { waitFor } from '../support/wait-for.ts';

const { client, db } = testDatabase();
const collections = openCollections(db);

let poster: Poster;
let walletIds: string[];
/** Wallets that another process has claimed. */
const claimed = new Set<string>();
const refused: string[] = [];
const sessions = openPostingSessions(client, 1);

beforeAll(async () => {
  await ensureSchema(db);
  walletIds = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const { id } = await collections.wallets.create({ workspaceId: 'ws', name, currency: 'EUR' });
    walletIds.push(id);
  }
  poster = createPoster({
    ...{ sessions: sessions.lanes, collections, writePosted: await openPostedWrites(db), holder: 'test' },
    ...{ currencies: createCurrencies(new Map()), log: pino({ enabled: false }), onPosted: () => undefined },
    onHung: (what) => {
      throw new Error(what);
    },
    claims: {
      areNeeded: () => true,
      take(orders) {
        const isTaken = orders.map(({ sourceWalletId }) => !claimed.has(sourceWalletId));
        for (const [index, { sourceWalletId }] of orders.entries()) if (!isTaken[index]) refused.push(sourceWalletId);
        return Promise.resolve({ isTaken, hasTurn: false, refusedBy: 'another' });
      },
      release: () => Promise.resolve(),
    },
  });
});
afterAll(() => sessions.end());

async function record(source: number, target: number): Promise<string> {
  const [sourceWalletId, targetWalletId] = [walletIds[source]!, walletIds[target]!];
  const order = pendingOrder({ workspaceId: 'ws', sourceWalletId, targetWalletId, amount: '1', currency: 'EUR' });
  await collections.orders.insertGroup([order]);
  return order.id;
}

async function statusOf(id: string): Promise<unknown> {
  return (await db.collection<{ _id: string; status: string }>('orders').findOne({ _id: id }))?.status;
}

test('a job of which some was posted is handed back, each time it is in hand, and others post the rest', async () => {
  const [posted, left] = [await record(0, 1), await record(2, 3)];
  claimed.add(walletIds[2]!);
  const jobs = [poster.post([posted, left]), poster.post([left])];
  await waitFor(() => refused.includes(walletIds[2]!));
  await waitFor(async () => (await statusOf(posted)) !== 'PENDING');
  poster.setHandingBack(true);
  expect(await Promise.all(jobs)).toEqual(['handedBack', 'handedBack']);
  expect(await statusOf(left)).toBe('PENDING');
  // Neither wallet held anything: FAILED is terminal as well.
  expect(await statusOf(posted)).toBe('FAILED');
  poster.setHandingBack(false);
  claimed.clear();
  expect(await poster.post([posted, left])).toEqual({ completed: 0, failed: 1, passedOver: 1, setAside: 0 });
});
