import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService } from '../support/service.ts';
import type { RunningService } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';
import { commandLine, runProcess } from './command-line.ts';

const masterKey = (version: number) => `${version}:${randomBytes(32).toString('base64')}`;
const [oldKey, newKey] = [masterKey(1), masterKey(2)];

let service: RunningService;
beforeAll(async () => {
  // Every process knows both; the old one alone sealed what there is.
  service = await startService({ workers: 0, env: { MASTER_KEYS: `${oldKey},${newKey}` } });
});
afterAll(() => service.stop());

it('master-key rotate seals every secret anew: the old key can go, and the secrets still sign', async () => {
  const servers = { MONGODB_URI: service.mongodbUri, REDIS_URL: service.redisUrl };
  const before = commandLine({ ...servers, MASTER_KEYS: oldKey });
  const { workspaceId } = await before.json<{ workspaceId: string }>('workspace', 'create', '--name', 'w');
  await before.json('member', 'add', '--workspace', workspaceId, '--user', 'u');
  const credentials = await before.json<{ apiKey: string; apiSecret: string }>(
    ...['key', 'create', '--workspace', workspaceId, '--owner', 'u', '--scope', 'wallet:read'],
  );

  const both = commandLine({ ...servers, MASTER_KEYS: `${oldKey},${newKey}` });
  expect(await both.json('master-key', 'rotate')).toEqual({ masterKeyVersion: 2, keys: 1, resealed: 1 });
  expect(await both.json('master-key', 'rotate')).toMatchObject({ resealed: 0 });

  const after = commandLine({ ...servers, MASTER_KEYS: newKey });
  expect(await after.json('master-key', 'rotate')).toMatchObject({ resealed: 0 });
  const answer = await service.client(credentials).request('GET', '/api/v1/wallets');
  expect(answer.status).toBe(200);
});

it('master-key rotate changes nothing where the key that sealed a secret is missing', async () => {
  const workspace = await createWorkspace(service);
  const servers = { MONGODB_URI: service.mongodbUri, REDIS_URL: service.redisUrl };
  const { code, stderr } = await commandLine({ ...servers, MASTER_KEYS: masterKey(3) }).run('master-key', 'rotate');
  expect(code).toBe(1);
  expect(stderr).toContain('MASTER_KEYS has no version');
  expect((await workspace.client.request('GET', '/api/v1/wallets')).status).toBe(200);
});

it('schema apply prints the version, scaling what /scaling answers', async () => {
  expect(await service.admin('schema', 'apply')).toEqual({ schemaVersion: 2 });
  const servers = { MONGODB_URI: service.mongodbUri, REDIS_URL: service.redisUrl };
  const { code, stdout } = await runProcess(['scaling', '--json'], { ...servers, MASTER_KEYS: oldKey });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ suggestedWorkers: 1, workersAlive: 0, pendingOrders: 0 });
});
