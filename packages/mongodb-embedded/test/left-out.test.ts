import { MongoClient, MongoServerError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type RunningEngine } from '../src/engine.ts';
import { leftOut } from './left-out.ts';

// About the engine alone: a real server has most of these.
let engine: RunningEngine;
let client: MongoClient;
beforeAll(async () => {
  engine = await startEngine();
  client = await MongoClient.connect(engine.uri);
  await client.db('left_out').collection('c').insertOne({ a: 1 });
});
afterAll(async () => {
  await client.close();
  await engine.close();
});

describe('what the engine leaves out is refused, not answered wrongly', () => {
  it.each(leftOut)('$what: $reason', async ({ command, code }) => {
    const refused = client.db('left_out').command(command);
    await expect(refused).rejects.toBeInstanceOf(MongoServerError);
    await expect(refused).rejects.toMatchObject({ code });
  });
});
