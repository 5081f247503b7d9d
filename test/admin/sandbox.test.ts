import { execFileSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scopes } from '../../src/domain/scopes.ts';
import { testDatabase } from '../support/database.ts';
import { testRedis } from '../support/redis.ts';
import { commandLine, masterKeys } from './command-line.ts';

const { uri, db } = testDatabase();
const { url: redisUrl } = await testRedis();
const settings = { MONGODB_URI: uri, MASTER_KEYS: masterKeys, REDIS_URL: redisUrl };
const create = ['sandbox', 'create', '--name', "Tess's"];
const admin = commandLine(settings);

it('is printed as lines that a shell sources: a test workspace, a key of all scopes, two wallets of each currency', async () => {
  const { code, stdout } = await admin.run(...create, '--currency', 'USD', '--currency', 'JPY');
  expect(code).toBe(0);
  const env = JSON.parse(
    execFileSync('sh', ['-c', `eval "$1"; ${process.execPath} -p 'JSON.stringify(process.env)'`, 'sh', stdout], {
      encoding: 'utf8',
      env: {},
    }),
  ) as Record<string, string>;
  const { WORKSPACE_ID: workspaceId, API_KEY: apiKey } = env;
  expect(env).not.toHaveProperty('BASE_URL');
  expect(env['API_SECRET']).toMatch(/^[\w-]{43}$/);
  expect(await admin.json('workspace', 'list')).toContainEqual(
    expect.objectContaining({ workspaceId, name: "Tess's", test: true }),
  );
  expect(await admin.json('key', 'list', '--workspace', workspaceId!)).toMatchObject([{ apiKey, scopes }]);
  expect(apiKey).toMatch(/^ak_test_/);
  const wallets = await admin.json('wallet', 'list', '--workspace', workspaceId!);
  expect(wallets).toMatchObject(
    ['USD', 'JPY'].flatMap((currency) =>
      [1, 2].map((number) => ({ id: env[`WALLET_${currency}_${number}`], currency, name: `${currency} ${number}` })),
    ),
  );
  await admin.json('workspace', 'delete', '--workspace', workspaceId!, '--yes', '--force');
});

it('is printed as JSON, with the address of the local stack whose database it is in', async () => {
  const stackFile = join(await mkdtemp(join(tmpdir(), 'test-stack-')), 'stack.json');
  const apiUrl = 'http://127.0.0.1:3000';
  await writeFile(stackFile, JSON.stringify({ mongodbUri: uri, redisUrl, masterKeys, apiUrl }));
  const made = await commandLine({ LOCAL_STACK_FILE: stackFile }).json(...create, '--currency', 'EUR');
  expect(Object.keys(made)).toEqual([
    ...['BASE_URL', 'WORKSPACE_ID', 'API_KEY', 'API_SECRET', 'WALLET_EUR_1', 'WALLET_EUR_2'],
  ]);
  expect(made['BASE_URL']).toBe(apiUrl);
});

it('is not made in part: each currency has to be known', async () => {
  const before = await db.collection('workspaces').countDocuments();
  const { code, stderr } = await admin.run(...create, '--currency', 'USD', '--currency', 'USE');
  expect([code, stderr]).toEqual([2, expect.stringContaining('unknown currency USE')]);
  expect(await db.collection('workspaces').countDocuments()).toBe(before);
});
