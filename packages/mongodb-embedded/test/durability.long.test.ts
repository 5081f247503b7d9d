import { deserialize, serialize } from 'bson';
import { Long, MongoClient, UUID, type Document } from 'mongodb';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spawnEngine, type EngineProcess } from './engine-process.ts';
import { openWireClient } from './replay/wire-client.ts';

// About the engine's file alone; a real server keeps its promises in its own way.
let folder: string;
let engine: EngineProcess | undefined;
let client: MongoClient | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-'));
});
afterEach(async () => {
  await client?.close();
  if (engine?.child.exitCode === null && engine.child.signalCode === null) await engine.end('SIGKILL');
  await rm(folder, { recursive: true });
});

const open = async (): Promise<MongoClient> => {
  await client?.close();
  engine = await spawnEngine(['--port', '0', '--file', join(folder, 'data')]);
  // A writer that finds the engine gone shall say so soon.
  client = await MongoClient.connect(engine.uri, { serverSelectionTimeoutMS: 2_000 });
  return client;
};
const crash = () => engine!.end('SIGKILL');
const newSession = () => ({ id: new UUID() });
/** Sends a command with session fields of our own, which a driver would replace by its own. */
const send = async (command: Document): Promise<Document> => {
  const wire = await openWireClient('127.0.0.1', engine!.port);
  const answer = await wire.send({ ...command, $db: (command['$db'] as string | undefined) ?? 'd' });
  await wire.close();
  if (typeof answer === 'string') throw new Error(`the connection is ${answer}`);
  return deserialize(serialize(answer.document));
};

describe('what was acknowledged survives kill -9', () => {
  it('documents, indexes and their options, transactions, and nothing of an open transaction', async () => {
    const before = await open();
    const orders = before.db('d').collection('orders');
    await orders.createIndexes([{ key: { number: 1 }, unique: true }, { key: { tags: 1 } }]);
    await orders.insertMany(Array.from({ length: 500 }, (_, number) => ({ number, tags: ['x', `t${number % 5}`] })));
    await before.withSession((session) =>
      session.withTransaction(async () => {
        await orders.updateMany({ number: { $lt: 10 } }, { $set: { done: true } }, { session });
        await orders.deleteOne({ number: 499 }, { session });
      }),
    );
    const open_ = before.startSession();
    open_.startTransaction();
    await orders.insertOne({ number: 1000 }, { session: open_ });
    await crash();

    const after = (await open()).db('d').collection('orders');
    expect(await after.countDocuments({})).toBe(499);
    expect(await after.estimatedDocumentCount()).toBe(499);
    expect(await after.countDocuments({ done: true })).toBe(10);
    expect(await after.countDocuments({ tags: 't3', number: { $gte: 100 } })).toBe(80);
    expect(await after.findOne({ number: 1000 })).toBeNull();
    await expect(after.insertOne({ number: 7 })).rejects.toMatchObject({ code: 11000 });
    await after.insertOne({ number: 499 });
    const { winningPlan } = (await after.find({ number: 7 }).explain())['queryPlanner'] as Document;
    expect((winningPlan as Document)['inputStage']).toMatchObject({ stage: 'IXSCAN', indexName: 'number_1' });
  });

  it('what a retry needs: results of retryable writes, and that a transaction was committed', async () => {
    await open();
    const [first, second, third] = [newSession(), newSession(), newSession()];
    await send({ insert: 'c', documents: [{ _id: 0, n: 0 }] });
    const insert = { insert: 'c', documents: [{ _id: 1 }, { _id: 2 }], lsid: first, txnNumber: Long.fromInt(1) };
    expect(await send(insert)).toMatchObject({ ok: 1 });
    const change = { query: { _id: 0 }, update: { $inc: { n: 1 } }, new: true };
    const modify = { findAndModify: 'c', ...change, lsid: second, txnNumber: Long.fromInt(1) };
    expect((await send(modify))['value']).toEqual({ _id: 0, n: 1 });
    const inTransaction = { lsid: third, txnNumber: Long.fromInt(4), autocommit: false };
    const updates = [{ q: { _id: 1 }, u: { $set: { t: 1 } } }];
    await send({ update: 'c', updates, startTransaction: true, ...inTransaction });
    expect(await send({ commitTransaction: 1, $db: 'admin', ...inTransaction })).toMatchObject({ ok: 1 });
    await crash();

    await open();
    expect(await send(insert)).toMatchObject({ n: 2, ok: 1 });
    expect((await send(modify))['value']).toEqual({ _id: 0, n: 1 });
    expect(await send({ commitTransaction: 1, $db: 'admin', ...inTransaction })).toMatchObject({ ok: 1 });
    expect(await send({ find: 'c', ...inTransaction })).toMatchObject({ code: 256 });
    const documents = await client!.db('d').collection<{ _id: number }>('c').find().sort({ _id: 1 }).toArray();
    expect(documents).toEqual([{ _id: 0, n: 1 }, { _id: 1, t: 1 }, { _id: 2 }]);
  });

  it('every acknowledged one of many concurrent writes, at whatever moment it dies', async () => {
    const writes = (await open()).db('d').collection<{ _id: number }>('writes');
    await writes.insertOne({ _id: -1 });
    const acknowledged: number[] = [];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; ; round++) {
        await writes.insertOne({ _id: writer * 1_000_000 + round });
        acknowledged.push(writer * 1_000_000 + round);
        if (acknowledged.length === 200) void crash();
      }
    });
    await Promise.allSettled(writers);
    const after = (await open()).db('d').collection<{ _id: number }>('writes');
    expect(acknowledged.length).toBeGreaterThanOrEqual(200);
    expect(await after.countDocuments({ _id: { $in: acknowledged } })).toBe(acknowledged.length);
  });
});

describe('the process', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends cleanly on %s', async (signal) => {
    await open();
    expect(await engine!.end(signal)).toBe(0);
  });

  it('ends with its parent if asked to', async () => {
    engine = await spawnEngine(['--exit-with-parent']);
    const exited = once(engine.child, 'exit');
    engine.child.stdin!.end();
    expect((await exited)[0]).toBe(0);
  });

  it('says in one line why it cannot start', async () => {
    await open();
    await expect(spawnEngine(['--port', String(engine!.port)])).rejects.toThrow(/^exit 1: [^\n]*EADDRINUSE[^\n]*\n$/);
    await expect(spawnEngine(['--file', join(folder, 'no', 'such', 'folder')])).rejects.toThrow(/^exit 1: [^\n]+\n$/);
    await expect(spawnEngine(['--file', join(folder, 'data')])).rejects.toThrow(/^exit 1: [^\n]*locked[^\n]*\n$/);
  });
});
