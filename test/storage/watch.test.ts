import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { pino } from 'pino';
import { describe, test, type TestContext } from 'vitest';
import { connectStorage } from '../../src/storage/connection.ts';
import { watchStorage } from '../../src/storage/watch.ts';
import { startProxy, type Proxy, type Verdict } from '../faults/harness/proxy.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { uri, name } = testDatabase();
const log = pino({ enabled: false });
/** A look that finds no server, or gets no connection, fails soon. */
const limits = { maxPoolSize: 1, serverSelectionTimeoutMS: 300, waitQueueTimeoutMS: 300 } as const;
const hungAfterMs = 60_000;
/** Far more often than MongoDB answers: whoever waits for the connection has next to no chance. */
const askEveryMs = 2;
/** Longer than it takes to find a client stuck. */
const watchedMs = 12_000;
/** The same on a busy machine, where its connections first have to be out for too long. */
const foundMaxMs = 60_000;
/** So long that two looks fail. */
const awayMs = 7_000;
const momentMs = 1_000;

interface Watched {
  readonly proxy: Proxy;
  readonly db: Db;
  /** What was said of a stuck client. */
  readonly stuck: readonly string[];
  /** Looks that went well. */
  answers: number;
}

/** A client by way of a proxy, and its watch. */
async function startWatched({ onTestFinished }: TestContext): Promise<Watched> {
  const address = new URL(uri);
  const proxy = await startProxy({ host: address.hostname, port: Number(address.port) });
  address.port = String(proxy.port);
  address.search = '?directConnection=true';
  const storage = await connectStorage(address.href, log, AbortSignal.timeout(10_000), hungAfterMs, limits);
  const stuck: string[] = [];
  const watched = { proxy, db: storage.db, stuck, answers: 0 };
  const watch = watchStorage({
    ...{ storage, uri: address.href, log },
    onStuck: (what) => stuck.push(what),
    onClock: () => (watched.answers += 1),
  });
  onTestFinished(async () => {
    await watch.close();
    await proxy.close();
    await storage.close();
  });
  return watched;
}

const findSlowly = (db: Db) => db.collection('slow').findOne();

// Each waits for the watch nearly all the time.
describe.concurrent('a client', () => {
  test('whose connections are all busy, more being asked than MongoDB answers in time, is not stuck', async (context) => {
    const { proxy, db, stuck } = await startWatched(context);
    proxy.intercept(async ({ direction, bytes }): Promise<Verdict> => {
      if (direction === 'request' && bytes.includes('slow')) await delay(200);
      return 'pass';
    });
    const asking = setInterval(() => {
      findSlowly(db).catch(() => undefined);
    }, askEveryMs);
    await delay(watchedMs);
    clearInterval(asking);
    context.expect(stuck).toEqual([]);
  });

  test('that finds MongoDB again a moment later than a new one is not stuck', async (context) => {
    const watched = await startWatched(context);
    let isAway = true;
    let newAnsweredAt = Infinity;
    watched.proxy.intercept(({ direction, bytes }) => {
      if (isAway) return 'cut';
      if (direction === 'reply') return 'pass';
      const isOfOld = bytes.includes(name);
      if (!isOfOld && bytes.includes('ping')) newAnsweredAt = Math.min(newAnsweredAt, performance.now());
      return isOfOld && performance.now() < newAnsweredAt + momentMs ? 'cut' : 'pass';
    });
    await delay(awayMs);
    isAway = false;
    watched.answers = 0;
    await waitFor(() => watched.answers > 0 || watched.stuck.length > 0, { timeoutMs: foundMaxMs });
    context.expect(watched.stuck).toEqual([]);
  });

  test('whose connections never come back is', async (context) => {
    const { proxy, db, stuck } = await startWatched(context);
    proxy.intercept(({ direction, bytes }) =>
      direction === 'request' && bytes.includes('slow') ? new Promise(() => undefined) : 'pass',
    );
    findSlowly(db).catch(() => undefined);
    await waitFor(() => stuck.length > 0, { timeoutMs: foundMaxMs });
  });
});
