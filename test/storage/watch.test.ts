import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectStorage } from '../../src/storage/connection.ts';
import type { Storage } from '../../src/storage/connection.ts';
import { watchStorage } from '../../src/storage/watch.ts';
import type { Rounds } from '../../src/rounds.ts';
import { startProxy } from '../faults/harness/proxy.ts';
import type { Proxy, Verdict } from '../faults/harness/proxy.ts';
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

let proxy: Proxy;
let storage: Storage;
let watch: Rounds;
let stuck: string[];
/** Looks that went well. */
let answers: number;

beforeEach(async () => {
  const address = new URL(uri);
  proxy = await startProxy({ host: address.hostname, port: Number(address.port) });
  address.port = String(proxy.port);
  address.search = '?directConnection=true';
  storage = await connectStorage(address.href, log, AbortSignal.timeout(10_000), hungAfterMs, limits);
  [stuck, answers] = [[], 0];
  const [onStuck, onClock] = [(what: string) => stuck.push(what), () => (answers += 1)];
  watch = watchStorage({ storage, uri: address.href, log, onStuck, onClock });
});
afterEach(async () => {
  await watch.close();
  await proxy.close();
  await storage.close();
});

const findSlowly = (db: Db) => db.collection('slow').findOne();

test('a client whose connections are all busy, more being asked than MongoDB answers in time, is not stuck', async () => {
  proxy.intercept(async ({ direction, bytes }): Promise<Verdict> => {
    if (direction === 'request' && bytes.includes('slow')) await delay(200);
    return 'pass';
  });
  const asking = setInterval(() => {
    findSlowly(storage.db).catch(() => undefined);
  }, askEveryMs);
  await delay(watchedMs);
  clearInterval(asking);
  expect(stuck).toEqual([]);
});

test('a client that finds MongoDB again a moment later than a new one is not stuck', async () => {
  let isAway = true;
  let newAnsweredAt = Infinity;
  proxy.intercept(({ direction, bytes }) => {
    if (isAway) return 'cut';
    if (direction === 'reply') return 'pass';
    const isOfOld = bytes.includes(name);
    if (!isOfOld && bytes.includes('ping')) newAnsweredAt = Math.min(newAnsweredAt, performance.now());
    return isOfOld && performance.now() < newAnsweredAt + momentMs ? 'cut' : 'pass';
  });
  await delay(awayMs);
  [isAway, answers] = [false, 0];
  await waitFor(() => answers > 0 || stuck.length > 0, { timeoutMs: foundMaxMs });
  expect(stuck).toEqual([]);
});

test('a client whose connections never come back is', async () => {
  proxy.intercept(({ direction, bytes }) =>
    direction === 'request' && bytes.includes('slow') ? new Promise(() => undefined) : 'pass',
  );
  findSlowly(storage.db).catch(() => undefined);
  await waitFor(() => stuck.length > 0, { timeoutMs: foundMaxMs });
});
