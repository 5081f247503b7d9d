import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { leastIdAt } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import type { PostingQueue } from '../../src/queue/queue.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { ensureSchema } from '../../src/storage/schema.ts';
import { startSweeper } from '../../src/transfers/sweep.ts';
import type { Sweeper } from '../../src/transfers/sweep.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { db } = testDatabase();
const collections = openCollections(db);
const log = pino({ level: 'silent' });

/** What the sweeper finds in the queue, and what it puts there. */
let queue: PostingQueue & { readonly rounds: number; readonly enqueued: string[]; oldest: Date | undefined };
let sweeper: Sweeper | undefined;

beforeEach(async () => {
  await ensureSchema(db);
  await Promise.all([db.collection('orders').deleteMany({}), db.collection('leases').deleteMany({})]);
  const enqueued: string[] = [];
  let rounds = 0;
  queue = {
    enqueued,
    oldest: undefined,
    get rounds() {
      return rounds;
    },
    enqueue: (ids) => Promise.resolve(void enqueued.push(...ids)),
    waitingCount: () => Promise.resolve(0),
    oldestJobAt() {
      rounds += 1;
      return Promise.resolve(this.oldest);
    },
    close: () => Promise.resolve(),
  };
});
afterEach(() => sweeper?.close());

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

async function recordPending(createdAt: Date): Promise<string> {
  const id = leastIdAt('order', createdAt);
  await collections.orders.insertGroup([
    {
      ...{ id, bizId: id, workspaceId: 'ws', sourceWalletId: 'a', targetWalletId: 'b', amount: new Money(1) },
      ...{ currency: 'EUR', status: 'PENDING', failure: null, createdAt, updatedAt: createdAt, completedAt: null },
    },
  ]);
  return id;
}

async function rounds(count: number): Promise<void> {
  const until = queue.rounds + count;
  await waitFor(() => queue.rounds >= until);
}

describe('the sweeper', () => {
  test('enqueues what stayed PENDING for seconds and that no job carries, and nothing younger', async () => {
    const lost = await recordPending(ago(60));
    await recordPending(ago(1));
    sweeper = startSweeper({ collections, queue, log, holder: 'test' });
    await waitFor(() => queue.enqueued.length > 0);
    expect(queue.enqueued).toEqual([lost]);
  });

  test('leaves alone what a job may still carry: all that is younger than the queue’s oldest job', async () => {
    const lost = await recordPending(ago(60));
    await recordPending(ago(20));
    queue.oldest = ago(30);
    sweeper = startSweeper({ collections, queue, log, holder: 'test' });
    await rounds(2);
    expect(queue.enqueued).toEqual([lost]);
  });

  test('does not enqueue again what its own job still carries, but does once that job is gone as well', async () => {
    const lost = await recordPending(ago(60));
    sweeper = startSweeper({ collections, queue, log, holder: 'test' });
    await waitFor(() => queue.enqueued.length === 1);
    queue.oldest = ago(5);
    await rounds(2);
    expect(queue.enqueued).toEqual([lost]);
    queue.oldest = undefined;
    await waitFor(() => queue.enqueued.length >= 2);
  });

  test('leaves the work to who holds the lease', async () => {
    await collections.leases.take('sweeper', 'another', 60_000);
    await recordPending(ago(60));
    sweeper = startSweeper({ collections, queue, log, holder: 'test' });
    await sweeper.close();
    expect(queue.rounds).toBe(0);
  });
});
