import type { Db } from 'mongodb';
import { pino } from 'pino';
import { describe, test, vi, type TestContext } from 'vitest';
import { connectStorage } from '../../src/storage/shared/connection.ts';
import { watchStorage } from '../../src/storage/shared/watch.ts';
import { startProxy, type Proxy, type Verdict } from '../faults/harness/proxy.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';

const { uri, name } = testDatabase();
const log = pino({ enabled: false });
/** A look that finds no server, or gets no connection, fails soon. */
const limits = {
  ...{ maxPoolSize: 1, serverSelectionTimeoutMS: 1_000, waitQueueTimeoutMS: 100 },
  /** Whoever looks for a server finds it soon after it is back. */
  minHeartbeatFrequencyMS: 50,
} as const;
const watchLimits = { lookEveryMs: 50, answerMaxMs: 3_000, newClientMaxMs: 300 };
const hungAfterMs = 60_000;
/** Far more often than MongoDB answers: whoever waits for the connection has next to no chance. */
const askEveryMs = 2;
/** The third look in a row that fails finds a client stuck, unless MongoDB is away. */
const failuresMax = 2;
/** On a busy machine. */
const foundMaxMs = 60_000;

interface Watched {
  readonly proxy: Proxy;
  readonly db: Db;
  /** What was said of a stuck client. */
  readonly stuck: readonly string[];
  /** Of each look that has ended, the error that it failed with; undefined if MongoDB answered. */
  readonly looks: () => (Error | undefined)[];
}

/** A client by way of a proxy, and its watch. */
async function startWatched({ onTestFinished }: TestContext, connectionMaxMs = hungAfterMs): Promise<Watched> {
  const address = new URL(uri);
  const proxy = await startProxy({ host: address.hostname, port: Number(address.port) });
  address.port = String(proxy.port);
  address.search = '?directConnection=true';
  const storage = await connectStorage(address.href, log, AbortSignal.timeout(10_000), hungAfterMs, limits);
  const stuck: string[] = [];
  // Only looks call it.
  const command = vi.spyOn(storage.db, 'command');
  const onStuck = (what: string) => void stuck.push(what);
  const watch = watchStorage(storage, onStuck, log, undefined, { ...watchLimits, connectionMaxMs });
  onTestFinished(async () => {
    await watch.close();
    await proxy.close();
    await storage.close();
  });
  const looks = () => {
    const ended = command.mock.settledResults.filter(({ type }) => type !== 'incomplete');
    return ended.map(({ type, value }) => (type === 'rejected' ? (value as Error) : undefined));
  };
  return { proxy, db: storage.db, stuck, looks };
}

const findSlowly = (db: Db) => db.collection('slow').findOne();

// Each waits for the watch nearly all the time.
describe.concurrent('a client', () => {
  test('whose connections are all busy, more being asked than MongoDB answers in time, is not stuck', async (context) => {
    const { proxy, db, stuck, looks } = await startWatched(context);
    proxy.intercept(async ({ direction, bytes }): Promise<Verdict> => {
      const before = looks().length;
      if (direction === 'request' && bytes.includes('slow')) await waitFor(() => looks().length > before);
      return 'pass';
    });
    const asking = setInterval(() => {
      findSlowly(db).catch(() => undefined);
    }, askEveryMs);
    const last = () => looks().slice(-failuresMax - 2);
    await waitFor(
      () => last().length === failuresMax + 2 && last().every((error) => error?.name === 'MongoWaitQueueTimeoutError'),
      { timeoutMs: foundMaxMs },
    );
    clearInterval(asking);
    context.expect(stuck).toEqual([]);
  });

  test('that finds MongoDB again a look later than a new one is not stuck', async (context) => {
    const { proxy, stuck, looks } = await startWatched(context);
    let isAway = true;
    let isNewAnswered = false;
    let cutsLeft = 1;
    proxy.intercept(({ direction, bytes }) => {
      if (isAway) return 'cut';
      if (direction === 'reply') return 'pass';
      const isOfOld = bytes.includes(name);
      if (!isOfOld) {
        isNewAnswered ||= bytes.includes('ping');
        return 'pass';
      }
      if (!isNewAnswered) return 'cut';
      cutsLeft -= 1;
      return cutsLeft >= 0 ? 'cut' : 'pass';
    });
    await waitFor(() => looks().filter((error) => error !== undefined).length >= failuresMax, {
      timeoutMs: foundMaxMs,
    });
    isAway = false;
    const before = looks().length;
    await waitFor(() => stuck.length > 0 || looks().slice(before).includes(undefined), { timeoutMs: foundMaxMs });
    context.expect(stuck).toEqual([]);
    context.expect(cutsLeft).toBeLessThan(0);
  });

  test('whose connections never come back is', async (context) => {
    const { proxy, db, stuck } = await startWatched(context, 300);
    proxy.intercept(({ direction, bytes }) =>
      direction === 'request' && bytes.includes('slow') ? new Promise(() => undefined) : 'pass',
    );
    findSlowly(db).catch(() => undefined);
    await waitFor(() => stuck.length > 0, { timeoutMs: foundMaxMs });
  });
});
