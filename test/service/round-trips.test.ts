import { afterAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.ts';
import { startRedis } from '../support/redis.ts';
import { leastIdAt, timeOfId } from '../../src/domain/ids.ts';
import { watchRoundTrips, type RoundTrip } from '../../bench/servers/watch-round-trips.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

/** What processes send in rounds of their own, whether there are orders or not: to Redis, to collections of theirs, or by index. */
const ofRounds = {
  redis: [
    'ping',
    'set',
    'getCounts',
    'moveStalledJobsToWait',
    'extendLocks',
    'llen',
    'hexists',
    'bzpopmin',
    'subscribe',
  ],
  mongodb: /^(hello|isMaster|ping|\w+ (leases|posters|partitioning|currencies|masterKeys))$/,
  hints: /"hint":"(unsettled_orders|due_orders\w*|endpoints_\w+|test_clocks_to_wake)"/,
};
/** Of an order, but nobody waits for the answer: they are kept back meanwhile, which proves it. */
const beside = ['hset', 'moveToFinished', 'publish'];
/** Sent together with others: for a second job, before or after the first begins; for more of the bucket, once a group has ended; with the workspace; once a second with the writes; before a client waits for a notice; and, of a run that lasts a while, its progress. */
const together = [
  'another moveToActive',
  'another takeWoken',
  'find members',
  'find webhookEndpoints',
  'find orders meanwhile',
  'updateProgress',
];
/** A key in use is read again in rounds. */
const ofKey = ['find apiKeys', 'find workspaces'];
/** The web process remembers wallets for a second. A busy machine may take longer between two requests. */
const ofRemembered = [...ofKey, 'aggregate wallets'];
/** They wake another process as soon as Redis has them, not when it has answered. */
const waking = ['wakeWorkspaces', 'addStandardJob', 'publish'];

const accepting = ['spendNonces', 'insert orders'];
const writing = ['update orders', 'update wallets', 'insert flows', 'commitTransaction'];
const taking = ['wakeWorkspaces', 'addStandardJob', 'moveToActive', 'takeWoken', 'find orders to post'];

const waitsAnewMs = 1_000;
/** Of a busy machine, where the worker's wait is over before a job is there. */
const look = 'moveToActive in vain';

const watch = watchRoundTrips();
const redis = await startRedis();
afterAll(async () => {
  watch.close();
  await redis.stop();
});
const service = await serviceForTests({ redisUrl: redis.url });
const workspace = await createWorkspace(service);
const [sourceWalletId, targetWalletId] = [await workspace.wallet('100'), await workspace.wallet()];
const body = { bizId: 'first', sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };

const create = (more: object = {}, headers = {}): Promise<Answer> =>
  workspace.client.request('POST', '/api/v1/transfer/command/create', { body: { ...body, ...more }, headers });
const read = (path: string): Promise<Answer> =>
  workspace.client.request('GET', `/api/v1/transfer/query/orders/${path}`);

/** Only posting reads what an atomic batch has. */
const isOfPosting = (text: string): boolean => text.includes('"otherIds":1');

function isOfRound({ server, name, text }: RoundTrip): boolean {
  if (server === 'redis') return ofRounds.redis.includes(name);
  return !isOfPosting(text) && (ofRounds.mongodb.test(name) || ofRounds.hints.test(text));
}

const another = (name: string): string => `another ${name}`;

/** The first after the job was added takes it; the second finds no other. */
function nameOfTaking(trips: readonly RoundTrip[], trip: RoundTrip): string {
  const addedAt = trips.find(({ name }) => name === 'addStandardJob')?.sent ?? Infinity;
  if (trip.sent < addedAt) return look;
  const taking = trips.find(({ name, sent }) => name === trip.name && sent > addedAt);
  return taking === trip ? trip.name : another(trip.name);
}

function nameIn(trips: readonly RoundTrip[], trip: RoundTrip): string {
  const { name, text } = trip;
  if (name === 'moveToActive') return nameOfTaking(trips, trip);
  if ([...ofKey, 'takeWoken'].includes(name) && trips.find((other) => other.name === name) !== trip)
    return another(name);
  if (name !== 'find orders') return name;
  if (isOfPosting(text)) return 'find orders to post';
  const isBeforeCommit = trips.some((other) => other.name === 'commitTransaction' && other.sent > trip.sent);
  return isBeforeCommit ? 'find orders meanwhile' : name;
}

/** Resolves once the worker waits for a job, and will for a second: it looks at its queue again after two. */
async function untilIdle(): Promise<void> {
  let waitsBefore: RoundTrip | undefined;
  await waitFor(() => {
    const last = watch.all.findLast(({ name }) => ['bzpopmin', 'moveToActive', 'moveToFinished'].includes(name));
    const isNew = last !== undefined && performance.now() - last.sentAtMs < waitsAnewMs;
    const isWaiting = isNew && last.name === 'bzpopmin' && last.answered === Infinity;
    const isStill = isWaiting && last === waitsBefore;
    waitsBefore = last;
    return isStill;
  });
}

/**
 * The commands that an order, or an answer, waited for one after the other, by name.
 * @param isDone told what was answered so far. What nobody is to wait for is kept back until then.
 * @param leftOut what does not count.
 */
async function waitedFor(
  send: () => Promise<Answer>,
  isDone: (names: readonly string[]) => boolean,
  { notWaitedFor = beside, leftOut = ofRemembered } = {},
): Promise<string[]> {
  await untilIdle();
  const before = watch.all.length;
  const trips = (): readonly RoundTrip[] => watch.all.slice(before).filter((trip) => !isOfRound(trip));
  const others = new Set([...notWaitedFor, ...together, ...leftOut, ...ofKey.map(another), look]);
  const untilDone = async () => {
    const { status } = await send();
    expect(status).toBe(200);
    return waitFor(() => {
      const all = trips();
      const waited = all.map((trip) => ({ ...trip, name: nameIn(all, trip) })).filter(({ name }) => !others.has(name));
      return isDone(waited.filter(({ answered }) => answered < Infinity).map(({ name }) => name)) && waited;
    });
  };
  watch.hold((trip) => notWaitedFor.includes(nameIn(trips(), trip)));
  const inTurn = await untilDone().finally(watch.release);
  for (const [index, { name, answered }] of inTurn.entries()) {
    const next = inTurn[index + 1];
    if (waking.includes(name) || next === undefined) continue;
    expect(next.sent, `${next.name} after ${name}`).toBeGreaterThan(answered);
  }
  return inTurn.map(({ name }) => name);
}

const isCommitted = (names: readonly string[]): boolean => names.includes('commitTransaction');
const isAnswered = (): boolean => true;

describe('an order waits for these commands, one after the other, and for no other', () => {
  it('the first of its key and its wallets, of a service that was idle', async () => {
    expect(await waitedFor(create, isCommitted, { leftOut: [] })).toEqual([
      ...['find apiKeys', 'find workspaces', 'spendNonces', 'aggregate wallets', 'insert orders'],
      ...[...taking, 'find wallets', ...writing],
    ]);
  });

  it('the next of the same wallets, which its worker remembers', async () => {
    const names = await waitedFor(() => create({ bizId: 'second' }), isCommitted);
    expect(names).toEqual([...accepting, ...taking, ...writing]);
  });

  it('of which the worker looks for it from its own time on, and not among all that were posted', async () => {
    const { text } = await read('second');
    const [id = ''] = /tr_\w{26}/.exec(text) ?? [];
    const time = timeOfId('order', id);
    const trip = watch.all.findLast((each) => each.name === 'find orders' && isOfPosting(each.text));
    expect(trip?.text).toContain(`"_id":{"$gt":"${leastIdAt('order', time)}"}`);
  });

  it('and a client that waits for the order also for its notice and a read', async () => {
    const notWaitedFor = beside.filter((name) => name !== 'publish');
    const send = () => create({ bizId: 'third' }, { Prefer: 'wait=10' });
    const names = await waitedFor(send, isAnswered, { notWaitedFor });
    expect(names).toEqual([...accepting, ...taking, ...writing, 'publish', 'find orders']);
  });
});

describe('an answer waits for these', () => {
  it('to a create that repeats an order', async () => {
    expect(await waitedFor(create, isAnswered)).toEqual([...accepting, 'find orders']);
  });

  it.each(['first', 'first/completed'])('to a read of %s', async (path) => {
    expect(await waitedFor(() => read(path), isAnswered)).toEqual(['spendNonces', 'find orders']);
  });
});
