import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, MongoNetworkError } from 'mongodb';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { startEngine } from '../src/engine.ts';
import { openWireClient } from './replay/wire-client.ts';

const disk = vi.hoisted(() => ({ isFailing: false }));
vi.mock(import('node:fs'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    fdatasyncSync(file: number) {
      if (disk.isFailing) throw new Error('input/output error');
      original.fdatasyncSync(file);
    },
  };
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'disk-failure-'));
});
afterEach(async () => {
  disk.isFailing = false;
  await rm(folder, { recursive: true });
});

it('whose disk fails answers nothing any more, and says why; what it had written may be there', async () => {
  const engine = await startEngine({ file: join(folder, 'data') });
  const client = await MongoClient.connect(engine.uri, { retryWrites: false });
  const orders = client.db('d').collection<{ _id: number }>('orders');
  await orders.insertOne({ _id: 1 });
  disk.isFailing = true;
  await expect(orders.insertOne({ _id: 2 })).rejects.toThrow(MongoNetworkError);
  expect(await engine.failed).toMatchObject({ message: 'the data file failed: input/output error' });
  disk.isFailing = false;
  const wire = await openWireClient('127.0.0.1', engine.port);
  expect(await wire.send({ ping: 1, $db: 'd' })).toBe('closed');
  await wire.close();
  await client.close();
  await engine.close();

  const next = await startEngine({ file: join(folder, 'data') });
  const after = await MongoClient.connect(next.uri);
  expect(await after.db('d').collection('orders').countDocuments()).toBe(2);
  await after.close();
  await next.close();
});

it('that may write no more ends with 1; a start with room again finds all that was acknowledged', async () => {
  const entry = join(import.meta.dirname, '../src/main.ts');
  const start = async (fileKib: string) => {
    const command = `ulimit -f ${fileKib}; exec "$0" "$@"`;
    const args = ['-c', command, process.execPath, entry, '--file', join(folder, 'data')];
    const child = spawn('bash', args, { stdio: ['pipe', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, uri: (JSON.parse(line) as { uri: string }).uri, errors: () => errors };
  };
  const small = await start('12000');
  const exited = once(small.child, 'close');
  const client = await MongoClient.connect(small.uri, { retryWrites: false, serverSelectionTimeoutMS: 1_000 });
  const orders = client.db('d').collection<{ _id: number; padding: Buffer }>('orders');
  let acknowledged = 0;
  const insertUntilItFails = async (): Promise<void> => {
    for (;;) {
      await orders.insertOne({ _id: acknowledged, padding: Buffer.alloc(100_000) });
      acknowledged += 1;
    }
  };
  await expect(insertUntilItFails()).rejects.toThrow(MongoNetworkError);
  await client.close();
  expect(await exited).toEqual([1, null]);
  expect(small.errors()).toMatch(/^embedded MongoDB ends: the data file failed: .+\n$/);
  expect(acknowledged).toBeGreaterThan(50);

  const large = await start('unlimited');
  const after = await MongoClient.connect(large.uri);
  const found = await after.db('d').collection('orders').countDocuments();
  await after.close();
  expect([acknowledged, acknowledged + 1]).toContain(found);
});
