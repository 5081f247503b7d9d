import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readAdminSettings, readWebSettings, readWorkerSettings, SettingsError } from '../src/config.ts';
import { parseRedisAddress } from '../src/redis-address.ts';

const MASTER_KEYS = `1:${Buffer.alloc(32, 7).toString('base64')}`;

const otherKey = Buffer.alloc(32, 8).toString('base64');

describe('settings', () => {
  it('have defaults for all but the master keys', () => {
    const settings = readWebSettings({ MASTER_KEYS });
    expect(settings).toMatchObject({ PORT: 3000, OPS_PORT: 3001, OPS_HOST: '127.0.0.1', TRUSTED_PROXIES: [] });
    expect(settings.MASTER_KEYS.get(1)).toEqual(Buffer.alloc(32, 7));
    expect(settings.CURRENCIES).toBeUndefined();
    expect(readWorkerSettings({}).OPS_PORT).toBe(0);
  });

  it('count as not set where they are empty', () => {
    expect(readWebSettings({ MASTER_KEYS, PORT: '' }).PORT).toBe(3000);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'abc'],
    ['OPS_PORT', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['CURRENCIES', 'btc:8'],
    ['CURRENCIES', 'GEM:19'],
    ['CURRENCIES', 'BTC:8,GEM:0,BTC:4'],
    ['QUEUE_PREFIX', 'a:b'],
  ])('refuse %s=%s in one message that names it and what was found', (name, value) => {
    const read = () => readWebSettings({ MASTER_KEYS, [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(`${name} is "${value}"`);
  });

  it.each([
    ['MASTER_KEYS', 'hunter2'],
    ['MONGODB_URI', 'postgres://user:hunter2@db'],
    ['REDIS_URL', 'http://:hunter2@redis'],
    ['REDIS_URL', 'redis://:hunter2@redis:99999'],
    ['REDIS_URL', 'redis+cluster://:hunter2@'],
    ['REDIS_URL', 'redis+cluster://:hunter2@one:7001,'],
    ['REDIS_URL', 'redis+cluster://:hunter2@one:7001,two:port'],
    ['REDIS_URL', 'redis+cluster://:hunter2@one:7001/1'],
    ['REDIS_URL', 'redis+cluster://:hunter2@one:7001?tls=true'],
    ['REDIS_URL', 'redis+cluster://:hunter2%zz@one:7001'],
    ['REDIS_URL', 'rediss+cluster://:hunter2@one:7001,redis://two:7002'],
  ])('never repeat what %s holds', (name, value) => {
    const read = () => readWebSettings({ MASTER_KEYS, [name]: value });
    expect(read).toThrow(`${name} is wrong`);
    expect(read).not.toThrow('hunter2');
  });

  it('take Redis as one server, or as a cluster by some of its nodes', () => {
    const parsed = (url: string) => parseRedisAddress(readWorkerSettings({ REDIS_URL: url }).REDIS_URL);
    const server = 'rediss://service:p%40ss@cache:6380/2';
    expect(parsed(server)).toEqual({ kind: 'server', url: server, isTls: true });
    expect(parsed('redis+cluster://one,two:7002,[fd00::3]:7003')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'one', port: 6379 },
        { host: 'two', port: 7002 },
        { host: 'fd00::3', port: 7003 },
      ],
      isTls: false,
      username: undefined,
      password: undefined,
    });
    const named = { isTls: true, username: 'service', password: 'p@ss:word/' };
    expect(parsed('rediss+cluster://service:p%40ss%3Aword%2F@one:7001,two:7002/')).toMatchObject(named);
    expect(parsed('redis+cluster://:secret@one')).toMatchObject({ username: undefined, password: 'secret' });
  });

  it.each<[NodeJS.ProcessEnv, string]>([
    [{ PORT: 'abc' }, 'PORT is "abc": must be a whole number from 0 to 65535'],
    [{ KEY_RATE_BURST: '1.5' }, 'KEY_RATE_BURST is "1.5": must be a whole number from 1 to 1000000'],
    [{ MASTER_KEYS: '' }, 'MASTER_KEYS is not set: must be VERSION:BASE64 of 32 bytes, comma-separated'],
    [{ DRAIN_DELAY: '301' }, 'DRAIN_DELAY is "301": must be a whole number from 0 to 300'],
    [
      { REDIS_URL: 'rediss://cache', REDIS_TLS_CA: 'cache.pem' },
      'REDIS_TLS_CA is wrong: must be one or more certificates in PEM',
    ],
    [{ REDIS_TLS_UNVERIFIED: 'true' }, 'REDIS_TLS_UNVERIFIED is "true": only where REDIS_URL is a rediss://'],
    [{ SCALE_WORKERS_MIN: '20' }, 'SCALE_WORKERS_MIN is "20": must be at most SCALE_WORKERS_MAX, which is 16'],
  ])('say what is allowed: %j', (env, message) => {
    expect(() => readWebSettings({ MASTER_KEYS, ...env })).toThrow(message);
  });

  it.each(['1', '01'])('refuse master keys that name a version twice, as %s, and repeat neither key', (again) => {
    const read = () => readWebSettings({ MASTER_KEYS: `${MASTER_KEYS},2:${otherKey},${again}:${otherKey}` });
    expect(read).toThrow('MASTER_KEYS is wrong: names version 1 more than once');
    expect(read).not.toThrow(otherKey);
    expect(readWebSettings({ MASTER_KEYS: `${MASTER_KEYS},2:${otherKey}` }).MASTER_KEYS.size).toBe(2);
  });

  it('take lists with spaces', () => {
    const { TRUSTED_PROXIES } = readWebSettings({ MASTER_KEYS, TRUSTED_PROXIES: '10.0.0.0/8, ::1 ,' });
    expect(TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '::1']);
  });

  it('name every variable at fault at once', () => {
    const read = () => readWebSettings({ PORT: 'x', LOG_LEVEL: 'x' });
    for (const name of ['PORT', 'LOG_LEVEL', 'MASTER_KEYS is not set']) expect(read).toThrow(name);
  });
});

describe('the operations port', () => {
  it.each(['0.0.0.0', '::', '10.0.0.1', 'ops.example.com'])('needs a token on %s', (OPS_HOST) => {
    expect(() => readWebSettings({ MASTER_KEYS, OPS_HOST })).toThrow('OPS_TOKEN is not set: needed while OPS_HOST');
    expect(() => readWorkerSettings({ OPS_HOST })).toThrow('OPS_TOKEN');
    expect(readWorkerSettings({ OPS_HOST, OPS_TOKEN: 'a-token-of-16-ch' }).OPS_TOKEN).toBe('a-token-of-16-ch');
  });

  it.each(['127.0.0.1', '127.8.9.10', '::1', 'localhost'])('needs none on %s', (OPS_HOST) => {
    expect(readWebSettings({ MASTER_KEYS, OPS_HOST }).OPS_TOKEN).toBeUndefined();
  });

  it('refuses a token that is too short, without repeating it', () => {
    expect(() => readWorkerSettings({ OPS_TOKEN: 'hunter2' })).toThrow('OPS_TOKEN is wrong');
    expect(() => readWorkerSettings({ OPS_TOKEN: 'hunter2' })).not.toThrow('hunter2');
  });
});

describe('a secret in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  const path = join(folder, 'master-keys');
  await writeFile(path, `${MASTER_KEYS}\n`);
  afterAll(() => rm(folder, { recursive: true }));

  it('is read from there', () => {
    expect(readWebSettings({ MASTER_KEYS_FILE: path }).MASTER_KEYS.get(1)).toEqual(Buffer.alloc(32, 7));
    const servers = { MONGODB_URI: 'mongodb://elsewhere/x', REDIS_URL: 'redis://elsewhere' };
    expect(readAdminSettings({ ...servers, MASTER_KEYS_FILE: path }).MASTER_KEYS.size).toBe(1);
  });

  it('is refused beside the same secret in the environment, and where it cannot be read', () => {
    expect(() => readWebSettings({ MASTER_KEYS, MASTER_KEYS_FILE: path })).toThrow('MASTER_KEYS_FILE are both set');
    expect(() => readWebSettings({ MASTER_KEYS_FILE: `${path}-absent` })).toThrow('it cannot be read');
  });
});
