import { once } from 'node:events';
import { createServer, STATUS_CODES, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { systemClock, type Clock } from '../clock.ts';
import { catalogue, ServiceError, type ErrorName } from '../errors.ts';
import { limitConnections, type TakeTimes } from './connections.ts';
import { errorEnvelope, failureHeaders } from './envelope.ts';
import { createBodyRoom, receiveBody } from './received-body.ts';

/**
 * How long a client may take for its headers, for a whole request, and to receive the answer, so that a slow one cannot hold
 * a connection for ever. In milliseconds, with Node's names or similar ones.
 */
interface RequestTimes extends TakeTimes {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** How often Node looks. */
  readonly connectionsCheckingInterval: number;
  /** How long a refused client has to read why. */
  readonly lingerMs: number;
}

const usualTimes: RequestTimes = {
  takeTimeout: 20_000,
  takeCheckingInterval: 2_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2_000,
  lingerMs: 1_000,
};
/** For how long an idle connection is kept where nothing else is said. */
const usualKeepAliveMs = 65_000;
const headerBytesMax = 16 * 1024;
/** Longer than an answer may wait for its order to become terminal, shorter than a process has to stop. */
const drainTimeoutMs = 12_000;
const idleLookEveryMs = 50;

export interface RunningServer {
  readonly port: number;
  /** Stops listening, lets requests under way end, then closes what is left after {@link drainTimeoutMs}. */
  close(): Promise<void>;
}

interface ListenOptions {
  readonly times?: RequestTimes;
  readonly clock?: Clock;
  /** The greatest size of a request's body in bytes; the usual one, if undefined. Asked when the headers are there. */
  readonly bodyBytesMax?: (req: IncomingMessage) => number | undefined;
  /**
   * For how long an idle connection is kept. Longer than a proxy keeps it, so that the proxy closes it first: a request that
   * meets the end of its connection is lost, and a proxy does not repeat a POST.
   */
  readonly keepAliveMs?: number;
}

/**
 * Listens on a port; 0 takes any free one.
 * @throws Error naming the address that cannot be listened on, and why.
 */
export async function listen(
  handler: RequestListener,
  host: string,
  port: number,
  { times = usualTimes, clock = systemClock, bodyBytesMax, keepAliveMs = usualKeepAliveMs }: ListenOptions = {},
): Promise<RunningServer> {
  const connections = limitConnections(handler, times);
  const room = createBodyRoom();
  const handle: RequestListener = (req, res) => {
    // Node's parser drops what follows such a request in its packet. The connection must end, or the client would take a
    // later answer for the answer to what was dropped.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    receiveBody(req, res, room, bodyBytesMax?.(req));
    connections.handle(req, res);
  };
  const server = createServer(
    {
      ...times,
      keepAliveTimeout: keepAliveMs,
      maxHeaderSize: headerBytesMax,
      // Node would answer a missing host (and, below, an unknown expectation) by itself, without the envelope.
      requireHostHeader: false,
      // Nearly all reads have no body: no stream is opened, drained and closed for them.
      optimizeEmptyRequests: true,
    },
    handle,
  );
  server.on('connection', (socket) => {
    connections.open(socket);
  });
  server.on('checkExpectation', handle);
  // Node would tell every client to send its body. Here that is done when the body is read.
  server.on('checkContinue', handle);
  // No limit, because Node would silently drop headers after the thousandth. Their bytes are limited.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else
      connections.refuse(socket, () => {
        answerClientError(error, socket, clock(), times.lingerMs);
      });
  });
  // Node would cut the connection, and with it the answers to earlier requests.
  server.on('connect', (_req, socket) => {
    // Node has let go of the socket: an unhandled error would end the process.
    socket.on('error', () => socket.destroy());
    connections.refuse(socket, () => {
      answerClientError(new Error('no tunnel is opened here'), socket, clock(), times.lingerMs);
    });
  });
  server.listen(port, host);
  await once(server, 'listening').catch((cause: unknown) => {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'the port is taken' : message;
    throw new Error(`cannot listen on ${host}:${port}: ${reason}`, { cause });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      close(server).finally(() => {
        connections.close();
      }),
  };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection whose last request began before the drain stays open after its answer. Only then is it idle.
  const looking = setInterval(() => {
    server.closeIdleConnections();
  }, idleLookEveryMs);
  const timer = setTimeout(() => {
    server.closeAllConnections();
  }, drainTimeoutMs);
  await closed;
  clearInterval(looking);
  clearTimeout(timer);
}

const requestTimedOut = 'ERR_HTTP_REQUEST_TIMEOUT';
const reasons: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  [requestTimedOut]: 'REQUEST_TOO_LATE',
};

/**
 * Answers, in the envelope, what the parser refused, and a request that came too late. A handler that still reads the body of
 * a late one learns that the connection is gone.
 */
function answerClientError(error: NodeJS.ErrnoException, socket: Duplex, now: Date, lingerMs: number): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = new ServiceError(reasons[error.code ?? ''] ?? 'REQUEST_MALFORMED', { cause: error });
  const { status } = catalogue[refusal.errorName];
  const body = JSON.stringify(errorEnvelope(refusal, undefined, now));
  const answer = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(failureHeaders(refusal)).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ];
  socket.end(answer.join('\r\n'), () => {
    if (error.code === requestTimedOut) socket.destroy();
    else setTimeout(() => socket.destroy(), lingerMs).unref();
  });
}
