import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Db } from 'mongodb';
import { describeExit, type Child } from '../../local/child.ts';
import { startServiceProcess, type ServiceReady } from '../../local/service-process.ts';
import { startMongodb } from '../faults/harness/mongodb-server.ts';
import { runAdminJson } from '../support/admin.ts';
import { dataFolder } from '../support/data-folder.ts';
import { startRedisNode } from '../support/redis-node.ts';
import '../support/started.ts';
import { createLogWatch, type LogWatch } from './log-watch.ts';
import { prepareWorld, type World } from './world.ts';

/** One web process and one worker, with servers of their own. */
export interface FuzzStack {
  port: number;
  opsUrl: string;
  web: Child<ServiceReady>;
  db: Db;
  world: World;
  log: LogWatch;
  /** Runs an admin command, in this process, and gives what it prints. Rejects where it fails. */
  admin(...args: string[]): Promise<unknown>;
  /** Stops everything. @returns a sentence for each process that did not end in order. */
  stop(): Promise<string[]>;
}

const stopTimeoutMs = 20_000;
const garbagePreload = pathToFileURL(join(import.meta.dirname, 'collect-garbage.ts')).href;
/** One key sends everything: what is asked here is not its rate. */
const unlimited = { KEY_RATE_PER_SECOND: '1000000' };
/** So that a connection whose answers nobody reads, which looks idle, is given up while that is waited for. */
const shortLived = { KEEP_ALIVE_SECONDS: '65' };

/** @throws where something does not start; what has started by then is stopped. */
export async function startFuzzStack(): Promise<FuzzStack> {
  const folder = await dataFolder('fuzz-');
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<string[]> => {
    const complaints: string[] = [];
    for (const each of stops.splice(0).toReversed()) {
      await each().catch((error: unknown) => complaints.push(String(error)));
    }
    return complaints;
  };
  try {
    return { ...(await start(folder, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(folder: string, stops: (() => Promise<unknown>)[]): Promise<Omit<FuzzStack, 'stop'>> {
  const masterKey = randomBytes(32).toString('base64');
  const log = createLogWatch();
  log.guard(masterKey);
  const mongodb = await startMongodb(folder, (line) => process.stderr.write(`mongodb: ${line}\n`));
  stops.push(() => mongodb.stop());
  const redis = await startRedisNode({ dataDir: join(folder, 'redis') });
  stops.push(() => redis.stop());
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...{ MASTER_KEYS: `1:${masterKey}`, MONGODB_URI: mongodb.uri, REDIS_URL: redis.url },
  };
  const startProcess = async (name: string, entry: string, more: NodeJS.ProcessEnv = {}) => {
    const child = await startServiceProcess({
      ...{ name, entry, onLine: log.processLine },
      env: { ...env, HOST: '127.0.0.1', PORT: '0', OPS_PORT: '0', ...more },
    });
    stops.push(async () => {
      const exit = await child.stop(stopTimeoutMs);
      if (exit.code !== 0) throw new Error(`${name} ended with ${describeExit(exit)}`);
    });
    return { child, ready: await child.ready };
  };
  const preload = { NODE_OPTIONS: `--import=${garbagePreload} --expose-gc` };
  const [web] = await Promise.all([
    startProcess('web', 'src/main.ts', { ...unlimited, ...shortLived, ...preload }),
    startProcess('worker', 'workers/main.ts'),
  ]);
  const admin = (...args: string[]): Promise<unknown> => runAdminJson(args, env);
  const db = mongodb.client.db();
  const world = await prepareWorld(db, admin, randomBytes(6).toString('hex'));
  for (const { apiSecret } of world.keys) log.guard(apiSecret);
  return {
    port: web.ready.port ?? 0,
    opsUrl: `http://127.0.0.1:${web.ready.opsPort}`,
    web: web.child,
    ...{ db, world, log, admin },
  };
}
