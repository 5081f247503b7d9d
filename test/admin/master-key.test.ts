import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSecret, sealSecret } from '../../src/auth/secrets.ts';
import { readAdminSettings } from '../../src/settings/config.ts';
import { openCollections } from '../../src/storage/collections.ts';
import { testDatabase } from '../support/database.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';
import { commandLine } from './command-line.ts';

const masterKey = (version: number) => `${version}:${randomBytes(32).toString('base64')}`;
const [oldKey, newKey] = [masterKey(1), masterKey(2)];

const database = testDatabase();
const another = testDatabase();
let service: RunningService;
let mongo: MongoClient;
beforeAll(async () => {
  // Every process knows both; the old one alone sealed what there is.
  service = await startService({ workers: 0, env: { MASTER_KEYS: `${oldKey},${newKey}` } });
  mongo = await MongoClient.connect(service.mongodbUri);
});
afterAll(async () => {
  await mongo.close();
  await service.stop();
});

it('master-key rotate seals every secret anew: the old key can go, and the secrets still sign', async () => {
  const servers = { MONGODB_URI: service.mongodbUri, REDIS_URL: service.redisUrl };
  const before = commandLine({ ...servers, MASTER_KEYS: oldKey });
  const { workspaceId } = await before.json<{ workspaceId: string }>('workspace', 'create', '--name', 'w');
  await before.json('member', 'add', '--workspace', workspaceId, '--user', 'u');
  const credentials = await before.json<{ apiKey: string; apiSecret: string }>(
    ...['key', 'create', '--workspace', workspaceId, '--owner', 'u', '--scope', 'wallet:read'],
  );
  const { webhookEndpoints } = openCollections(mongo.db());
  const url = 'https://example.com/';
  const oldKeys = readAdminSettings({ ...servers, MASTER_KEYS: oldKey }).MASTER_KEYS;
  await webhookEndpoints.create({ workspaceId, url, events: ['transfer.completed'], description: '' }, (id) =>
    sealSecret('of the webhook', id, oldKeys),
  );

  const both = commandLine({ ...servers, MASTER_KEYS: `${oldKey},${newKey}` });
  expect(await both.json('master-key', 'rotate')).toEqual({ masterKeyVersion: 2, keys: 1, webhooks: 1, resealed: 2 });
  expect(await both.json('master-key', 'rotate')).toMatchObject({ resealed: 0 });

  const after = commandLine({ ...servers, MASTER_KEYS: newKey });
  expect(await after.json('master-key', 'rotate')).toMatchObject({ resealed: 0 });
  const newKeys = readAdminSettings({ ...servers, MASTER_KEYS: newKey }).MASTER_KEYS;
  const webhooks = await webhookEndpoints.list(workspaceId);
  const opened = webhooks.flatMap(({ id, secrets }) => secrets.map((secret) => openSecret(secret, id, newKeys)));
  expect(opened).toEqual(['of the webhook']);
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

describe('while a process that runs has the old version alone', () => {
  let own: RunningService;
  let ownMongo: MongoClient;
  beforeEach(async () => {
    own = await startService({ workers: 0, env: { MASTER_KEYS: `${oldKey},${newKey}` } });
    ownMongo = await MongoClient.connect(own.mongodbUri);
  });
  afterEach(async () => {
    await ownMongo.close();
    await own.stop();
  });
  const withBoth = () =>
    commandLine({ MONGODB_URI: own.mongodbUri, REDIS_URL: own.redisUrl, MASTER_KEYS: `${oldKey},${newKey}` });

  it('rotate changes nothing, and names it', async () => {
    const behind = await own.startWorker({ MASTER_KEYS: oldKey });
    const workspace = await createWorkspace(own);
    const { code, stderr } = await withBoth().run('master-key', 'rotate');
    expect(code).toBe(1);
    expect(stderr).toContain('nothing was changed, because this runs without version 2 of the master key');
    expect(stderr).toMatch(/: worker \S+\. Add it to MASTER_KEYS of every process, beside the old one, restart them/);
    expect((await workspace.client.request('GET', '/api/v1/wallets')).status).toBe(200);

    expect((await behind.stop(20_000)).code).toBe(0);
    expect(await withBoth().json('master-key', 'rotate')).toMatchObject({ masterKeyVersion: 2 });
  });

  it('new secrets are sealed with the version that it has', async () => {
    const behind = await own.startWorker({ MASTER_KEYS: oldKey });
    const { workspaceId } = await createWorkspace(own);
    await withBoth().json('member', 'add', '--workspace', workspaceId, '--user', 'u');
    const create = ['key', 'create', '--workspace', workspaceId, '--owner', 'u', '--scope', 'webhook:manage'];
    const sealedWith = async (collection: string, id: string | undefined) => {
      const found = await ownMongo
        .db()
        .collection(collection)
        .findOne({ _id: id as never });
      return (found?.['secrets'] as { masterKeyVersion: number }[])[0]?.masterKeyVersion;
    };
    await waitFor(async () => {
      const listed = await ownMongo
        .db()
        .collection('posters')
        .countDocuments({ 'report.startedWith.masterKeyVersions': [1] });
      return listed > 0;
    });
    const credentials = await withBoth().json<{ apiKey: string; apiSecret: string }>(...create);
    expect(await sealedWith('apiKeys', credentials.apiKey)).toBe(1);
    const body = { url: 'https://example.com/', events: ['transfer.completed'] };
    const made = await own.client(credentials).request<{ id: string }>('POST', '/api/v1/webhooks', { body });
    expect(await sealedWith('webhookEndpoints', made.envelope?.data.id)).toBe(1);
    await behind.stop(20_000);
    const { apiKey } = await withBoth().json<{ apiKey: string }>(...create);
    expect(await sealedWith('apiKeys', apiKey)).toBe(2);
  });
});

it('nothing is sealed with a wrong master key; replace goes on with it, without the secrets that are lost', async () => {
  const servers = { MONGODB_URI: database.uri, REDIS_URL: service.redisUrl };
  const before = commandLine({ ...servers, MASTER_KEYS: oldKey });
  const { workspaceId } = await before.json<{ workspaceId: string }>('workspace', 'create', '--name', 'w');
  await before.json('member', 'add', '--workspace', workspaceId, '--user', 'u');
  const create = ['key', 'create', '--workspace', workspaceId, '--owner', 'u', '--scope', 'wallet:read'];
  const { apiKey } = await before.json<{ apiKey: string }>(...create);

  const wrong = commandLine({ ...servers, MASTER_KEYS: masterKey(2) });
  for (const command of [create, ['key', 'rotate', '--key', apiKey], ['master-key', 'rotate']]) {
    const { code, stdout, stderr } = await wrong.run(...command);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('MASTER_KEYS has no version 1, with which secrets are sealed');
  }
  expect(await database.db.collection('apiKeys').countDocuments()).toBe(1);

  expect((await wrong.run('master-key', 'replace')).code).toBe(2);
  const replaced = { masterKeyVersions: [2], keysChanged: 1, keysWithoutSecret: [apiKey], webhooksWithoutSecret: [] };
  expect(await wrong.json('master-key', 'replace', '--yes')).toEqual(replaced);
  expect(await wrong.json('master-key', 'replace', '--yes')).toMatchObject({ keysChanged: 0 });
  expect(await wrong.json('key', 'rotate', '--key', apiKey)).toMatchObject({ apiKey });
  expect((await before.run(...create)).stderr).toContain('MASTER_KEYS has no version 2');
});

it('replace names a key of which only the secret from before its rotation is left', async () => {
  const servers = { MONGODB_URI: another.uri, REDIS_URL: service.redisUrl };
  const [first, second] = [masterKey(1), masterKey(2)];
  const before = commandLine({ ...servers, MASTER_KEYS: first });
  const { workspaceId } = await before.json<{ workspaceId: string }>('workspace', 'create', '--name', 'w');
  await before.json('member', 'add', '--workspace', workspaceId, '--user', 'u');
  const create = ['key', 'create', '--workspace', workspaceId, '--owner', 'u', '--scope', 'wallet:read'];
  const { apiKey } = await before.json<{ apiKey: string }>(...create);
  await commandLine({ ...servers, MASTER_KEYS: `${first},${second}` }).json('key', 'rotate', '--key', apiKey);
  const replaced = { keysChanged: 1, keysWithoutSecret: [apiKey] };
  expect(await before.json('master-key', 'replace', '--yes')).toMatchObject(replaced);
});

it('schema apply prints the version', async () => {
  expect(await service.admin('schema', 'apply')).toEqual({ schemaVersion: 9 });
});
