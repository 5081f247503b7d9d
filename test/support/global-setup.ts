import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEngineProcess } from '../../local/engine-process.ts';
import { freePort } from '../../local/free-port.ts';
import { startRedis } from '../../local/redis.ts';

const STOP_TIMEOUT_MS = 5_000;
/** More than the test files there will be; each takes a logical database of its own. */
const REDIS_DATABASES = 4_096;

declare module 'vitest' {
  export interface ProvidedContext {
    /** Without a database name; testDatabase() gives each file one. */
    mongodbUri: string;
    redisPort: number;
  }
}

/** One Redis and one MongoDB for the whole run: MONGODB_URI where it is set, else the embedded engine in memory. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startSharedRedis();
  const mongodb = await startSharedMongodb();
  project.provide('redisPort', redis.port);
  project.provide('mongodbUri', mongodb.uri);
  return async () => {
    await Promise.all([redis.stop(), mongodb.stop()]);
  };
}

async function startSharedRedis() {
  const port = await freePort();
  const dataDir = await mkdtemp(join(tmpdir(), 'test-redis-'));
  const options = { port, dataDir, persistent: false, databases: REDIS_DATABASES, onLine: () => undefined };
  const redis = await startRedis(options);
  await redis.ready;
  return {
    port,
    async stop() {
      await redis.stop(STOP_TIMEOUT_MS);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startSharedMongodb() {
  const given = process.env['MONGODB_URI'];
  if (given) return { uri: given, stop: () => Promise.resolve() };
  const onLine = (line: string) => {
    process.stderr.write(`embedded engine: ${line}\n`);
  };
  const engine = await startEngineProcess({ port: 0, exitsWithParent: true, onLine });
  const { uri } = await engine.ready;
  return {
    uri,
    async stop() {
      await engine.stop(STOP_TIMEOUT_MS);
    },
  };
}
