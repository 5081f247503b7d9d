import { createServer, type Socket, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitingBytesMax } from '../../src/http/connections.ts';
import { createChoices } from '../faults/harness/choices.ts';
import type { FuzzRequest } from './build.ts';
import { exchange } from './connection.ts';

const request: FuzzRequest = {
  ...{ number: 0, kind: 'valid', bytes: Buffer.from('GET /api HTTP/1.1\r\n\r\n'), nonce: 'a', isRight: () => true },
  ...{ isFramed: true, isHead: false, hasBody: false, isOutside: false, hasBound: false },
};
const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

/** What a client finds at a server that does this with each connection once it has read everything. */
async function exchangeWith(
  serve: (socket: Socket) => void,
  { requests = [request, request] }: { requests?: FuzzRequest[] } = {},
) {
  const expected = requests.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
      if (received === expected) serve(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { answers, problem } = await exchange(port, requests, {
    ...{ delivery: 'pipelined', held: [] },
    choices: createChoices(1),
  });
  return { answers: answers.length, problem };
}

describe('exchange', () => {
  it('finds a connection that is closed without an answer', async () => {
    expect(await exchangeWith((socket) => socket.end(answer))).toEqual({
      answers: 1,
      problem: 'the connection was closed without an answer',
    });
    expect((await exchangeWith((socket) => socket.resetAndDestroy())).problem).toBe(
      'the connection was closed without an answer',
    );
  });

  it('lets the service close a connection with an answer that says so, or that refuses a body', async () => {
    const last = answer
      .replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
      .replace('Connection: close', 'connection: close');
    expect((await exchangeWith((socket) => socket.end(last))).problem).toBeUndefined();
    const requests = [{ ...request, hasBody: true }, request];
    expect((await exchangeWith((socket) => socket.end(answer), { requests })).problem).toBeUndefined();
  });

  it('lets the service close a connection that has more waiting than is kept', async () => {
    const requests = [request, { ...request, bytes: Buffer.alloc(waitingBytesMax) }];
    expect((await exchangeWith((socket) => socket.destroy(), { requests })).problem).toBeUndefined();
  });

  it('finds an answer too many, and one that is cut off', async () => {
    expect((await exchangeWith((socket) => socket.end(answer.repeat(3)))).problem).toBe('more answers than requests');
    expect((await exchangeWith((socket) => socket.end(answer + answer.slice(0, -1)))).problem).toMatch('cut off');
  });
});
