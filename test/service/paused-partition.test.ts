import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { partitionOf } from '../../src/domain/partition.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const partitionCount = 2;
const workspacesMax = 40;

interface Account {
  readonly workspace: TestWorkspace;
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
}

let service: RunningService;
let accounts: Account[];
beforeAll(async () => {
  service = await startService({ workers: 1, env: { POSTING_PARTITIONS: String(partitionCount) } });
  const byPartition = new Map<number, Account>();
  for (let tries = 0; byPartition.size < partitionCount && tries < workspacesMax; tries += 1) {
    const workspace = await createWorkspace(service);
    const partition = partitionOf(workspace.workspaceId, partitionCount);
    if (byPartition.has(partition)) continue;
    const [sourceWalletId, targetWalletId] = [await workspace.wallet('100'), await workspace.wallet()];
    byPartition.set(partition, { workspace, sourceWalletId, targetWalletId });
  }
  accounts = [byPartition.get(0)!, byPartition.get(1)!];
});
afterAll(() => service.stop());

async function transfer(partition: number, wait: Record<string, string> = {}) {
  const { workspace, sourceWalletId, targetWalletId } = accounts[partition]!;
  const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  const path = '/api/v1/transfer/command/create';
  const { envelope } = await workspace.client.request('POST', path, { body, headers: wait });
  return envelope?.data as { transferId: string; status: string };
}

async function statusOf(partition: number, transferId: string): Promise<string> {
  const path = `/api/v1/transfer/query/orders/${transferId}`;
  const { envelope } = await accounts[partition]!.workspace.client.request('GET', path);
  return (envelope?.data as { status: string }).status;
}

it('a pause holds when Redis is emptied and workers start anew, and nobody else waits; then it ends', async () => {
  const change = (verb: string) => service.admin('partitions', verb, '--partition', '0', '--reason', 'a migration');
  expect(await change('pause')).toEqual({ partition: 0, isPaused: true });
  expect(await service.admin('partitions', 'show')).toEqual({ partitions: 2, paused: [0] });
  await service.workers[0]?.stop(10_000);
  const redis = new Redis(service.redisUrl);
  await redis.flushdb();
  redis.disconnect();
  await service.startWorker();

  const waiting = await transfer(0);
  const other = await transfer(1, { Prefer: 'wait=10' });
  await waitFor(async () => (await statusOf(1, other.transferId)) === 'COMPLETED');
  expect(await statusOf(0, waiting.transferId)).toBe('PENDING');
  const opsPort = (await service.webs[0]?.ready)?.opsPort ?? 0;
  // The numbers may date from before the worker started anew.
  await waitFor(async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    expect(metrics).toMatch(/^transfers_partitions_paused 1$/m);
    expect(metrics).toMatch(/^transfers_partitions_unowned 0$/m);
    return true;
  });

  await change('resume');
  await waitFor(async () => (await statusOf(0, waiting.transferId)) === 'COMPLETED');
});
