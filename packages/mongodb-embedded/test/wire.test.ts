import { Double, Int32, ObjectId, serialize } from 'bson';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crc32c } from '../src/wire/crc32c.ts';
import { openWireClient } from './replay/wire-client.ts';
import { openTestServer, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const int32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeInt32LE(value | 0, at * 4);
  return bytes;
};
const message = (body: Uint8Array, kind = 2013): Buffer => Buffer.concat([int32(body.length + 16, 1, 0, kind), body]);
const ping = Buffer.concat([Buffer.alloc(1), serialize({ ping: 1, $db: 'admin' })]);
/** Sends raw bytes: the first bytes that come back, or undefined if the server closes the connection instead. */
async function exchange(...bytes: Uint8Array[]): Promise<Buffer | undefined> {
  const socket = connect({ host: server.host, port: server.port });
  await once(socket, 'connect');
  const answer = Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [undefined])]);
  for (const part of bytes) socket.write(part);
  const [data] = (await answer) as [Buffer | undefined];
  socket.destroy();
  return data;
}

describe('the handshake', () => {
  const ask = async (command: object) => {
    const client = await openWireClient(server.host, server.port);
    const answer = await client.send({ ...command, $db: 'admin' });
    await client.close();
    return (answer as { document: Record<string, unknown> }).document;
  };

  it('is that of a primary, by either name', async () => {
    const hello = await ask({ hello: 1 });
    expect(hello).toMatchObject({ isWritablePrimary: true, secondary: false });
    expect(hello).not.toHaveProperty('ismaster');
    expect(Number(hello['maxWireVersion'])).toBeGreaterThanOrEqual(9);
    expect(await ask({ isMaster: 1 })).toMatchObject({ ismaster: true, maxWireVersion: hello['maxWireVersion'] });
  });

  it('says that hello is known to whoever asks', async () => {
    expect(await ask({ isMaster: 1, helloOk: true })).toMatchObject({ helloOk: true });
    expect(await ask({ isMaster: 1 })).not.toHaveProperty('helloOk');
  });
});

describe('the wire protocol', () => {
  it('knows the check value of CRC-32C', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  });

  it('accepts a right checksum and closes on a wrong one', async () => {
    const body = Buffer.concat([int32(1), ping, int32(0)]);
    const whole = message(body);
    whole.writeUInt32LE(crc32c(whole.subarray(0, whole.length - 4)), whole.length - 4);
    expect(await exchange(whole)).toBeDefined();
    whole[whole.length - 1] = (whole[whole.length - 1] ?? 0) ^ 1;
    expect(await exchange(whole)).toBeUndefined();
  });

  it('takes a message in pieces, and several at once', async () => {
    const whole = message(Buffer.concat([int32(0), ping]));
    expect(await exchange(whole.subarray(0, 3), whole.subarray(3, 20), whole.subarray(20))).toBeDefined();
    expect(await exchange(Buffer.concat([whole, whole, whole]))).toBeDefined();
  });

  it('stores documents as they came, in a body or in a section, whatever their fields are called', async () => {
    const nested = { documents: [{ a: new Int32(1) }, [{ b: 'two' }]], insert: 'documents' };
    const client = await openWireClient(server.host, server.port);
    const $db = `wire_${new ObjectId().toHexString()}`;
    const insert = { insert: 'documents', $db };
    await client.send({ ...insert, documents: [{ _id: 'body', nested, ...nested }] });
    await client.send(insert, { sequences: { documents: [{ _id: 'section', nested, ...nested }] } });
    expect(await client.send({ ...insert, documents: [['no document']] })).toMatchObject({
      document: { ok: new Double(0) },
    });
    const found = await client.send({ find: 'documents', sort: { _id: 1 }, $db });
    const firstBatch = [
      { _id: 'body', nested, ...nested },
      { _id: 'section', nested, ...nested },
    ];
    expect(found).toMatchObject({ document: { cursor: { firstBatch } } });
    await client.send({ dropDatabase: 1, $db });
    await client.close();
  });

  it.each([
    ['too long a message', int32(100_000_000, 1, 0, 2013)],
    ['too short a message', int32(3, 1, 0, 2013)],
    ['an unknown kind of message', message(Buffer.alloc(8), 4711)],
    ['an unknown flag that is required', message(Buffer.concat([int32(4), ping]))],
    ['a body that is no document', message(Buffer.concat([int32(0), Buffer.alloc(1), int32(9, 9, 9)]))],
    ['a section beyond the message', message(Buffer.concat([int32(0), Buffer.of(1), int32(999), Buffer.from('x\0')]))],
  ])('closes the connection on %s, and no other', async (_what, bytes) => {
    const neighbour = await openWireClient(server.host, server.port);
    expect(await exchange(bytes)).toBeUndefined();
    expect(await neighbour.send({ ping: 1, $db: 'admin' })).toMatchObject({ opcode: 2013 });
    await neighbour.close();
  });
});
