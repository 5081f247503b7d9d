// A backup is worth what its restore is: script/node local/restore-drill.ts [--data DIR]
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { terminalText } from '../src/terminal-text.ts';
import { masterKeysOf, openDataFolder } from './data-folder.ts';
import { ADMIN_ENTRY } from './demo-workspace.ts';
import { startEngineProcess } from './engine-process.ts';
import { findExecutable } from './executables.ts';
import { takeDataFolder } from './process-list.ts';

const USAGE = `Usage: script/node local/restore-drill.ts [--data DIR]

Proves that a copy of the data can be started from: counts every collection in it and in the original, and runs
"admin verify" on the copy. Exit code 0 if both agree. The original is only read.

With MONGODB_URI (and MASTER_KEYS) set: dumps that database by mongodump, restores it beside it by mongorestore, as
NAME_restore_drill, and drops that again. Run it while no process of the service is at work, as counts then stand still.
Otherwise: copies the embedded engine's data of a local stack that is stopped, and starts the engine on the copy.

  --data DIR   folder of the local stack (default .data in this project)
`;

/** A dump, a restore, and a check of the books each. */
const STEP_MAX_MS = 3 * 3_600_000;
const STOP_TIMEOUT_MS = 10_000;
const PRINTED_BYTES_MAX = 16 * 1024 ** 2;
const DEFAULT_DATABASE = 'transfers';
const SUFFIX = '_restore_drill';

type Counts = Map<string, number>;
const say = (text: string): void => void process.stdout.write(`${terminalText(text)}\n`);

try {
  const { values } = parseArgs({ options: { data: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help === true) process.stdout.write(USAGE);
  else process.exitCode = (await drill(values.data)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`restore drill: ${terminalText(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
}

async function drill(data: string | undefined): Promise<boolean> {
  const scratch = await mkdtemp(join(tmpdir(), 'restore-drill-'));
  try {
    const uri = process.env['MONGODB_URI'];
    if (uri !== undefined && uri !== '') return await ofServer(uri, scratch);
    return await ofLocalStack(resolve(data ?? join(import.meta.dirname, '../.data')), scratch);
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** @throws Error where the tools are missing, or the other database is there already. */
async function ofServer(uri: string, scratch: string): Promise<boolean> {
  const [dump, restore] = await Promise.all(['mongodump', 'mongorestore'].map(findExecutable));
  if (dump === undefined || restore === undefined)
    throw new Error('mongodump and mongorestore are not on the PATH (MongoDB Database Tools): nothing was tried');
  const address = new ConnectionString(uri);
  const name = decodeURIComponent(address.pathname.slice(1)) || DEFAULT_DATABASE;
  const other = `${name}${SUFFIX}`;
  const client = await MongoClient.connect(uri);
  let isOurs = false;
  try {
    const left = await client.db(other).listCollections().toArray();
    if (left.length > 0) throw new Error(`the database ${other} exists: drop it if it is of an earlier drill`);
    isOurs = true;
    const before = await countsOf(client, name);
    const archive = join(scratch, 'dump.gz');
    const config = join(scratch, 'config.yml');
    // The process list shows arguments, and the address has the password. Without a path, because --db names the database.
    const server = new ConnectionString(uri);
    server.pathname = '/';
    if (address.username !== '' && !address.searchParams.has('authSource') && address.pathname.length > 1)
      server.searchParams.set('authSource', name);
    await writeFile(config, `uri: ${JSON.stringify(server.href)}\n`, { mode: 0o600 });
    const shared = [`--config=${config}`, '--gzip', `--archive=${archive}`];
    say(`Dumping ${name}`);
    await execute(dump, [...shared, `--db=${name}`]);
    say(`Restoring it as ${other}`);
    const names = [`--nsInclude=${name}.*`, `--nsFrom=${name}.*`, `--nsTo=${other}.*`];
    await execute(restore, [...shared, ...names, '--bypassDocumentValidation']);
    const isSame = compare(before, await countsOf(client, other));
    if (!isSame && !areEqual(before, await countsOf(client, name)))
      say(
        'The original changed meanwhile: stop the processes of the service for the drill, or take a dump with the oplog.',
      );
    address.pathname = `/${encodeURIComponent(other)}`;
    if (server.searchParams.has('authSource'))
      address.searchParams.set('authSource', server.searchParams.get('authSource') ?? name);
    return (await verify({ MONGODB_URI: address.href })) && isSame;
  } finally {
    if (isOurs) await client.db(other).dropDatabase();
    await client.close();
  }
}

/** @throws Error where the stack runs, or has no data of the embedded engine. */
async function ofLocalStack(path: string, scratch: string): Promise<boolean> {
  const folder = await openDataFolder(path);
  const processes = await takeDataFolder(folder, say);
  try {
    const source = folder.file('mongodb-embedded');
    const files = await readdir(source).catch(() => []);
    if (files.length === 0)
      throw new Error(`${path} has no data of the embedded engine; for a server set MONGODB_URI and MASTER_KEYS`);
    say(`Copying ${source}`);
    for (const file of files) await copyFile(join(source, file), join(scratch, file));
    const before = await withEngine(source, countsAt);
    return await withEngine(scratch, async (uri) => {
      const isSame = compare(before, await countsAt(uri));
      return (await verify({ MONGODB_URI: uri, MASTER_KEYS: await masterKeysOf(folder) })) && isSame;
    });
  } finally {
    await processes.release();
  }
}

async function withEngine<T>(folder: string, use: (uri: string) => Promise<T>): Promise<T> {
  const file = join(folder, 'data.sqlite');
  const engine = await startEngineProcess({ port: 0, file, exitsWithParent: true, onLine: () => undefined });
  try {
    return await use((await engine.ready).uri);
  } finally {
    await engine.stop(STOP_TIMEOUT_MS);
  }
}

async function countsAt(uri: string): Promise<Counts> {
  const client = await MongoClient.connect(uri);
  try {
    return await countsOf(client, decodeURIComponent(new ConnectionString(uri).pathname.slice(1)) || DEFAULT_DATABASE);
  } finally {
    await client.close();
  }
}

async function countsOf(client: MongoClient, name: string): Promise<Counts> {
  const db = client.db(name);
  const found = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
  const names = found.map((each) => each.name).filter((each) => !each.startsWith('system.'));
  const counts = new Map<string, number>();
  for (const each of names.toSorted()) counts.set(each, await db.collection(each).countDocuments());
  return counts;
}

function compare(original: Counts, copy: Counts): boolean {
  for (const name of new Set([...original.keys(), ...copy.keys()])) {
    const [was, is] = [original.get(name), copy.get(name)];
    say(`  ${name}: ${was ?? 'not there'}${was === is ? '' : `, in the copy ${is ?? 'not there'}`}`);
  }
  const isSame = areEqual(original, copy);
  say(
    isSame ? 'Every collection has as many documents in the copy.' : 'The copy has other documents than the original.',
  );
  return isSame;
}

function areEqual(one: Counts, other: Counts): boolean {
  return one.size === other.size && [...one].every(([name, count]) => other.get(name) === count);
}

/** Runs `admin verify` on the copy. @returns whether its books are sound. */
async function verify(settings: NodeJS.ProcessEnv): Promise<boolean> {
  // No queue is asked.
  const env = { ...process.env, REDIS_URL: 'redis://127.0.0.1:1', ...settings };
  const { stdout, isDone } = await execute(process.execPath, [ADMIN_ENTRY, 'verify'], env, false);
  say(stdout.trimEnd());
  say(isDone ? 'The books of the copy are sound.' : 'The books of the copy are not sound.');
  return isDone;
}

/** @throws Error with what the program said last, unless its exit code is part of its answer. */
async function execute(command: string, args: readonly string[], env = process.env, throws = true) {
  const limits = { timeout: STEP_MAX_MS, maxBuffer: PRINTED_BYTES_MAX };
  try {
    const { stdout } = await promisify(execFile)(command, args, { env, ...limits });
    return { stdout, isDone: true };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    if (throws) throw new Error(`${command} failed: ${stderr.trim().split('\n').at(-1) ?? ''}`, { cause: error });
    return { stdout: stdout + stderr, isDone: false };
  }
}
