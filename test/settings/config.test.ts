import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readOptions } from '../../local/options.ts';
import {
  defaultStackFile,
  judgeSettings,
  readAdminSettings,
  readWebSettings,
  readWorkerSettings,
  SettingsError,
} from '../../src/settings/config.ts';
import { misspeltSettings } from '../../src/settings/misspelt.ts';
import { parseRedisAddress } from '../../src/settings/redis-address.ts';
import { settingsOfProcess, type ProcessName } from '../../src/settings/settings.ts';
import { shownSettings } from '../../src/settings/shown.ts';

const MASTER_KEYS = `1:${Buffer.alloc(32, 7).toString('base64')}`;

const otherKey = Buffer.alloc(32, 8).toString('base64');

describe('settings', () => {
  it('have defaults for all but the master keys', () => {
    const settings = readWebSettings({ MASTER_KEYS });
    expect(settings).toMatchObject({
      PORT: 3000,
      KEEP_ALIVE_SECONDS: 620,
      OPS_PORT: 3001,
      OPS_HOST: '127.0.0.1',
      TRUSTED_PROXIES: [],
    });
    expect(settings.MASTER_KEYS.get(1)).toEqual(Buffer.alloc(32, 7));
    expect(readWorkerSettings({}).OPS_PORT).toBe(0);
    expect(readWebSettings({ MASTER_KEYS, PORT: '' }).PORT, 'not set where it is empty').toBe(3000);
    expect(readWebSettings({ MASTER_KEYS, PORT: '0', OPS_PORT: '0' }).PORT).toBe(0);
  });

  it.each([
    ['MASTER_KEYS', 'hunter2'],
    ['OPS_TOKEN', 'hunter2'],
    ['MONGODB_URI', 'postgres://user:hunter2@db'],
    ['REDIS_URL', 'http://:hunter2@redis'],
    ['REDIS_URL', 'redis://:hunter2@redis:99999'],
    ['REDIS_URL', 'redis+cluster://:hunter2@one:7001,two:port'],
    ['REDIS_URL', 'redis+cluster://:hunter2@one:7001/1'],
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
    [{ QUEUE_PREFIX: 'a:b' }, 'QUEUE_PREFIX is "a:b": must be '],
    [{ PORT: '4000', OPS_PORT: '4000' }, 'OPS_PORT is "4000": must be another than PORT'],
    [{ PORT: '3001' }, 'OPS_PORT is not set: must be another'],
    [{ KEY_RATE_PER_SECOND: '1.5' }, 'KEY_RATE_PER_SECOND is "1.5": must be a whole number from 1 to 1000000'],
    [{ MASTER_KEYS: '' }, 'MASTER_KEYS is not set: must be VERSION:BASE64 of 32 bytes, comma-separated'],
    [{ DRAIN_DELAY: '301' }, 'DRAIN_DELAY is "301": must be a whole number from 0 to 300'],
    [
      { REDIS_URL: 'rediss://cache', REDIS_TLS_CA: 'cache.pem' },
      'REDIS_TLS_CA is wrong: must be one or more certificates in PEM',
    ],
    [{ REDIS_TLS_UNVERIFIED: 'true' }, 'REDIS_TLS_UNVERIFIED is "true": only where REDIS_URL is a rediss://'],
  ])('say what is allowed: %j', (env, message) => {
    const read = () => readWebSettings({ MASTER_KEYS, ...env });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(message);
  });

  it.each(['1', '01'])('refuse master keys that name a version twice, as %s, and repeat neither key', (again) => {
    const read = () => readWebSettings({ MASTER_KEYS: `${MASTER_KEYS},2:${otherKey},${again}:${otherKey}` });
    expect(read).toThrow('MASTER_KEYS is wrong: names version 1 more than once');
    expect(read).not.toThrow(otherKey);
    expect(readWebSettings({ MASTER_KEYS: `${MASTER_KEYS},2:${otherKey}` }).MASTER_KEYS.size).toBe(2);
  });

  it('take lists with spaces', () => {
    const { TRUSTED_PROXIES } = readWebSettings({ MASTER_KEYS, TRUSTED_PROXIES: '10.0.0.0/8, ::1 ,' });
    expect(TRUSTED_PROXIES.map((network) => network.contains('10.1.2.3'))).toEqual([true, false]);
    expect(TRUSTED_PROXIES[1]?.contains('::1')).toBe(true);
  });

  it('name all that is wrong at once, also between settings and in files, and none twice', () => {
    const { faults, settings } = judgeSettings('web', {
      PORT: '-1.5',
      LOG_LEVEL: 'loud',
      MASTER_KEYS_FILE: '/nonexistent/keys',
      OPS_TOKEN: 'short',
      OPS_HOST: '0.0.0.0',
      REDIS_TLS_UNVERIFIED: 'true',
      TRUSTED_PROXIES: '10.0.0.0/8,proxy',
      MONGODB_URI: 'mongodb://user:hunter2@db/x?w=1&journal=false',
    });
    expect(settings).toBeUndefined();
    expect(faults.toSorted()).toEqual([
      'LOG_LEVEL is "loud": must be one of fatal, error, warn, info, debug, trace, silent',
      'MASTER_KEYS_FILE is "/nonexistent/keys": it cannot be read',
      'MONGODB_URI is wrong: w must be "majority", which it is by itself; journal must be "true", which it is by itself',
      'OPS_TOKEN is wrong: must be 16 to 256 visible ASCII characters',
      'PORT is "-1.5": must be a whole number from 0 to 65535',
      'REDIS_TLS_UNVERIFIED is "true": only where REDIS_URL is a rediss:// or rediss+cluster:// address',
      'TRUSTED_PROXIES is "10.0.0.0/8,proxy": must be addresses or CIDRs, comma-separated, and not "proxy"',
    ]);
  });

  it('of the command line are those of the local stack that script/start keeps in .data, where nothing else is said', () => {
    expect(defaultStackFile).toBe(join(import.meta.dirname, '../../.data/stack.json'));
    expect(readOptions([], join(import.meta.dirname, '../..')).dataDir).toBe(dirname(defaultStackFile));
  });

  it('name all that is wrong of the command line at once, also where no local stack is running', () => {
    const read = () => readAdminSettings({ LOG_LEVEL: 'loud', LOCAL_STACK_FILE: '/nonexistent/stack.json' });
    for (const fault of ['LOG_LEVEL is "loud"', 'MONGODB_URI and MASTER_KEYS not set']) expect(read).toThrow(fault);
  });

  it('of a worker need the keys that open secrets if it only sends webhooks, and a role that there is', () => {
    const read = (WORKER_ROLE: string) => readWorkerSettings({ WORKER_ROLE }).WORKER_ROLE;
    expect(() => read('webhooks')).toThrow('MASTER_KEYS is not set: needed while WORKER_ROLE is "webhooks"');
    expect(() => read('sending')).toThrow('WORKER_ROLE is "sending": must be one of');
    for (const role of ['posting', 'both']) expect(read(role)).toBe(role);
    expect(readWorkerSettings({}).WORKER_ROLE).toBe('both');
  });
});

describe('a variable that is no setting', () => {
  it.each([
    ['BACKLOGMAX', 'BACKLOG_MAX'],
    ['MONGO_URI', 'MONGODB_URI'],
    ['MASTER_KEY', 'MASTER_KEYS'],
    ['OPS_PROT', undefined],
    ['OPS_PORT_FILE', 'OPS_PORT'],
    ['CURRENCIES', 'admin currencies add'],
  ])('and is nearly one is named, with the one that is meant: %s', (name, meant) => {
    const { misspelt } = judgeSettings('web', { MASTER_KEYS, [name]: 'hunter2' });
    expect(misspelt).toEqual(meant === undefined ? [] : [{ name, meant }]);
  });

  it('is named beside the faults, without its value', () => {
    const read = () => readWebSettings({ MASTER_KEY: 'hunter2', CURRENCIES: 'hunter2' });
    expect(read).toThrow('MASTER_KEY has no effect, because it is no setting; MASTER_KEYS is one');
    expect(read).toThrow('it is no setting; "admin currencies add" does its work');
    expect(read).not.toThrow('hunter2');
  });

  it('is left alone if it is the platform’s', () => {
    const platform = ['PATH', 'HOSTNAME', 'PORTS', 'POST', 'REDIS_PORT', 'REDIS_TLS_URL', 'WEB_PORT', 'DYNO'];
    const known = new Set(Object.values(settingsOfProcess).flatMap(({ shape }) => Object.keys(shape)));
    expect(misspeltSettings(Object.fromEntries(platform.map((name) => [name, 'x'])), known)).toEqual([]);
    // Empty ones are not set, as Compose passes them on.
    expect(misspeltSettings({ BACKLOGMAX: '' }, known)).toEqual([]);
  });
});

describe('what is shown of settings', () => {
  const env = {
    MASTER_KEYS: `${MASTER_KEYS},2:${otherKey}`,
    MONGODB_URI: 'mongodb://user:hunter2@one:27017,two/books?replicaSet=rs0&tlsCertificateKeyFilePassword=hunter2',
    REDIS_URL: 'rediss://user:hunter2@cache/2',
    OPS_TOKEN: 'hunter2-hunter2-hunter2',
    REDIS_TLS_CA: 'hunter2',
    PORT: '4000',
  };
  const shownOf = (name: ProcessName, given: NodeJS.ProcessEnv) => shownSettings(name, judgeSettings(name, given));
  const valueOf = (given: NodeJS.ProcessEnv, setting: string) =>
    shownOf('web', given).find((each) => each.setting === setting);

  it('are all of a process, with where each is from, and no secret', () => {
    const shown = shownOf('web', env);
    expect(shown.map(({ setting }) => setting)).toEqual(Object.keys(settingsOfProcess.web.shape));
    expect(shown).toEqual(
      expect.arrayContaining([
        { setting: 'MASTER_KEYS', value: '(versions 1, 2)', from: 'environment' },
        { setting: 'MONGODB_URI', value: 'mongodb://one:27017,two/books?replicaSet=rs0', from: 'environment' },
        { setting: 'REDIS_URL', value: 'rediss://cache:6379/2', from: 'environment' },
        { setting: 'OPS_TOKEN', value: '(set)', from: 'environment' },
        { setting: 'PORT', value: '4000', from: 'environment' },
        { setting: 'OPS_PORT', value: '3001', from: 'default' },
        { setting: 'REDIS_TLS_CA', value: '(set)', from: 'environment' },
      ]),
    );
    for (const secret of ['hunter2', otherKey, MASTER_KEYS.slice(2)])
      expect(JSON.stringify(shown)).not.toContain(secret);
  });

  it.each(['mongodb://user:hunter%zz2@h/x', 'hunter2', 'redis://:hunter2@h:99999'])(
    'of an address that cannot be read is that there is one: %s',
    (text) => {
      for (const setting of ['MONGODB_URI', 'REDIS_URL'])
        expect(valueOf({ MASTER_KEYS, [setting]: text }, setting)?.value).toBe('(set)');
    },
  );
});

describe('the operations port', () => {
  it.each(['0.0.0.0', '::', 'ops.example.com'])('needs a token on %s', (OPS_HOST) => {
    expect(() => readWebSettings({ MASTER_KEYS, OPS_HOST })).toThrow('OPS_TOKEN is not set: needed while OPS_HOST');
    expect(() => readWorkerSettings({ OPS_HOST })).toThrow('OPS_TOKEN');
    expect(readWorkerSettings({ OPS_HOST, OPS_TOKEN: 'a-token-of-16-ch' }).OPS_TOKEN).toBe('a-token-of-16-ch');
  });

  it.each(['127.8.9.10', '::1', 'localhost'])('needs none on %s', (OPS_HOST) => {
    expect(readWebSettings({ MASTER_KEYS, OPS_HOST }).OPS_TOKEN).toBeUndefined();
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
