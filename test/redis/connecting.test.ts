import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../support/api-client.ts';
import { freePort } from '../../local/free-port.ts';
import { connectRedis, type RedisSettings } from '../../src/redis/connection.ts';
import { SettingsError } from '../../src/settings/config.ts';
import { createAuthority } from '../support/certificates.ts';
import { startRedisNode, type RedisNode } from '../support/redis-node.ts';
import { startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-redis-connecting-'));
const authority = createAuthority(folder, 'authority');
const other = createAuthority(folder, 'other');
const urls = { right: '', elsewhere: '' };
const nodes: RedisNode[] = [];
let [passwordUrl, plainUrl] = ['', ''];

async function start(name: string, args: readonly string[] = []): Promise<RedisNode> {
  const node = await startRedisNode({ dataDir: join(folder, name), args });
  nodes.push(node);
  return node;
}

async function startWithTls(altNames: string, name: keyof typeof urls): Promise<RedisNode> {
  const port = await freePort();
  const { certFile, keyFile } = authority.sign(name, altNames);
  const certificate = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', authority.file];
  urls[name] = `rediss://127.0.0.1:${port}`;
  return start(name, ['--tls-port', String(port), '--tls-auth-clients', 'no', ...certificate]);
}

beforeAll(async () => {
  const [{ url }, right] = await Promise.all([
    start('password'),
    startWithTls('IP:127.0.0.1', 'right'),
    startWithTls('DNS:cache', 'elsewhere'),
  ]);
  [passwordUrl, plainUrl] = [url, right.url];
  const admin = new Redis(url);
  await admin.config('SET', 'requirepass', 'right');
  admin.disconnect();
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  rmSync(folder, { recursive: true });
});

/** Whether a connection comes about; where not, what the log says of the first attempt. @throws where it is refused. */
async function connected(settings: RedisSettings): Promise<string> {
  const giveUp = new AbortController();
  let reason = '';
  const write = (line: string) => {
    ({ reason = '' } = JSON.parse(line) as { reason?: string });
    if (reason !== '') giveUp.abort();
  };
  try {
    const redis = await connectRedis(settings, 'request', pino({ level: 'warn' }, { write }), giveUp.signal);
    expect(await redis.ping()).toBe('PONG');
    redis.disconnect();
    return 'connected';
  } catch (error) {
    if (!giveUp.signal.aborted) throw error;
    return reason;
  }
}

describe('the password of Redis', () => {
  const at = (credentials: string) => ({ REDIS_URL: passwordUrl.replace('://', `://${credentials}`) });

  it.each([
    ['a wrong one', ':hunter2@', /^REDIS_URL is wrong: Redis refuses: WRONGPASS/],
    ['none', '', /^REDIS_URL is wrong: Redis refuses: NOAUTH/],
  ])('is refused at once where it is %s, and never called away', async (_, credentials, message) => {
    const refused = await connected(at(credentials)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SettingsError);
    expect((refused as Error).message).toMatch(message);
    expect((refused as Error).message).not.toContain('hunter2');
  });

  it('is taken where it is right', async () => {
    expect(await connected(at(':right@'))).toBe('connected');
  });
});

describe('Redis over TLS', () => {
  it('is taken where the authority in the settings signed its certificate for its name', async () => {
    expect(await connected({ REDIS_URL: urls.right, REDIS_TLS_CA: authority.pem })).toBe('connected');
    const both = `${other.pem}\n${authority.pem}`;
    expect(await connected({ REDIS_URL: urls.right, REDIS_TLS_CA: both })).toBe('connected');
  });

  it('is refused otherwise, and it is said why', async () => {
    expect(await connected({ REDIS_URL: urls.right })).toContain('certificate');
    expect(await connected({ REDIS_URL: urls.right, REDIS_TLS_CA: other.pem })).toContain('certificate');
    const named = { REDIS_URL: urls.elsewhere, REDIS_TLS_CA: authority.pem };
    expect(await connected(named)).toContain("does not match certificate's altnames");
  });

  it('is taken unverified where a setting says so', async () => {
    for (const REDIS_URL of Object.values(urls)) {
      expect(await connected({ REDIS_URL, REDIS_TLS_UNVERIFIED: true })).toBe('connected');
    }
  });
});

it('the whole service works over TLS, with the authority in a file', async () => {
  const service = await startService({ webs: 0, workers: 0, redisUrl: plainUrl });
  try {
    const env = { REDIS_URL: urls.right, REDIS_TLS_CA_FILE: authority.file };
    const web = await service.startWeb(env);
    await service.startWorker(env);
    const workspace = await createWorkspace(service);
    const { apiKey, apiSecret } = workspace;
    const [sourceWalletId, targetWalletId] = [await workspace.wallet('10'), await workspace.wallet()];
    const { port = 0, opsPort } = await web.ready;
    const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, apiSecret });
    const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
    const headers = { Prefer: 'wait=10' };
    const { envelope } = await client.request('POST', '/api/v1/transfer/command/create', { body, headers });
    expect(envelope?.data).toMatchObject({ status: 'COMPLETED' });
    client.close();
    // A look of the start is remembered for a second.
    await waitFor(async () => (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status === 200);
  } finally {
    await service.stop();
  }
});
