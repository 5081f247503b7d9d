import { Long, UUID, type Document } from 'bson';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEngine, type RunningEngine } from '../src/engine.ts';
import { openWireClient, type WireClient } from './replay/wire-client.ts';

// What a server up to 5.0 answers if a driver repeats an insert. Later ones tell the truth, so this is the engine's alone.
let engine: RunningEngine;
let client: WireClient;
let number = 0;
const lsid = { id: new UUID() };

beforeAll(async () => {
  engine = await startEngine();
  client = await openWireClient('127.0.0.1', engine.port);
});
afterAll(async () => {
  await client.close();
  await engine.close();
});

const insert = async (ids: readonly number[], txnNumber: number): Promise<Document> => {
  const documents = ids.map((_id) => ({ _id }));
  const ordered = false;
  const answer = await client.send({
    insert: 'c',
    documents,
    ordered,
    lsid,
    txnNumber: Long.fromInt(txnNumber),
    $db: 't',
  });
  if (typeof answer === 'string') throw new Error(`no answer: ${answer}`);
  const { n, writeErrors = [] } = answer.document as { n: unknown; writeErrors?: { index: unknown; code: unknown }[] };
  return { n: Number(n), duplicates: writeErrors.map(({ index, code }) => [Number(index), Number(code)]) };
};
const duplicateAt = (index: number) => [index, 11_000];

it('a duplicate before a document that was inserted is not told of', async () => {
  await insert([1], ++number);
  expect(await insert([1, 2], ++number)).toEqual({ n: 1, duplicates: [duplicateAt(0)] });
  expect(await insert([1, 2], number)).toEqual({ n: 1, duplicates: [] });
});

it('a duplicate behind one is told of at the place of its result', async () => {
  await insert([10, 12], ++number);
  expect(await insert([10, 11, 12], ++number)).toEqual({ n: 1, duplicates: [duplicateAt(0), duplicateAt(2)] });
  expect(await insert([10, 11, 12], number)).toEqual({ n: 1, duplicates: [duplicateAt(1), duplicateAt(2)] });
});
