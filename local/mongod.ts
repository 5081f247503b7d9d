import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { MongoMemoryReplSet } from 'mongodb-memory-server';
import type { Child } from './child.ts';
import type { DataFolder } from './data-folder.ts';
import { run } from './executables.ts';
import { freePort, isPortFree } from './free-port.ts';

const LAUNCH_TIMEOUT_MS = 60_000;
const SETTINGS = 'mongod.json';

export type Mongod = Pick<Child<unknown>, 'pid' | 'ready' | 'exited' | 'stop'> & { uri: string };

/** The version that a mongod says it has, such as 8.0.4. Rejects if it does not run. */
export async function mongodVersion(binary: string): Promise<string> {
  const version = /db version v(\d+\.\d+\.\d+)/.exec(await run(binary, ['--version']))?.[1];
  if (version === undefined) throw new Error(`${binary} does not tell its version.`);
  return version;
}

/**
 * Runs a mongod as a replica set of one, with its data in the data folder. The port is kept with the data, because a
 * replica set knows its members by their addresses.
 */
export async function startMongod(binary: string, folder: DataFolder, detached: boolean): Promise<Mongod> {
  const version = await mongodVersion(binary);
  const dbPath = folder.file('mongod');
  await mkdir(dbPath, { recursive: true });
  const port = (await folder.readJson<{ port: number }>(SETTINGS))?.port ?? (await freePort());
  if (!(await isPortFree(port, '127.0.0.1'))) {
    throw new Error(`its data belongs to port ${port}, which is taken (--fresh begins anew on another)`);
  }
  await folder.writeJson(SETTINGS, { port });
  const replicaSet = await MongoMemoryReplSet.create({
    binary: { systemBinary: binary, version },
    instanceOpts: [{ port, dbPath, storageEngine: 'wiredTiger', launchTimeout: LAUNCH_TIMEOUT_MS }],
    replSet: { name: 'local', count: 1, storageEngine: 'wiredTiger', spawn: { detached } },
  });
  const mongod = processOf(replicaSet);
  const exited = new Promise<Awaited<Mongod['exited']>>((resolve) => {
    mongod.once('close', (code, signal) => {
      resolve({ code, signal });
    });
  });
  return {
    uri: replicaSet.getUri(),
    ready: Promise.resolve(),
    pid: mongod.pid ?? 0,
    exited,
    async stop(timeoutMs) {
      const timer = setTimeout(() => mongod.kill('SIGKILL'), timeoutMs);
      await replicaSet.stop({ doCleanup: false });
      clearTimeout(timer);
      return exited;
    },
  };
}

function processOf(replicaSet: MongoMemoryReplSet): ChildProcess {
  const found = replicaSet.servers[0]?.instanceInfo?.instance.mongodProcess;
  if (!found) throw new Error('mongodb-memory-server started no process.');
  return found;
}
