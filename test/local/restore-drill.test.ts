import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Child } from '../../local/child.ts';
import { openDataFolder } from '../../local/data-folder.ts';
import { startEngineProcess, type EngineReady } from '../../local/engine-process.ts';
import { withDatabase } from '../support/database.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const root = join(import.meta.dirname, '../..');
const masterKeys = `1:${Buffer.alloc(32, 7).toString('base64')}`;
const stopTimeoutMs = 10_000;

let parent: string;
let data: string;
let engine: Child<EngineReady>;
let service: RunningService;

/** The books of a service: at work on an engine, and as the data of a local stack that was stopped. */
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'test-restore-drill-'));
  data = join(parent, 'data');
  const folder = await openDataFolder(data);
  await folder.writeJson('master-keys.json', { masterKeys });
  await mkdir(folder.file('mongodb-embedded'));
  const file = join(parent, 'data.sqlite');
  engine = await startEngineProcess({ port: 0, file, exitsWithParent: true, onLine: () => undefined });
  const { uri, port } = await engine.ready;
  service = await startService({ mongodbUri: withDatabase(uri, 'transfers'), env: { MASTER_KEYS: masterKeys } });
  await (await createWorkspace(service)).wallet('10');
  const client = await MongoClient.connect(uri);
  await waitFor(async () => (await client.db('transfers').collection('flows').countDocuments()) === 2);
  await client.close();
  await engine.stop(stopTimeoutMs);
  await copyFile(file, folder.file('mongodb-embedded/data.sqlite'));
  engine = await startEngineProcess({ port, file, exitsWithParent: true, onLine: () => undefined });
  await engine.ready;
});
afterAll(async () => {
  await service.stop();
  await engine.stop(stopTimeoutMs);
  await rm(parent, { recursive: true });
});

async function drill(args: readonly string[], env: NodeJS.ProcessEnv) {
  const given = { ...process.env, MONGODB_URI: '', MASTER_KEYS: '', ...env };
  return promisify(execFile)(process.execPath, [join(root, 'local/restore-drill.ts'), ...args], { env: given }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
}

describe('the restore drill of a local stack’s data', () => {
  it('starts the engine on a copy, with as many documents, and verifies its books', async () => {
    const { code, stdout, stderr } = await drill(['--data', data], {});
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ {2}wallets: \d+$/m);
    expect(stdout).toMatch(/^ {2}flows: 2$/m);
    expect(stdout).toContain('Every collection has as many documents in the copy.');
    expect(stdout).toContain('The books of the copy are sound.');
  });

  it('says so where there is nothing to restore', async () => {
    const { code, stderr } = await drill(['--data', join(parent, 'empty')], {});
    expect(code).toBe(1);
    expect(stderr).toContain('has no data of the embedded engine');
  });
});

/** Stand for MongoDB's tools, with the arguments that these take: they keep the address in a file, and one database in another. */
const dumpProgram = `
import { readFile, writeFile } from 'node:fs/promises';
import { MongoClient, BSON } from '${import.meta.resolve('mongodb')}';
const given = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, '').split(/=(.*)/s)));
const uri = JSON.parse((await readFile(given.config, 'utf8')).replace('uri: ', ''));
const client = await MongoClient.connect(uri);
if (given.db !== undefined) {
  const db = client.db(given.db);
  const content = {};
  for (const { name } of await db.listCollections().toArray()) {
    const collection = db.collection(name);
    content[name] = { documents: await collection.find().toArray(), indexes: await collection.indexes() };
  }
  await writeFile(given.archive, BSON.serialize(content));
} else {
  const [from, to] = [given.nsFrom, given.nsTo].map((pattern) => pattern.replace('.*', ''));
  if (given.nsInclude !== from + '.*' || given.bypassDocumentValidation !== undefined) process.exit(3);
  const content = BSON.deserialize(await readFile(given.archive), { promoteValues: false });
  for (const [name, { documents, indexes }] of Object.entries(content)) {
    const kept = process.env.LOSES === name ? documents.slice(1) : documents;
    const collection = await client.db(to).createCollection(name);
    if (kept.length > 0) await collection.insertMany(kept);
    const built = indexes.filter((index) => index.name !== '_id_');
    if (built.length > 0) await client.db(to).command({ createIndexes: name, indexes: built });
  }
}
await client.close();
`;

describe('the restore drill of a server', () => {
  it('says plainly that the tools are missing, and tries nothing', async () => {
    const { code, stderr, stdout } = await drill([], { MONGODB_URI: 'mongodb://127.0.0.1:1/transfers', PATH: parent });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('mongodump and mongorestore are not on the PATH');
    expect(stderr).toContain('nothing was tried');
  });

  it('dumps, restores beside it, verifies and drops that again; and tells a dump that lost something', async () => {
    const programs = join(parent, 'programs');
    await mkdir(programs);
    await writeFile(join(programs, 'tool.mjs'), dumpProgram);
    for (const name of ['mongodump', 'mongorestore']) {
      const text = `#!/bin/sh\nexec "${process.execPath}" "${join(programs, 'tool.mjs')}" "$@"\n`;
      await writeFile(join(programs, name), text);
      await chmod(join(programs, name), 0o755);
    }
    const env = { MONGODB_URI: service.mongodbUri, MASTER_KEYS: masterKeys, PATH: `${programs}:/usr/bin:/bin` };
    const whole = await drill([], env);
    expect([whole.code, whole.stderr]).toEqual([0, '']);
    expect(whole.stdout).toContain('The books of the copy are sound.');
    // It would refuse if the first had left its database.
    const lost = await drill([], { ...env, LOSES: 'flows' });
    expect(lost.code).toBe(1);
    expect(lost.stdout).toContain('  flows: 2, in the copy 1');
    expect(lost.stdout).toContain('The books of the copy are not sound.');

    const client = await MongoClient.connect(service.mongodbUri);
    const somebodys = client.db('transfers_restore_drill').collection('somebodys');
    await somebodys.insertOne({});
    const refused = await drill([], env);
    expect([refused.code, await somebodys.countDocuments()]).toEqual([1, 1]);
    expect(refused.stderr).toContain('the database transfers_restore_drill exists');
    await client.db('transfers_restore_drill').dropDatabase();
    await client.close();
  });
});
