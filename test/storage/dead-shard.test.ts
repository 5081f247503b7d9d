import { isDeepStrictEqual } from 'node:util';
import { startEngine, type RunningEngine } from 'mongodb-embedded';
import { MongoClient } from 'mongodb';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Acceptor } from '../../src/accepting/accept.ts';
import { startBackPressure } from '../../src/accepting/back-pressure.ts';
import { systemClock } from '../../src/clock.ts';
import { newId, timeOfId } from '../../src/domain/ids.ts';
import { createSingleReads } from '../../src/http/single-reads.ts';
import { startSweeper } from '../../src/posting/sweep.ts';
import { openCollections, type Collections } from '../../src/storage/collections.ts';
import { batchPermits, connectForRequests, type Storage } from '../../src/storage/shared/connection.ts';
import { createThroughFailover, failoverMaxMs } from '../../src/waiting/failover.ts';
import { isTransientFault } from '../../src/storage/shared/transaction.ts';
import { createPostedWrites } from '../../src/storage/group-writes.ts';
import { openPostingSessions } from '../../src/storage/processes/posting-sessions.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { isSharded } from '../../src/storage/schema/sharding.ts';
import { Bulkhead } from '../../src/waiting/bulkhead.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { refusalBy } from '../support/refusal-by.ts';
import { startShardRouter, type ShardRouter } from '../support/shard-router.ts';
import { createTestAcceptor } from '../support/test-acceptor.ts';
import { createTestPoster } from '../support/test-poster.ts';
import { waitFor } from '../support/wait-for.ts';

const [livingCount, deadCount, rounds] = [4, 12, 4];
/** More than there are permits, at once and for what is slow. */
const newlyDeadCount = 120;
const log = pino({ level: 'silent' });
const unhurried = () => Infinity;
const dead = 1;

interface Tenant {
  readonly workspaceId: string;
  readonly walletIds: readonly [string, string];
}

const deadWorkspaces = new Set<string>();
let engines: RunningEngine[];
let router: ShardRouter;
let storage: Storage;
let collections: Collections;
let acceptor: Acceptor;
let readOrder: (reference: { workspaceId: string; idOrBizId: string }) => Promise<unknown>;
let readWallet: (reference: { workspaceId: string; id: string }) => Promise<unknown>;

beforeAll(async () => {
  engines = [await startEngine(), await startEngine()];
  for (const { uri } of engines) {
    const client = new MongoClient(uri);
    await ensureSchema(client.db('transfers'));
    await client.close();
  }
  router = await startShardRouter(engines, (workspaceId) => (deadWorkspaces.has(workspaceId) ? dead : 0));
  storage = await connectForRequests(router.uri, log, new AbortController().signal);
  collections = openCollections(storage.db, systemClock);
  const throughFailover = createThroughFailover(isTransientFault);
  const onCluster = await isSharded(storage.db);
  const turns = () => (onCluster ? new Bulkhead(batchPermits) : undefined);
  const readTurns = turns();
  const findOrder = createSingleReads(collections.orders.findMany, throughFailover, readTurns);
  const findWallet = createSingleReads(collections.wallets.findVisible, throughFailover, readTurns);
  readOrder = (reference) => findOrder(reference, unhurried);
  readWallet = (reference) => findWallet(reference, unhurried);
  acceptor = createTestAcceptor(collections, turns());
});
afterAll(async () => {
  await router.close();
  await storage.close();
  for (const engine of engines) await engine.close();
});

async function openTenant(isDead: boolean): Promise<Tenant> {
  const workspaceId = newId('workspace');
  if (isDead) deadWorkspaces.add(workspaceId);
  const wallet = async (name: string) => (await collections.wallets.create({ workspaceId, name, currency: 'EUR' })).id;
  return { workspaceId, walletIds: [await wallet('a'), await wallet('b')] };
}

const openTenants = (count: number, isDead: boolean) =>
  Promise.all(Array.from({ length: count }, () => openTenant(isDead)));

function create({ workspaceId, walletIds: [sourceWalletId, targetWalletId] }: Tenant, bizId?: string) {
  const sides = { sourceWalletId, targetWalletId };
  const transfer = { workspaceId, type: 'TRANSFER', ...sides, amount: '1', currency: 'EUR' } as const;
  return acceptor.accept({ ...transfer, ...(bizId === undefined ? {} : { bizId }) });
}

/** What a client asks of a process: creates, a replay, and single reads. */
function ask(tenant: Tenant): Promise<unknown>[] {
  const { workspaceId, walletIds } = tenant;
  return [
    ...[create(tenant), create(tenant), create(tenant, 'again')],
    ...[readOrder({ workspaceId, idOrBizId: 'again' }), readWallet({ workspaceId, id: walletIds[0] })],
  ];
}

test('a shard that does not answer holds up nobody else: creates, replays and reads of others are all served', async () => {
  const living = await openTenants(livingCount, false);
  const stuck = await openTenants(deadCount, true);
  router.stop(dead);
  let served = 0;
  const waiting = Promise.allSettled(stuck.flatMap(ask).map((asked) => asked.then(() => (served += 1))));
  await waitFor(() => router.held() > 0);
  const namedBefore = router.workspacesNamed.length;
  for (let round = 0; round < rounds; round += 1) await Promise.all(living.flatMap(ask));
  expect(served).toBe(0);
  // Each command is of one workspace.
  expect(new Set(router.workspacesNamed)).toEqual(new Set([1]));
  expect(router.workspacesNamed.length).toBeGreaterThan(namedBefore);
  router.resume(dead);
  await waiting;
  await Promise.all(stuck.flatMap(ask));
});

test('nor do many workspaces of which each is held up for the first time', async () => {
  const [living] = await openTenants(1, false);
  const stuck = await openTenants(newlyDeadCount, true);
  router.stop(dead);
  let served = 0;
  const waiting = Promise.allSettled(stuck.map((tenant) => create(tenant).then(() => (served += 1))));
  await waitFor(() => router.held() > 0);
  for (let round = 0; round < rounds; round += 1) await create(living!);
  expect(served).toBe(0);
  router.resume(dead);
  await waiting;
});

test('a shard that does not answer holds up no group of others', async () => {
  const [living, stuck] = [await openTenants(2, false), await openTenants(20, true)];
  await Promise.all([...living, ...stuck].map((tenant) => create(tenant)));
  const sessions = openPostingSessions(storage.client, 2);
  const poster = createTestPoster(collections, createPostedWrites(storage.db, 'test'), sessions.all, true);
  const post = ({ workspaceId }: Tenant) => poster.post(workspaceId, '', () => undefined);
  router.stop(dead);
  const waiting = stuck.slice(0, 8).map(post);
  await waitFor(() => router.held() > 0);
  // The wallets are empty: FAILED is an end as good as any.
  const failed = { completed: 0, failed: 1, skipped: 0, setAside: 0, error: undefined };
  expect(await Promise.all(living.map(post))).toEqual([failed, failed]);
  router.resume(dead);
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => failed));
  await sessions.end();
});

test('a shard that does not answer keeps no creates of others out, however long it does not', async () => {
  const [calm, flooding] = await openTenants(2, false);
  const stuck = await openTenants(newlyDeadCount, true);
  for (let order = 0; order < 2; order += 1) await create(flooding!);
  const counts = vi.spyOn(collections.backlog, 'countOf');
  const limits = { backlogMax: 100_000, backlogMaxWorkspace: 1 };
  const pressure = startBackPressure(limits, collections.backlog, log);
  const refusals = (tenants: readonly (Tenant | undefined)[]) =>
    new Set(tenants.map((tenant) => refusalBy(pressure, tenant!.workspaceId)));
  const areAll = (tenants: readonly (Tenant | undefined)[], refusal: string | undefined): boolean =>
    isDeepStrictEqual(refusals(tenants), new Set([refusal]));
  const now = performance.now.bind(performance);
  let aheadMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  try {
    await pressure.firstSnapshot;
    router.stop(dead);
    expect(refusals(stuck)).toEqual(new Set([undefined]));
    await waitFor(() => areAll([calm], undefined) && areAll([flooding], 'WORKSPACE_BACKLOG_FULL'));
    await waitFor(() => pressure.lastSnapshot() === undefined);
    const asked = () => new Set(counts.mock.calls.map(([workspaceId]) => workspaceId));
    await waitFor(() => areAll(stuck, undefined) && stuck.every(({ workspaceId }) => asked().has(workspaceId)));
    // As if it had been away for so long, and all had gone on asking.
    for (let times = 0; times < 2; times += 1) {
      expect(refusals(stuck)).toEqual(new Set([undefined]));
      aheadMs += 0.6 * failoverMaxMs;
    }
    expect(refusals(stuck)).toEqual(new Set(['UNAVAILABLE']));
    await waitFor(() => areAll([calm], undefined) && areAll([flooding], 'WORKSPACE_BACKLOG_FULL'));
    router.resume(dead);
    await waitFor(() => pressure.lastSnapshot() !== undefined && areAll([calm, ...stuck], undefined));
  } finally {
    vi.restoreAllMocks();
    router.resume(dead);
    await pressure.close();
  }
});

test('a shard that does not answer keeps no lost orders of others from being swept', async () => {
  const tenants = [...(await openTenants(3, false)), ...(await openTenants(2, true))];
  for (const { workspaceId, walletIds } of tenants) {
    await collections.workspaces.create('swept', workspaceId);
    const id = newId('order', new Date(Date.now() - 60_000));
    const [sourceWalletId, targetWalletId] = walletIds;
    const values = { workspaceId, sourceWalletId, targetWalletId, amount: '1', currency: 'EUR', bizId: id };
    const createdAt = timeOfId('order', id);
    await collections.orders.insertBatch([{ ...pendingOrder(values), id, createdAt, updatedAt: createdAt }]);
  }
  const ids = tenants.map(({ workspaceId }) => workspaceId);
  const woken = new Set<string>();
  const told: string[] = [];
  const lines = { write: (line: string) => void told.push(line) };
  const queue = {
    wake: (waiting: readonly { readonly workspaceId: string }[]) => {
      for (const { workspaceId } of waiting) woken.add(workspaceId);
      return Promise.resolve();
    },
  };
  router.stop(dead);
  const sweeper = startSweeper(
    { collections, isSharded: true, queue, clock: systemClock, log: pino({}, lines) },
    { leases: collections.leases, instanceId: 'test', mayWork: () => true },
    50,
  );
  try {
    await waitFor(() => ids.slice(0, 3).every((id) => woken.has(id)));
    await waitFor(() => told.some((line) => line.includes('their shard does not answer: 2')));
    expect(ids.slice(3).some((id) => woken.has(id))).toBe(false);
    woken.clear();
    router.resume(dead);
    // The router merges nothing, so the pass over all shards shows the first one's alone.
    await waitFor(() => ids.slice(0, 3).every((id) => woken.has(id)));
  } finally {
    router.resume(dead);
    await sweeper.close();
  }
});
