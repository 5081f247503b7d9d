import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Document } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { startEngineProcess } from '../../local/engine-process.ts';
import { freePort } from '../../local/free-port.ts';
import { startRedis } from '../../local/redis.ts';

export interface EngineDescription {
  readonly kind: 'embedded' | 'given';
  readonly name: string;
  readonly durability: string;
}

export interface Servers {
  readonly engine: EngineDescription;
  readonly redisUrl: string;
  /** Process ids by name, of the servers whose CPU time can be told. */
  readonly pids: Readonly<Record<string, number>>;
  mongodbUri(database: string): string;
  close(): Promise<void>;
}

const stopTimeoutMs = 10_000;
const selectionTimeoutMs = 5_000;

/**
 * Starts a Redis with an append-only file, and a MongoDB: that of `MONGODB_URI` where it is set, else the embedded
 * engine with its data in a file, so that a commit costs what a durable one costs.
 * @param givenPid the process of a MongoDB that is given, where it runs on this machine.
 * @throws where one of them cannot be reached.
 */
export async function startServers(givenPid?: number): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const closer of closers.toReversed()) await closer();
  };
  try {
    const redis = await startRedis({
      port: await freePort(),
      dataDir: join(folder, 'redis'),
      persistent: true,
      onLine: () => undefined,
    });
    closers.push(() => redis.stop(stopTimeoutMs));
    const { url: redisUrl } = await redis.ready;
    const mongodb = await startMongodb(join(folder, 'mongodb.sqlite'), givenPid);
    closers.push(mongodb.stop);
    const engine = await describeEngine(mongodb.uri, mongodb.isOwn);
    return {
      engine,
      redisUrl,
      pids: { redis: redis.pid, ...(mongodb.pid === undefined ? {} : { mongodb: mongodb.pid }) },
      mongodbUri: (database) => withDatabase(mongodb.uri, database),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface StartedMongodb {
  readonly uri: string;
  readonly pid: number | undefined;
  /** Whether it was started here. */
  readonly isOwn: boolean;
  readonly stop: () => Promise<unknown>;
}

async function startMongodb(file: string, givenPid: number | undefined): Promise<StartedMongodb> {
  const given = process.env['MONGODB_URI'];
  if (given !== undefined && given !== '') {
    return { uri: given, pid: givenPid, isOwn: false, stop: () => Promise.resolve() };
  }
  const engine = await startEngineProcess({
    port: 0,
    file,
    exitsWithParent: true,
    onLine: (line) => process.stderr.write(`mongodb: ${line}\n`),
  });
  const { uri } = await engine.ready;
  return { uri, pid: engine.pid, isOwn: true, stop: () => engine.stop(stopTimeoutMs) };
}

async function describeEngine(uri: string, isOwn: boolean): Promise<EngineDescription> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: selectionTimeoutMs });
  try {
    const info = (await client.db('admin').command({ buildInfo: 1 })) as { version: string; modules?: string[] };
    const isEmbedded = isOwn || (info.modules ?? []).includes('embedded') || info.version.includes('embedded');
    const hello: Document = await client.db('admin').command({ isMaster: 1 });
    const members = (hello['hosts'] as string[] | undefined)?.length ?? 0;
    return {
      kind: isEmbedded ? 'embedded' : 'given',
      name: isEmbedded ? `embedded engine (${info.version}; one process on SQLite)` : `MongoDB ${info.version}`,
      durability: isEmbedded
        ? 'w: majority of one node; a file and its redo log, synchronised at every commit'
        : `w: majority, journaled; ${members} data-bearing node(s)`,
    };
  } finally {
    await client.close();
  }
}

function withDatabase(uri: string, database: string): string {
  const parsed = new ConnectionString(uri);
  parsed.pathname = `/${database}`;
  return parsed.toString();
}
