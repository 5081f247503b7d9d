import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { createClient, type Client } from '../support/api-client.ts';
import type { Child } from '../../local/child.ts';
import { startEngineProcess, type EngineReady } from '../../local/engine-process.ts';
import { freePort } from '../../local/free-port.ts';
import { startRedis, type RedisReady } from '../../local/redis.ts';
import { startServiceProcess, type ServiceReady } from '../../local/service-process.ts';
import { partitionOf } from '../../src/domain/partition.ts';
import { runAdminJson } from '../support/admin.ts';
import { createAuthority } from '../support/certificates.ts';
import { startPrometheus, type Prometheus, type Target } from './prometheus.ts';

export const opsToken = randomBytes(16).toString('hex');
const stopTimeoutMs = 20_000;
/** A web process with wrong master keys is never ready, and is to run nevertheless. */
const readyTimeoutMs = 600_000;
/** Unless it is set. */
const partitionCount = 8;
const backlogMax = 1_400;
const allScopes = ['wallet:read', 'transfer:read', 'transfer:create'];

/** A process of the service, with the port on which Prometheus finds it. */
export interface Member {
  readonly target: Target;
  child: Child<ServiceReady>;
  /** Starts it again as it was, on the same ports; resolves when it is ready. */
  restart(): Promise<void>;
}

/** Of a workspace whose orders are in one partition. */
export interface Payer {
  readonly workspaceId: string;
  readonly partition: number;
  readonly client: Client;
  /** One of its wallets holds euros: a target that no order of the others may have. */
  readonly wallets: { readonly source: string; readonly target: string; readonly euros: string };
}

export interface Stack {
  readonly mongo: MongoClient;
  readonly engine: Child<EngineReady>;
  readonly redisUrl: string;
  readonly prometheus: Prometheus;
  readonly apiUrl: string;
  /** In two partitions: a load that is in one asks for no second worker. */
  readonly payers: readonly [Payer, Payer];
  /** Runs a command of the administrator. */
  readonly admin: (...args: string[]) => Promise<Record<string, string>>;
  /** Environment with which a worker reaches Redis by TLS, whose certificate is valid for another day. */
  readonly expiringTls: NodeJS.ProcessEnv;
  startWeb(env?: NodeJS.ProcessEnv): Promise<Member>;
  startWorker(env?: NodeJS.ProcessEnv): Promise<Member>;
  /** Asks it to end, and kills it where it does not. */
  end(member: Member): Promise<void>;
  /** Those that run from the start, and that Prometheus is told of. */
  readonly web: Member;
  readonly worker: Member;
  killRedis(): Promise<void>;
  restartRedis(): Promise<void>;
  stop(): Promise<void>;
}

/** A web process, a worker, an engine, a Redis and a Prometheus, each on ports that a restart keeps. */
export async function startStack(): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'alerts-'));
  const engine = await startEngineProcess({ port: 0, exitsWithParent: true, onLine: () => undefined });
  const mongo = new MongoClient((await engine.ready).uri);
  const redis = await startTlsRedis(folder);
  const webPort = await freePort();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    MONGODB_URI: (await engine.ready).uri,
    REDIS_URL: redis.url,
    OPS_TOKEN: opsToken,
    HOST: '127.0.0.1',
    PORT: '0',
    BACKLOG_MAX: String(backlogMax),
    WEBHOOK_ALLOW_LOCAL: 'true',
  };
  const running = new Set<Member>();
  const start = async (job: Target['job'], entry: string, more: NodeJS.ProcessEnv): Promise<Member> => {
    const opsPort = await freePort();
    const settings = { ...env, ...more, OPS_PORT: String(opsPort) };
    const startChild = () =>
      startServiceProcess({ name: job, entry, env: settings, onLine: () => undefined, readyTimeoutMs });
    const member = {
      target: { job, opsPort },
      child: await startChild(),
      async restart() {
        member.child = await startChild();
        await member.child.ready;
      },
    };
    running.add(member);
    // Of one that is never ready nobody waits for that.
    member.child.ready.catch(() => undefined);
    return member;
  };
  const startWeb = (more: NodeJS.ProcessEnv = {}) => start('transfers-web', 'src/main.ts', more);
  const startWorker = (more: NodeJS.ProcessEnv = {}) => start('transfers-worker', 'workers/main.ts', more);
  const web = await startWeb({ PORT: String(webPort) });
  const worker = await startWorker();
  await Promise.all([web.child.ready, worker.child.ready]);
  const apiUrl = `http://127.0.0.1:${webPort}`;
  const admin = async (...args: string[]) => (await runAdminJson(args, env)) as Record<string, string>;
  const first = await createPayer(admin, apiUrl);
  let second = await createPayer(admin, apiUrl);
  while (second.partition === first.partition) second = await createPayer(admin, apiUrl);
  const prometheus = await startPrometheus(folder, opsToken);
  await prometheus.setTargets([web.target, worker.target]);
  return {
    ...{ mongo, engine, prometheus, admin, apiUrl, web, worker, startWeb, startWorker },
    redisUrl: redis.url,
    payers: [first, second],
    expiringTls: redis.expiringTls,
    killRedis: () => redis.kill(),
    restartRedis: () => redis.restart(),
    async end(member) {
      running.delete(member);
      await member.child.stop(stopTimeoutMs);
    },
    async stop() {
      for (const { client } of [first, second]) client.close();
      await prometheus.stop();
      await Promise.all([...running].map(({ child }) => child.stop(stopTimeoutMs)));
      await mongo.close();
      await Promise.all([engine.stop(stopTimeoutMs), redis.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startTlsRedis(folder: string) {
  const authority = createAuthority(folder, 'authority');
  const { certFile, keyFile } = authority.sign('redis', 'IP:127.0.0.1', 1);
  const [port, tlsPort] = [await freePort(), await freePort()];
  const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', authority.file];
  const args = ['--tls-port', String(tlsPort), '--tls-auth-clients', 'no', ...files];
  const options = { port, dataDir: join(folder, 'redis'), persistent: true, args, onLine: () => undefined };
  const start = async (): Promise<Child<RedisReady>> => {
    const child = await startRedis(options);
    await child.ready;
    return child;
  };
  let child = await start();
  return {
    url: (await child.ready).url,
    expiringTls: { REDIS_URL: `rediss://127.0.0.1:${tlsPort}`, REDIS_TLS_CA_FILE: authority.file },
    async kill() {
      child.kill('SIGKILL');
      await child.exited;
    },
    async restart() {
      child = await start();
    },
    async stop() {
      await child.stop(stopTimeoutMs);
    },
  };
}

async function createPayer(admin: Stack['admin'], baseUrl: string): Promise<Payer> {
  const { workspaceId = '' } = await admin('workspace', 'create', '--name', 'alerts');
  await admin('member', 'add', '--workspace', workspaceId, '--user', 'owner');
  const scopes = allScopes.flatMap((scope) => ['--scope', scope]);
  const { apiKey = '', apiSecret = '' } = await admin(
    ...['key', 'create', '--workspace', workspaceId, '--owner', 'owner'],
    ...scopes,
  );
  const wallet = async (currency: string) =>
    (await admin('wallet', 'create', '--workspace', workspaceId, '--currency', currency))['id'] ?? '';
  const wallets = { source: await wallet('USD'), target: await wallet('USD'), euros: await wallet('EUR') };
  await admin('wallet', 'fund', '--wallet', wallets.source, '--amount', '1000000');
  const client = createClient({ baseUrl, apiKey, apiSecret });
  return { workspaceId, partition: partitionOf(workspaceId, partitionCount), client, wallets };
}
