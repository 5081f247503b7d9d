import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { bodyOf, stopReading } from './received-body.ts';

/** The most unanswered requests of one connection; beyond it the connection is closed. HTTP/2 suggests the same number. */
export const unansweredMax = 100;
/** The most memory that the waiting requests of one connection may take; a hundred usual ones take half of it. */
export const waitingBytesMax = 512 * 1024;
/** About what Node keeps for a header's name or its value, besides the text. */
export const headerTextBytes = 64;

/** When a connection is given up, in milliseconds; named as Node names its own times. */
export interface TakeTimes {
  /** How long a client may take to receive an answer that is ready. A little more may pass until that is noticed. */
  readonly takeTimeout: number;
  /** How often connections are checked. */
  readonly takeCheckingInterval: number;
}

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/**
 * The requests of a connection that are not answered yet. It is idle without a current request; else one is handled, others may
 * wait, and a refusal, which ends the connection, follows the last of them.
 */
interface Unanswered {
  /** The request that is being handled. */
  current: Exchange | undefined;
  /** When the current answer was first seen to be ready but not received. */
  readySince: number | undefined;
  readonly waiting: Exchange[];
  /** What ends the connection once all of these are answered. */
  refusal: (() => void) | undefined;
}

/**
 * Limits what one connection can cost, whatever its client sends, and however little it reads.
 *
 * Node parses all requests of a packet before it checks whether the client reads the answers: one packet of 64 KiB is some
 * 1,700 requests, and as many answers in memory. Here a connection's requests are handled one at a time: the next one
 * begins once the answer before it has been handed to the system in whole. They would be answered in this order anyway.
 *
 * If a client does not read an answer, its connection is closed. Node's own time-out of a socket would not do. It covers
 * slow sending too, so it would have to be longer than a body may take; and a client that reads a byte now and then would
 * never reach it.
 */
export function limitConnections(handler: RequestListener, { takeTimeout, takeCheckingInterval }: TakeTimes) {
  const bySocket = new Map<Duplex, Unanswered>();

  function begin(unanswered: Unanswered, exchange: Exchange): void {
    const { req, res } = exchange;
    unanswered.current = exchange;
    unanswered.readySince = undefined;
    handler(req, res);
    // Added last, so that other listeners hear of the end of this request before the next one begins.
    res.on('close', () => {
      unanswered.current = undefined;
      bodyOf(req)?.release();
      // If this answer was the connection's last, requests that came after it are not handled.
      const next = req.socket.writable ? unanswered.waiting.shift() : undefined;
      if (next !== undefined) begin(unanswered, next);
      else unanswered.refusal?.();
    });
  }

  /** Closes the connections whose clients have not read an answer in time. */
  function closeUnread(): void {
    const now = performance.now();
    for (const [socket, unanswered] of bySocket) {
      if (unanswered.current?.res.writableEnded !== true) continue;
      unanswered.readySince ??= now;
      if (now - unanswered.readySince >= takeTimeout) socket.destroy();
    }
  }

  const checking = setInterval(closeUnread, takeCheckingInterval).unref();

  return {
    /** Call it for each new connection. */
    open(socket: Duplex): void {
      const unanswered: Unanswered = { current: undefined, readySince: undefined, waiting: [], refusal: undefined };
      bySocket.set(socket, unanswered);
      socket.once('close', () => {
        bySocket.delete(socket);
        for (const { req } of [unanswered.current, ...unanswered.waiting].filter((each) => each !== undefined)) {
          bodyOf(req)?.release();
        }
      });
    },
    /** Handles a request once those before it are answered. */
    handle(req: IncomingMessage, res: ServerResponse): void {
      const unanswered = bySocket.get(req.socket);
      // After a connection is closed, or its last answer given, Node still parses the rest of its packet.
      if (unanswered === undefined || unanswered.refusal !== undefined || !req.socket.writable) return;
      if (unanswered.current === undefined) begin(unanswered, { req, res });
      else if (mayWait(req, unanswered.waiting)) unanswered.waiting.push({ req, res });
      else req.socket.destroy();
    },
    /** Refuses what is no request, or came too late, once the requests before it are answered. Then the connection ends. */
    refuse(socket: Duplex, answer: () => void): void {
      stopReading(socket);
      const unanswered = bySocket.get(socket);
      // The fault is in the request that was parsed last or, if that is complete, in what follows it.
      const last = unanswered?.waiting.at(-1) ?? unanswered?.current;
      const isOfLast = last !== undefined && !last.req.complete && !last.res.headersSent;
      if (unanswered === undefined || last === undefined || (isOfLast && last === unanswered.current)) {
        answer();
        return;
      }
      if (isOfLast) unanswered.waiting.pop();
      // Not at once, or the client would take it for the answer to an earlier request, which may be moving money.
      unanswered.refusal ??= answer;
    },
    /** Stops checking the connections. */
    close: (): void => {
      clearInterval(checking);
    },
  };
}

function mayWait(another: IncomingMessage, waiting: readonly Exchange[]): boolean {
  const bytes = waiting.reduce((sum, { req }) => sum + bytesOf(req), bytesOf(another));
  return waiting.length + 1 < unansweredMax && bytes <= waitingBytesMax;
}

/** What a waiting request takes. Many small headers take ten times the bytes that were sent. */
function bytesOf(req: IncomingMessage): number {
  const { url = '', rawHeaders } = req;
  const bodyBytes = bodyOf(req)?.heldBytes ?? 0;
  return rawHeaders.reduce((sum, text) => sum + headerTextBytes + text.length, url.length + bodyBytes);
}
