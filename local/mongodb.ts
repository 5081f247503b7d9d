import { mkdir } from 'node:fs/promises';
import type { DataFolder } from './data-folder.ts';
import { startEngineProcess } from './engine-process.ts';
import { findExecutable } from './executables.ts';
import { startMongod, mongodVersion, type Mongod } from './mongod.ts';
import { downloadMongod } from './mongod-download-try.ts';

/** An older server is used only if MONGODB_URI names it. */
const MONGOD_MAJOR_MIN = 6;
const KIND_FILE = 'mongodb.json';

export type MongodbKind = 'given' | 'mongod' | 'downloaded' | 'embedded';

export interface MongodbChoice {
  kind: MongodbKind;
  /** For the user: which MongoDB it is and why it was taken. */
  why: string;
  uri: string;
  /** Absent if the server is not the stack's to stop. */
  server?: Mongod;
  /** Starts it again in the same place after it ended by itself; absent if that cannot be done. */
  restart?: () => Promise<Mongod>;
}

export interface MongodbOptions {
  folder: DataFolder;
  say: (text: string) => void;
  onLine: (line: string) => void;
}

/** The first of: MONGODB_URI, a mongod of this machine, mongodb-memory-server's download, the embedded engine. */
export async function startMongodb(options: MongodbOptions): Promise<MongodbChoice> {
  const given = process.env['MONGODB_URI'];
  if (given) return { kind: 'given', why: 'the server that MONGODB_URI names', uri: given };
  const { folder } = options;
  const earlier = (await folder.readJson<{ kind: MongodbKind }>(KIND_FILE))?.kind;
  // Another server would not have its data.
  if (earlier === 'embedded')
    return startEmbedded(options, 'it holds the data of the earlier runs; --fresh chooses anew');

  const reasons: string[] = [];
  for (const attempt of [fromMachine, fromDownload]) {
    try {
      const choice = await attempt(options);
      await folder.writeJson(KIND_FILE, { kind: choice.kind });
      return choice;
    } catch (error) {
      reasons.push(firstLine(error));
    }
  }
  const choice = await startEmbedded(options, reasons.join('; '));
  await folder.writeJson(KIND_FILE, { kind: choice.kind });
  return choice;
}

async function fromMachine({ folder }: MongodbOptions): Promise<MongodbChoice> {
  const binary = await findExecutable('mongod');
  if (binary === undefined) throw new Error('no mongod on this machine');
  const version = await mongodVersion(binary);
  if (Number.parseInt(version, 10) < MONGOD_MAJOR_MIN) {
    throw new Error(`this machine's mongod is ${version}, older than ${MONGOD_MAJOR_MIN}`);
  }
  const server = await startMongod(binary, folder, true).catch((cause: unknown) => {
    throw new Error(`${binary} did not start: ${firstLine(cause)}`, { cause });
  });
  return { kind: 'mongod', why: `${binary} (${version}), as a replica set of one`, uri: server.uri, server };
}

async function fromDownload({ folder, say }: MongodbOptions): Promise<MongodbChoice> {
  const binary = await downloadMongod(say);
  const server = await startMongod(binary, folder, true).catch((cause: unknown) => {
    throw new Error(`the downloaded mongod did not start: ${firstLine(cause)}`, { cause });
  });
  const version = await mongodVersion(binary);
  return { kind: 'downloaded', why: `MongoDB ${version} by mongodb-memory-server`, uri: server.uri, server };
}

async function startEmbedded({ folder, onLine }: MongodbOptions, why: string): Promise<MongodbChoice> {
  const dataDir = folder.file('mongodb-embedded');
  await mkdir(dataDir, { recursive: true });
  const file = `${dataDir}/data.sqlite`;
  const start = async (port: number) => {
    const child = await startEngineProcess({ port, file, detached: true, onLine });
    const ready = await child.ready;
    return { ...ready, server: { ...child, uri: ready.uri } };
  };
  const { uri, port, server } = await start(0);
  const described = `the embedded engine, for trying out and for tests (${why})`;
  return { kind: 'embedded', why: described, uri, server, restart: async () => (await start(port)).server };
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? '';
}
