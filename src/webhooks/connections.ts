import { Agent as HttpAgent, type Agent, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';

/** What a receiver may send from one request to the next, as it comes on the wire: TLS, interim answers and framing too. */
export const answerBytesMax = 65_536;
/** In how many pieces it may come: reads, interim answers and chunks of the body. Each costs time. */
export const answerPiecesMax = 512;
/** Bytes that TLS keeps to itself come as no piece, so the bytes of a connection are also counted this often. */
const countEveryMs = 50;
/** Idle connections that are kept for one receiver. Those in use are limited by how much is sent at once. */
const idleSocketsMax = 16;
const socketIdleMs = 15_000;

export type Connections = ReturnType<typeof openConnections>;

/** The receiver sent more, or in more pieces, than an answer may have. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** What a receiver has sent since the last request on its connection. */
interface Meter {
  /** Begins with a request. */
  begin(): void;
  /** Counts a piece that is not a read. */
  piece(): void;
  /** Whether anything was heard since. */
  isHeard(): boolean;
}

interface ConnectionOptions {
  /** Whether they are kept for further requests. */
  readonly keepAlive: boolean;
  readonly ca: string | undefined;
}

/**
 * Connections to receivers. One on which a receiver sends more than {@link answerBytesMax} or {@link answerPiecesMax}, for a
 * request or while it is idle, is closed.
 */
export function openConnections({ keepAlive, ca }: ConnectionOptions) {
  const meters = new Map<Duplex, Meter & { check(): void }>();
  // No limit for all receivers together, or hanging ones would use it up, and requests to the others would wait for a socket.
  const options = { keepAlive, maxFreeSockets: idleSocketsMax, timeout: socketIdleMs };
  const http = new HttpAgent(options);
  const https = new HttpsAgent({ ...options, ...(ca === undefined ? {} : { ca }) });

  function watch(socket: Duplex, wire: Socket): void {
    meters.set(socket, createMeter(socket, wire));
    socket.once('close', () => meters.delete(socket));
  }
  http.createConnection = (given) => {
    const wire = connect(given as TcpNetConnectOpts);
    watch(wire, wire);
    return wire;
  };
  const createTls = https.createConnection.bind(https) as (given: object) => Duplex;
  https.createConnection = (given) => {
    const wire = connect(given as TcpNetConnectOpts);
    const socket = createTls({ ...given, socket: wire });
    watch(socket, wire);
    return socket;
  };
  const counting = setInterval(() => {
    for (const meter of meters.values()) meter.check();
  }, countEveryMs).unref();

  return {
    agentFor: ({ protocol }: URL): Agent => (protocol === 'https:' ? https : http),
    /** Counts for a request from when it has a connection. @returns what was heard; undefined before that. */
    meterFor(request: ClientRequest): () => Meter | undefined {
      let meter: Meter | undefined;
      request.once('socket', (socket) => {
        meter = meters.get(socket);
        meter?.begin();
      });
      request.on('information', () => meter?.piece());
      return () => meter;
    },
    close(): void {
      clearInterval(counting);
      http.destroy();
      https.destroy();
    },
  };
}

/** @param wire the connection under TLS; without TLS the same. */
function createMeter(socket: Duplex, wire: Socket): Meter & { check(): void } {
  let isHeard = false;
  let bytesBefore = 0;
  let pieces = 0;
  function check(): void {
    if (socket.destroyed) return;
    if (pieces <= answerPiecesMax && wire.bytesRead - bytesBefore <= answerBytesMax) return;
    socket.destroy(new AnswerTooLarge());
  }
  function piece(): void {
    pieces += 1;
    check();
  }
  socket.on('data', () => {
    isHeard = true;
    piece();
  });
  return {
    begin(): void {
      bytesBefore = wire.bytesRead;
      pieces = 0;
      isHeard = false;
    },
    piece,
    check,
    isHeard: () => isHeard,
  };
}
