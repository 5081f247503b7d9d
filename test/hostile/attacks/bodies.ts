import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { host, type Attack, type RunningAttack, type Strength, type Target } from '../attack.ts';

interface Flood {
  readonly port: number;
  /** Of one request, up to its body. */
  readonly head: () => string;
  /** What the body is made of, without end. */
  readonly piece: string;
  /** How many pieces are handed to the system at once: 1 makes a TCP segment of each. */
  readonly piecesAWrite: number;
  /** Open at a time; one that the service closes is opened again. */
  readonly connections: number;
  /** Of all connections together. */
  readonly bytesPerSecond: number;
  readonly seconds: number;
}

const turnMs = 1;
const reopenAfterMs = 20;
/** What a connection may have in hand that the system does not take yet. */
const unsentBytesMax = 64 * 1024;
const oneByteChunk = '1\r\n0\r\n';
const mib = 1024 * 1024;

export const tinyChunks: Attack = {
  name: 'tiny-chunks',
  what: 'signed-looking creates under a known key id, never ended, in chunks of one byte: 60 connections, 1.1 MiB a second',
  against: 'web',
  cpuMsPerMibMax: 500,
  start: (target, { seconds, share }) =>
    flood({
      ...{ port: target.webPort, head: () => createHead(target, 'Transfer-Encoding: chunked'), piece: oneByteChunk },
      ...{ piecesAWrite: 512, connections: 60, bytesPerSecond: 1.1 * mib * share, seconds },
    }),
};

export const chunkExtensions: Attack = {
  name: 'chunk-extensions',
  what: 'the same, each byte with a chunk extension of 15 kB: 60 connections, 8 MiB a second',
  against: 'web',
  cpuMsPerMibMax: 100,
  start: (target, { seconds, share }) =>
    flood({
      ...{ port: target.webPort, head: () => createHead(target, 'Transfer-Encoding: chunked') },
      piece: `1;${'x'.repeat(15_000)}\r\n0\r\n`,
      ...{ piecesAWrite: 1, connections: 60, bytesPerSecond: 8 * mib * share, seconds },
    }),
};

export const tinySegments: Attack = {
  name: 'tiny-segments',
  what: 'the same, without chunks, a byte a TCP segment: 60 connections, 10 KiB a second',
  against: 'web',
  start: (target, { seconds, share }) =>
    flood({
      ...{ port: target.webPort, head: () => createHead(target, `Content-Length: ${64 * 1024}`), piece: '0' },
      ...{ piecesAWrite: 1, connections: 60, bytesPerSecond: 10 * 1024 * share, seconds },
    }),
};

export const unreadBodies: Attack = {
  name: 'unread-bodies',
  what: 'bodies in chunks of one byte to a path outside /api/: 4 connections, 4 MiB a second',
  against: 'web',
  cpuMsPerMibMax: 200,
  start: ({ webPort }, strength) => floodOutside(webPort, 4 * mib, strength),
};

export const unreadBodiesOps: Attack = {
  name: 'unread-bodies-ops',
  what: "the same at a worker's operations port, as fast as they are taken",
  against: 'worker',
  cpuMsPerMibMax: 20,
  start: ({ workerOpsPort }, strength) => floodOutside(workerOpsPort, 64 * mib, strength),
};

function floodOutside(port: number, bytesPerSecond: number, { seconds, share }: Strength): RunningAttack {
  return flood({
    ...{ port, head: () => head('POST /nothing', 'Transfer-Encoding: chunked'), piece: oneByteChunk },
    ...{ piecesAWrite: 4_096, connections: 4, bytesPerSecond: bytesPerSecond * share, seconds },
  });
}

const createHead = ({ keyId }: Target, framing: string): string =>
  wronglySigned(keyId, '/api/v1/transfer/command/create', framing);

/** The head of a POST under a key's id, with a signature that is none. */
export function wronglySigned(keyId: string, path: string, ...headers: string[]): string {
  return head(
    ...[`POST ${path}`, `X-Api-Key: ${keyId}`, `X-Nonce: ${randomUUID()}`],
    ...[`X-Timestamp: ${Math.floor(Date.now() / 1000)}`, `X-Signature: ${'A'.repeat(43)}=`, ...headers],
  );
}

function head(methodAndPath: string, ...headers: string[]): string {
  return [`${methodAndPath} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, '\r\n'].join('\r\n');
}

function flood({ port, connections, ...made }: Flood): RunningAttack {
  const open = new Set<Socket>();
  const answered = new Set<Socket>();
  let isOver = false;
  let bytesOfClosed = 0;

  function openOne(): void {
    if (isOver) return;
    const socket = connect({ port, host, noDelay: true });
    open.add(socket);
    socket.write(made.head());
    socket.on('data', () => answered.add(socket)).on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      answered.delete(socket);
      bytesOfClosed += sentBy(socket);
      setTimeout(openOne, reopenAfterMs);
    });
  }

  async function send(): Promise<void> {
    const write = made.piece.repeat(made.piecesAWrite);
    const startedAt = performance.now();
    const secondsSo = (): number => (performance.now() - startedAt) / 1000;
    for (let index = 0; index < connections; index += 1) openOne();
    let taken = 0;
    while (secondsSo() < made.seconds) {
      // One round over the connections at most, so that one that takes nothing does not stop the clock.
      for (const socket of [...open]) {
        if (taken >= made.bytesPerSecond * secondsSo()) break;
        open.delete(socket);
        open.add(socket);
        if (!socket.writable || socket.writableLength > unsentBytesMax) continue;
        socket.write(write);
        taken += write.length;
      }
      await delay(turnMs);
    }
    isOver = true;
  }

  return {
    sent: send(),
    bytes: () => [...open].reduce((sum, socket) => sum + sentBy(socket), bytesOfClosed),
    owed: () => (answered.size === 0 ? [] : [`${answered.size} connections are open after their answer`]),
    stop() {
      isOver = true;
      for (const socket of open) socket.destroy();
    },
  };
}

function sentBy({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength;
}
