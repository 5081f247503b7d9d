import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../support/api-client.ts';
import { freePort } from '../../local/free-port.ts';
import { redisUrl } from '../../local/redis.ts';
import { SettingsError } from '../../src/settings/config.ts';
import { connectRedis, type RedisSettings } from '../../src/redis/connection.ts';
import { createAuthority } from '../support/certificates.ts';
import { startRedisNode, type RedisNode } from '../support/redis-node.ts';
import { startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-redis-tls-'));
const authority = createAuthority(folder, 'authority');
const other = createAuthority(folder, 'other');

let [right, elsewhere]: RedisNode[] = [];
const urls = { right: '', elsewhere: '' };

async function startWithTls(altNames: string, name: keyof typeof urls): Promise<RedisNode> {
  const port = await freePort();
  const { certFile, keyFile } = authority.sign(name, altNames);
  const certificate = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', authority.file];
  const args = ['--tls-port', String(port), '--tls-auth-clients', 'no', ...certificate];
  urls[name] = `rediss://127.0.0.1:${port}`;
  return startRedisNode({ dataDir: join(folder, name), args });
}

beforeAll(async () => {
  [right, elsewhere] = [await startWithTls('IP:127.0.0.1', 'right'), await startWithTls('DNS:cache', 'elsewhere')];
});
afterAll(async () => {
  await Promise.all([right?.stop(), elsewhere?.stop()]);
  rmSync(folder, { recursive: true });
});

/** Whether a connection comes about; where not, why. */
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
    return error instanceof SettingsError ? error.message : reason;
  }
}

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

/** Why the process would end. */
const refusal = (REDIS_URL: string) =>
  connectRedis(
    { REDIS_URL, REDIS_TLS_CA: authority.pem },
    'request',
    pino({ level: 'silent' }),
    AbortSignal.timeout(20_000),
  );

describe('an address that begins wrongly', () => {
  it.each(['redis', 'redis+cluster'])('is refused where Redis speaks TLS, and %s:// is not', async (form) => {
    await expect(refusal(urls.right.replace('rediss', form))).rejects.toThrow(
      `REDIS_URL is wrong: Redis speaks TLS there: begin it with ${form.replace('redis', 'rediss')}://`,
    );
  });

  it.each(['rediss', 'rediss+cluster'])('is refused where Redis speaks no TLS, and %s:// is', async (form) => {
    await expect(refusal(`${form}://127.0.0.1:${right?.port ?? 0}`)).rejects.toThrow(
      `REDIS_URL is wrong: Redis speaks no TLS there: begin it with ${form.replace('rediss', 'redis')}://`,
    );
  });

  it('is told by a process that runs already, until Redis is as it was', async () => {
    const port = right?.port ?? 0;
    const service = await startService({ workers: 0, redisUrl: redisUrl(port) });
    const readiness = async () => {
      const answer = await fetch(`${service.opsUrl}/readyz`);
      return { code: answer.status, ...((await answer.json()) as { redis: string; wrongSetting?: string }) };
    };
    try {
      await right?.kill();
      const { certFile, keyFile } = authority.sign('instead', 'IP:127.0.0.1');
      const instead = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
      instead.on('tlsClientError', () => undefined).listen(port, '127.0.0.1');
      const told = await waitFor(
        async () => {
          const found = await readiness();
          return found.redis === 'down' && found.wrongSetting !== undefined && found;
        },
        { timeoutMs: 30_000 },
      );
      expect(told.code).toBe(503);
      expect(told.wrongSetting).toContain('REDIS_URL is wrong: Redis speaks TLS there');
      await once(instead.close(), 'close');
      await right?.start();
      await waitFor(async () => (await readiness()).code === 200, { timeoutMs: 30_000 });
    } finally {
      await service.stop();
      // The next service has another database.
      await right?.ask('FLUSHALL');
    }
  });
});

it('the whole service works over TLS, with the authority in a file', async () => {
  const service = await startService({ webs: 0, workers: 0, redisUrl: redisUrl(right?.port ?? 0) });
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
    expect((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(200);
  } finally {
    await service.stop();
  }
});
