import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startChild, type Child } from '../../local/child.ts';
import { run } from '../../local/executables.ts';
import { freePort } from '../../local/free-port.ts';
import { readWebSettings } from '../../src/settings/config.ts';
import { startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const root = join(import.meta.dirname, '../..');
const stopTimeoutMs = 5_000;

let folder: string;
let secretsFolder: string;
const secret = async (name: string) => (await readFile(join(secretsFolder, name), 'utf8')).trim();
const makeSecrets = (env: NodeJS.ProcessEnv = {}) =>
  run(join(root, 'deploy/make-secrets'), [secretsFolder], { PATH: process.env['PATH'], ...env });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test containers '));
  secretsFolder = join(folder, 'secrets');
  await makeSecrets({ OPS_TOKEN: 'taken-over-from-before' });
});
afterAll(() => rm(folder, { recursive: true }));

describe('deploy/make-secrets', () => {
  it('makes what the settings take, in a folder of its owner’s', async () => {
    const settings = readWebSettings({
      MASTER_KEYS_FILE: join(secretsFolder, 'master_keys'),
      MONGODB_URI_FILE: join(secretsFolder, 'mongodb_uri'),
      REDIS_URL_FILE: join(secretsFolder, 'redis_url'),
      OPS_TOKEN_FILE: join(secretsFolder, 'ops_token'),
      OPS_HOST: '0.0.0.0',
    });
    expect(settings.OPS_TOKEN).toBe('taken-over-from-before');
    expect([...settings.MASTER_KEYS.keys()]).toEqual([1]);
    expect(settings.MONGODB_URI).toContain(`transfers:${await secret('mongodb_password')}@mongodb:27017/transfers?`);
    expect(settings.MONGODB_URI).toContain('replicaSet=rs0');
    const { uri } = parse(await secret('mongodb_tools')) as { uri: string };
    expect(uri).toContain(`root:${await secret('mongodb_root_password')}@mongodb:27017/?replicaSet=rs0`);
    expect((await stat(secretsFolder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(secretsFolder, 'master_keys'))).mode & 0o777).toBe(0o444);
  });

  it('keeps what is there, and gives Redis no password but its hash', async () => {
    const names = ['master_keys', 'ops_token', 'mongodb_key', 'mongodb_root_password', 'redis_password', 'redis_users'];
    const before = await Promise.all(names.map(secret));
    await makeSecrets({ MASTER_KEYS: 'others', OPS_TOKEN: 'others' });
    expect(await Promise.all(names.map(secret))).toEqual(before);
    expect(new Set(before).size).toBe(names.length);
    const password = await secret('redis_password');
    expect(await secret('redis_users')).not.toContain(password);
    expect(await secret('redis_users')).toContain(`#${createHash('sha256').update(password).digest('hex')} `);
  });
});

describe('deploy/mongodb-start', () => {
  it('gives mongod a key that its user alone may read, and passes the rest on', async () => {
    const programs = join(folder, 'programs');
    await mkdir(programs);
    // There is no user mongodb here: who is meant to own the copy is told apart, and who runs this owns it.
    const program = async (name: string, text: string): Promise<void> => {
      await writeFile(join(programs, name), `#!/bin/sh\n${text}\n`);
      await chmod(join(programs, name), 0o755);
    };
    await program('install', '[ "$1 $2" = "-o mongodb" ] || exit 1; shift 2; exec /usr/bin/install "$@"');
    await program('docker-entrypoint.sh', 'printf "%s\\n" "$@"');
    const copy = join(folder, 'the key');
    const command = [join(secretsFolder, 'mongodb_key'), copy, 'mongod', '--replSet', 'rs0'];
    const started = await run(join(root, 'deploy/mongodb-start'), command, { PATH: `${programs}:/usr/bin:/bin` });
    expect(started.trim().split('\n')).toEqual(['mongod', '--replSet', 'rs0', '--keyFile', copy]);
    expect((await stat(copy)).mode & 0o777).toBe(0o400);
    expect((await readFile(copy, 'utf8')).trim()).toBe(await secret('mongodb_key'));
  });
});

/** As much of a MongoDB with access control as the script asks of it: nothing but the first user without one. */
class GuardedMongodb {
  readonly users = new Map<string, { pwd: string; roles: unknown }>();
  isInitiated = false;
  isPrimary = false;

  /** Runs the script as mongosh does; gives its exit code. */
  async check(secrets: (name: string) => Promise<string>): Promise<number> {
    const script = await readFile(join(root, 'deploy/mongodb-ready.js'), 'utf8');
    const names = ['mongodb_root_password', 'mongodb_password'];
    const files = new Map<string, string>(
      await Promise.all(names.map(async (name) => [`/run/secrets/${name}`, `${await secrets(name)}\n`] as const)),
    );
    let exitCode = 0;
    runInNewContext(script, {
      require: () => ({ readFileSync: (path: string) => files.get(path) }),
      quit: (code: number) => (exitCode = code),
      ...this.session(),
    });
    return exitCode;
  }

  private session() {
    let user: string | undefined;
    const refuse = (codeName: string) => {
      throw Object.assign(new Error(codeName), { codeName });
    };
    const admin = {
      auth: (name: string, pwd: string) => {
        if (this.users.get(name)?.pwd !== pwd) refuse('AuthenticationFailed');
        user = name;
      },
      getUser: (name: string) => (user === undefined ? refuse('Unauthorized') : (this.users.get(name) ?? null)),
      createUser: ({ user: name, pwd, roles }: { user: string; pwd: string; roles: unknown }) => {
        if (user === undefined && this.users.size > 0) refuse('Unauthorized');
        if (!this.isPrimary) refuse('NotWritablePrimary');
        this.users.set(name, { pwd, roles });
      },
    };
    const initiate = () => {
      if (user === undefined && this.users.size > 0) refuse('Unauthorized');
      if (this.isInitiated) refuse('AlreadyInitialized');
      this.isInitiated = true;
    };
    const db = { getSiblingDB: () => admin, hello: () => ({ isWritablePrimary: this.isPrimary }) };
    return { db, rs: { initiate } };
  }
}

describe('deploy/mongodb-ready.js', () => {
  it('makes the set, then its users once there is a primary, and changes nothing after that', async () => {
    const mongodb = new GuardedMongodb();
    expect(await mongodb.check(secret)).toBe(1);
    expect([mongodb.isInitiated, mongodb.users.size]).toEqual([true, 0]);
    mongodb.isPrimary = true;
    expect(await mongodb.check(secret)).toBe(0);
    const made = new Map(mongodb.users);
    expect([...made.keys()]).toEqual(['root', 'transfers']);
    expect(made.get('transfers')).toEqual({
      pwd: await secret('mongodb_password'),
      roles: [
        { role: 'readWrite', db: 'transfers' },
        { role: 'dbAdmin', db: 'transfers' },
      ],
    });
    expect(await mongodb.check(secret)).toBe(0);
    expect(mongodb.users).toEqual(made);
    mongodb.isPrimary = false;
    expect(await mongodb.check(secret)).toBe(1);
  });

  it('goes on where it was cut short, and with a volume from before there were users', async () => {
    const mongodb = new GuardedMongodb();
    mongodb.isInitiated = true;
    mongodb.isPrimary = true;
    mongodb.users.set('root', { pwd: await secret('mongodb_root_password'), roles: ['root'] });
    expect(await mongodb.check(secret)).toBe(0);
    expect(mongodb.users.has('transfers')).toBe(true);
    mongodb.users.clear();
    expect(await mongodb.check(secret)).toBe(0);
    expect(mongodb.users.size).toBe(2);
  });

  it('fails, and makes nothing, where the password is another', async () => {
    const mongodb = new GuardedMongodb();
    Object.assign(mongodb, { isInitiated: true, isPrimary: true });
    mongodb.users.set('root', { pwd: 'another', roles: ['root'] });
    await expect(mongodb.check(secret)).rejects.toThrow('Unauthorized');
    expect(mongodb.users.size).toBe(1);
  });
});

describe('Redis, as docker-compose.yml starts it', () => {
  let redis: Child<unknown>;
  let url: string;
  const connect = (address: string) =>
    new Redis(address, { retryStrategy: () => null, maxRetriesPerRequest: 0, enableReadyCheck: false });

  beforeAll(async () => {
    const compose = parse(await readFile(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
      services: { redis: { command: string[] } };
    };
    const [command = '', ...args] = compose.services.redis.command.map((word) =>
      word.replace('/run/secrets', secretsFolder),
    );
    const port = await freePort();
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
    const answers = ['-e', '-u', `redis://127.0.0.1:${port}`, 'ping'];
    redis = await startChild({
      name: 'redis',
      command,
      args: [...args, ...own],
      env: process.env,
      onLine: () => undefined,
      readyProbe: () =>
        waitFor(() =>
          run('redis-cli', answers, process.env).then(
            () => true,
            () => false,
          ),
        ),
    });
    await redis.ready;
    url = (await secret('redis_url')).replace('@redis:6379', `@127.0.0.1:${port}`);
  });
  afterAll(() => redis.stop(stopTimeoutMs));

  it('answers a PING without a password, and nothing else', async () => {
    const anyone = connect(url.replace(/\/\/.*@/, '//'));
    anyone.on('error', () => undefined);
    expect(await anyone.call('ping')).toBe('PONG');
    for (const [name, ...args] of [['set', 'a', 'b'], ['get', 'a'], ['info'], ['config', 'get', '*']] as const) {
      await expect(anyone.call(name, args)).rejects.toThrow('NOPERM');
    }
    anyone.disconnect();
  });

  it('lets the service do all it does, and not administer it', async () => {
    const service = await startService({ redisUrl: url, workers: 2 });
    const workspace = await createWorkspace(service);
    const [source, target] = [await workspace.wallet('10'), await workspace.wallet()];
    const body = { sourceWalletId: source, targetWalletId: target, amount: '1', currency: 'USD' };
    const answer = await workspace.client.request<{ status: string; transferId: string }>(
      'POST',
      '/api/v1/transfer/command/create',
      { body, headers: { Prefer: 'wait=10' } },
    );
    expect(answer.envelope?.data.status).toBe('COMPLETED');
    const order = `/search?id=${answer.envelope?.data.transferId ?? ''}`;
    for (const path of [
      '/',
      order,
      '/metrics',
      '/scaling',
      '/queues',
      '/queues/api/queues?activeQueue={posting-0}',
      '/queues/api/redis/stats',
    ]) {
      expect((await fetch(service.opsUrl + path)).status, path).toBe(200);
    }
    const logs = [...service.logs];
    await service.stop();
    expect(logs.filter((line) => line.includes('NOPERM'))).toEqual([]);

    const own = connect(url);
    own.on('error', () => undefined);
    for (const [name, ...args] of [
      ['flushall'],
      ['config', 'set', 'dir', '/'],
      ['acl', 'list'],
      ['shutdown'],
    ] as const) {
      await expect(own.call(name, args)).rejects.toThrow('NOPERM');
    }
    own.disconnect();
  });
});
