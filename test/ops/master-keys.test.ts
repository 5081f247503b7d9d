import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { startServiceProcess } from '../../local/service-process.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../webhooks/delivering.ts';

const masterKey = (version: number) => `${version}:${randomBytes(32).toString('base64')}`;
const stopTimeoutMs = 20_000;

let service: RunningService;
let mongo: MongoClient;
beforeAll(async () => {
  service = await startService({ workers: 0, env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
  mongo = await MongoClient.connect(service.mongodbUri);
});
afterAll(async () => {
  await mongo.close();
  await service.stop();
});

async function wrongSettingOf(opsPort: number | undefined): Promise<string> {
  return waitFor(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
      expect(answer.status).toBe(503);
      const { wrongSetting } = (await answer.json()) as { wrongSetting: string };
      return /not (checked|compared)/.test(wrongSetting) ? undefined : wrongSetting;
    },
    { timeoutMs: 60_000 },
  );
}

it('a web process with a wrong MASTER_KEYS is not ready, says why, opens no API, and stops in order', async () => {
  const workspace = await createWorkspace(service);
  const [port, opsPort] = [await freePort(), await freePort()];
  const lines: string[] = [];
  const wrong = await startServiceProcess({
    name: 'web',
    entry: 'src/main.ts',
    env: {
      ...process.env,
      MONGODB_URI: service.mongodbUri,
      REDIS_URL: service.redisUrl,
      MASTER_KEYS: masterKey(2),
      HOST: '127.0.0.1',
      PORT: String(port),
      OPS_PORT: String(opsPort),
    },
    onLine: (line) => lines.push(line),
  });
  wrong.ready.catch(() => undefined);
  // Instance ids have the process's number in the middle.
  const ofWrong = { _id: new RegExp(`:${wrong.pid}:`) as never };
  const runs = () => mongo.db().collection('processRuns');
  try {
    expect(await wrongSettingOf(opsPort)).toContain('MASTER_KEYS has no version 1, with which secrets are sealed');
    expect(lines.filter((line) => line.includes('MASTER_KEYS has no version 1'))).toHaveLength(1);
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    expect(metrics).toContain('transfers_setting_right{setting="MASTER_KEYS"} 0');
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    await waitFor(async () => (await runs().countDocuments(ofWrong)) === 1);
  } finally {
    expect((await wrong.stop(stopTimeoutMs)).code).toBe(0);
  }
  // So it is not counted as lost.
  expect(await runs().findOne(ofWrong)).toHaveProperty('endedAt');
  expect(await mongo.db().collection('posters').countDocuments(ofWrong)).toBe(0);
  const right = await (await fetch(`${service.opsUrl}/metrics`)).text();
  expect(right).toContain('transfers_setting_right{setting="MASTER_KEYS"} 1');
  expect((await workspace.client.request('GET', '/api/v1/wallets')).status).toBe(200);
});

it('a worker with a wrong MASTER_KEYS posts orders, is not ready, says why, and leaves webhooks to others', async () => {
  const receiver = await startReceiver();
  const workspace = await createWorkspace(service);
  const { client } = workspace;
  const wrong = await service.startWorker({ MASTER_KEYS: masterKey(2) });
  const { opsPort } = await wrong.ready;
  const [source, target] = [await workspace.wallet('5'), await workspace.wallet()];
  const hook = { url: receiver.url, events: ['transfer.completed'] };
  expect((await client.request('POST', '/api/v1/webhooks', { body: hook })).status).toBe(200);
  const body = { sourceWalletId: source, targetWalletId: target, amount: '1', currency: 'USD' };
  const { envelope } = await client.request<{ transferId: string }>('POST', '/api/v1/transfer/command/create', {
    body,
  });
  const path = `/api/v1/transfer/query/orders/${envelope?.data.transferId ?? ''}`;
  await waitFor(async () => {
    const found = await client.request<{ status: string }>('GET', path);
    return found.envelope?.data.status === 'COMPLETED';
  });
  expect(await wrongSettingOf(opsPort)).toContain('MASTER_KEYS has no version 1, with which secrets are sealed');
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  expect(metrics).toContain('transfers_setting_right{setting="MASTER_KEYS"} 0');
  expect(receiver.received).toEqual([]);

  await service.startWorker();
  // The thread that sends begins after the worker has.
  await waitFor(() => receiver.received.length === 1, { timeoutMs: 60_000 });
  expect(service.logs.filter((line) => line.includes('webhooks were not delivered'))).toEqual([]);
  await receiver.close();
});
