import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { checkMasterKeys } from '../../src/auth/master-keys.ts';
import { sealSecret } from '../../src/auth/secrets.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { openApiKeys } from '../../src/storage/keys/api-keys.ts';
import { openKeyCheckValues } from '../../src/storage/keys/key-check-values.ts';
import { openWebhookEndpoints } from '../../src/storage/webhooks/endpoints.ts';
import { testDatabase } from '../support/database.ts';

const { db } = testDatabase();
const webhookEndpoints = openWebhookEndpoints(db);
const sources = { apiKeys: openApiKeys(db), webhookEndpoints, keyCheckValues: openKeyCheckValues(db) };
const [first, second, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const check = (...entries: [number, Buffer][]) => checkMasterKeys(new Map(entries), sources);

const insertKey = (id: string, ...masterKeys: [number, Buffer][]) =>
  sources.apiKeys.insert({
    id,
    workspaceId: 'ws_1',
    ownerId: 'u',
    scopes: [],
    status: 'ENABLED',
    ipWhitelist: [],
    secrets: [sealSecret('s', id, new Map(masterKeys))],
    createdAt: new Date(),
    updatedAt: new Date(),
  });

beforeEach(async () => {
  await db.collection('apiKeys').deleteMany({});
  await sources.keyCheckValues.clear();
});

it('the first keys of a new database are right, and right again', async () => {
  await check([1, first]);
  await check([1, first]);
  expect([...(await sources.keyCheckValues.all()).keys()]).toEqual([1]);
});

it('another key under a known version is refused, and so is a version that nobody knows by itself', async () => {
  await check([1, first]);
  await expect(check([1, other])).rejects.toThrow('MASTER_KEYS has another key as version 1');
  await expect(check([2, second])).rejects.toThrow('MASTER_KEYS has no version that this database knows (1)');
  await expect(check([1, other], [2, second])).rejects.toThrow('version 1');
  expect([...(await sources.keyCheckValues.all()).keys()]).toEqual([1]);
});

it('a rotation passes at each of its steps, and a process with another new key is found', async () => {
  await insertKey('ak_1', [1, first]);
  await check([1, first]);
  await check([1, first], [2, second]);
  await expect(check([1, first], [2, other])).rejects.toThrow('another key as version 2');
  // Before the secrets are sealed anew the old version is needed.
  await expect(check([2, second])).rejects.toThrow('MASTER_KEYS has no version 1, with which secrets are sealed');
  await db.collection('apiKeys').deleteMany({});
  await insertKey('ak_1', [2, second]);
  await check([2, second]);
});

it('a version that is not held any more is looked up by an index', async () => {
  await ensureSchema(db);
  for (const [name, index] of [
    ['apiKeys', 'keys_by_master_key'],
    ['webhookEndpoints', 'endpoints_by_master_key'],
  ]) {
    const find = { find: name, filter: { 'secrets.masterKeyVersion': 1 } };
    const { queryPlanner } = await db.command({ explain: find, verbosity: 'queryPlanner' });
    expect(JSON.stringify(queryPlanner)).toContain(`"indexName":"${index}"`);
  }
});

it('of several processes with different keys at once one is right', async () => {
  const keys = Array.from({ length: 8 }, () => randomBytes(32));
  const checked = await Promise.allSettled(keys.map((key) => check([1, key])));
  expect(checked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
