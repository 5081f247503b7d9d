import { randomUUID } from 'node:crypto';
import { MongoClient, type Binary, type Db } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEngine, type RunningEngine } from 'mongodb-embedded';
import { openWorkers } from '../../src/storage/processes/workers.ts';
import { clearFailPoint, failCommands } from '../faults/harness/fail-point.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

/** Whoever spoke before a moment that is yet to come was silent. */
const everybodyIsSilentMs = -60_000;
const heldMs = 5_000;
const writeConflict = 112;

// Of its own: a fail point holds for a whole server.
let engine: RunningEngine;
let mongodb: MongoClient;
let db: Db;
let service: RunningService;
let workspace: TestWorkspace;
let source: string;
let target: string;

beforeAll(async () => {
  engine = await startEngine();
  const uri = new URL(engine.uri);
  uri.pathname = '/reaped';
  mongodb = new MongoClient(uri.href);
  db = mongodb.db();
  service = await startService({ mongodbUri: uri.href });
  workspace = await createWorkspace(service);
  [source, target] = [await workspace.wallet('100'), await workspace.wallet()];
});
afterAll(async () => {
  await clearFailPoint(mongodb);
  await service.stop();
  await mongodb.close();
  await engine.close();
});

async function create(headers: Record<string, string> = {}): Promise<string | undefined> {
  const body = { bizId: randomUUID(), sourceWalletId: source, targetWalletId: target, amount: '1', currency: 'USD' };
  const { envelope } = await workspace.client.request<{ status: string }>('POST', '/api/v1/transfer/command/create', {
    body: JSON.stringify(body),
    headers: { ...headers, 'Content-Type': 'application/json' },
  });
  return envelope?.data.status;
}

async function sessionIds(): Promise<string[]> {
  const posters = db.collection<{ kind?: string; sessionIds: Binary[] }>('posters');
  const worker = await posters.findOne({ kind: { $ne: 'web' } });
  return worker?.sessionIds.map((id) => id.toString('hex')) ?? [];
}

/** Whether an open transaction has written the wallet. */
async function isLocked(walletId: string): Promise<boolean> {
  return mongodb.withSession(async (session) => {
    session.startTransaction();
    try {
      await db
        .collection<{ _id: string }>('wallets')
        .updateOne({ _id: walletId }, { $set: { updatedAt: new Date() } }, { session });
      return false;
    } catch (error) {
      return (error as { code?: unknown }).code === writeConflict;
    } finally {
      await session.abortTransaction();
    }
  });
}

it('a worker whose transaction others end, taking it for dead, posts it again and goes on in new sessions', async () => {
  const before = await waitFor(async () => {
    const ids = await sessionIds();
    return ids.length > 0 && ids;
  });
  await failCommands(mongodb, 1, { failCommands: ['commitTransaction'], blockConnection: true, blockTimeMS: heldMs });
  expect(await create()).toBe('PENDING');
  await waitFor(() => isLocked(source));
  expect(await openWorkers(db).reapSilent('another', everybodyIsSilentMs)).toHaveLength(1);
  expect(await isLocked(source)).toBe(false);

  const after = await waitFor(async () => {
    const ids = await sessionIds();
    return ids.length > 0 && ids.every((id) => !before.includes(id)) && ids;
  });
  expect(after.length).toBeGreaterThanOrEqual(before.length);
  expect(await create({ Prefer: 'wait=10' })).toBe('COMPLETED');
  await waitFor(async () => (await db.collection('orders').countDocuments({ status: 'PENDING' })) === 0);
  await service.admin('verify');
});
