import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, inject } from 'vitest';
import { createClient, type Client } from './api-client.ts';
import { describeExit } from '../../local/child.ts';
import { runAdminJson } from './admin.ts';
import { undescribed } from './described-answers.ts';
import { uniqueDatabaseName, withDatabase } from './database.ts';
import {
  startMemberHere,
  startMemberProcess,
  type Kind,
  type Member,
  type MemberProcess,
  type StartMember,
} from './members.ts';
import { testRedis } from './redis.ts';
import { complaintMark } from './workspace-watch.ts';
import { opsTexts, queueTexts, watchSecrets } from './secrets-watch.ts';

/** A process drains for 15 s at most; what takes longer is killed, and reported. */
const STOP_TIMEOUT_MS = 20_000;

export interface ServiceOptions {
  workers?: number;
  webs?: number;
  /** Default: a logical database of the run's shared Redis. */
  redisUrl?: string;
  mongodbUri?: string;
  env?: NodeJS.ProcessEnv;
}

export interface Credentials {
  apiKey: string;
  apiSecret: string;
}

export interface RunningService<M extends Member = Member> {
  baseUrl: string;
  opsUrl: string;
  mongodbUri: string;
  redisUrl: string;
  /** What all its members are started with. */
  env: NodeJS.ProcessEnv;
  webs: M[];
  workers: M[];
  /** What they logged so far, one JSON line each. */
  logs: string[];
  /** Runs the admin command line with --json and gives what it prints. Rejects where it fails. */
  admin<Result = Record<string, unknown>>(...args: string[]): Promise<Result>;
  /** The same with other settings. */
  adminWith(more: NodeJS.ProcessEnv, ...args: string[]): Promise<unknown>;
  client(credentials: Credentials): Client;
  /** @param more of the environment, besides what all processes have. */
  startWorker(more?: NodeJS.ProcessEnv): Promise<M>;
  /** As {@link startWorker}. @param readyTimeoutMs after which it is stopped, and the promise rejects. */
  startWeb(more?: NodeJS.ProcessEnv, readyTimeoutMs?: number): Promise<M>;
  /**
   * Stops what still runs and drops the database. Fails unless all that was not stopped or killed before ended cleanly; and where
   * an answer was not as the description of the API has it, a secret was in a log line, an answer, a job or a page, or a command to a collection that may be sharded named no workspace.
   */
  stop(): Promise<void>;
}

export type ServiceProcesses = RunningService<MemberProcess>;

/**
 * Starts what web and worker processes do inside this one, on free ports, with a database and a Redis database of their
 * own. What an environment says to Node itself, or to libraries as they load, needs {@link startServiceProcesses}.
 */
export function startService(options: ServiceOptions = {}): Promise<RunningService> {
  return startMembers(startMemberHere, options);
}

/** As {@link startService}, each in a process of its own: for tests that kill, freeze, signal or measure processes. */
export function startServiceProcesses(options: ServiceOptions = {}): Promise<ServiceProcesses> {
  return startMembers(startMemberProcess, options);
}

/** As {@link startService}, for the test file that calls it at its top: stopped after the last test of the file. */
export const serviceForTests = async (options?: ServiceOptions) => stoppedAfterTests(await startService(options));

/** As {@link serviceForTests}, each in a process of its own. */
export const processesForTests = async (options?: ServiceOptions) =>
  stoppedAfterTests(await startServiceProcesses(options));

function stoppedAfterTests<M extends Member>(service: RunningService<M>): RunningService<M> {
  afterAll(() => service.stop());
  return service;
}

async function startMembers<M extends Member>(
  startMember: StartMember<M>,
  options: ServiceOptions,
): Promise<RunningService<M>> {
  const redisUrl = options.redisUrl ?? (await testRedis()).url;
  const name = uniqueDatabaseName();
  const mongodbUri = options.mongodbUri ?? withDatabase(inject('mongodbUri'), name);
  const logs: string[] = [];
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    HOST: '127.0.0.1',
    PORT: '0',
    OPS_PORT: '0',
    ...options.env,
    MONGODB_URI: mongodbUri,
    REDIS_URL: redisUrl,
  };
  const secrets = watchSecrets();
  for (const masterKey of env['MASTER_KEYS']?.split(',') ?? []) secrets.guard(masterKey.split(':')[1] ?? '');
  secrets.guard(env['OPS_TOKEN'] ?? '');
  const start = (kind: Kind, more: NodeJS.ProcessEnv = {}, readyTimeoutMs?: number): Promise<M> => {
    const onLine = (line: string): void => {
      logs.push(line);
    };
    return startMember(kind, { env: { ...env, ...more }, onLine, ...(readyTimeoutMs && { readyTimeoutMs }) });
  };
  const startMany = (count: number, kind: Kind) => Promise.all(Array.from({ length: count }, () => start(kind)));
  const [webs, workers] = await Promise.all([
    startMany(options.webs ?? 1, 'web'),
    startMany(options.workers ?? 1, 'worker'),
  ]);
  const ready = await webs[0]?.ready;
  const clients: Client[] = [];
  const faults = new Set<string>();
  const baseUrl = `http://127.0.0.1:${ready?.port ?? 0}`;
  return {
    baseUrl,
    opsUrl: `http://127.0.0.1:${ready?.opsPort ?? 0}`,
    mongodbUri,
    redisUrl,
    env,
    webs,
    workers,
    logs,
    async admin<Result>(...args: string[]) {
      const result = await runAdminJson(args, env);
      if (isWithSecret(result)) secrets.guard(result.apiSecret);
      return result as Result;
    },
    adminWith: (more, ...args) => runAdminJson(args, { ...env, ...more }),
    client(credentials) {
      secrets.guard(credentials.apiSecret);
      const client = createClient({ baseUrl, ...credentials });
      clients.push(client);
      return described(secrets.watched(client), faults);
    },
    startWorker: (more) => added(workers, start('worker', more)),
    startWeb: (more, readyTimeoutMs) => added(webs, start('web', more, readyTimeoutMs)),
    async stop() {
      for (const client of clients) client.close();
      for (const text of await opsPages([...webs, ...workers], env['OPS_TOKEN'])) secrets.see('a page', text);
      for (const text of await queueTexts(redisUrl)) secrets.see('a job', text);
      const complaints = [...(await stopAll(webs)), ...(await stopAll(workers))];
      for (const line of logs) secrets.see('a log line', line);
      complaints.push(...faults, ...secrets.leaks(), ...logs.filter((line) => line.includes(complaintMark)));
      await dropDatabase(mongodbUri);
      if (complaints.length > 0) throw new Error([...complaints, ...logs.slice(-20)].join('\n'));
    },
  };
}

function added<M extends Member>(members: M[], starting: Promise<M>): Promise<M> {
  return starting.then((member) => {
    members.push(member);
    return member;
  });
}

/** The same client; each answer is held against the description of the API. */
function described(client: Client, faults: Set<string>): Client {
  return {
    ...client,
    async request(method, path, options) {
      const answer = await client.request(method, path, options);
      const { status, envelope, headers } = answer;
      const header = (name: string): string | undefined => headers[name.toLowerCase()]?.toString();
      const fault = undescribed(method, path, { status, envelope, header });
      if (fault !== undefined) faults.add(fault);
      return answer as never;
    },
  };
}

function isWithSecret(result: unknown): result is { readonly apiSecret: string } {
  return typeof result === 'object' && result !== null && 'apiSecret' in result && typeof result.apiSecret === 'string';
}

async function opsPages(members: readonly Member[], token: string | undefined): Promise<string[]> {
  const texts = await Promise.all(
    members.map(async ({ ready }) => opsTexts(`http://127.0.0.1:${(await ready).opsPort}`, token)),
  );
  return texts.flat();
}

/** Gives what was wrong with how they ended; what ended earlier was stopped or killed by its test. */
async function stopAll(members: readonly Member[]): Promise<string[]> {
  const complaints = await Promise.all(
    members.map(async (member) => {
      const endedBefore = await Promise.race([member.exited, Promise.resolve(undefined)]);
      const exit = await member.stop(STOP_TIMEOUT_MS);
      return endedBefore || exit.code === 0 ? [] : [`${member.name} ended with ${describeExit(exit)}`];
    }),
  );
  return complaints.flat();
}

async function dropDatabase(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
}
