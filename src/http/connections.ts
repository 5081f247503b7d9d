import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Requests of one connection without a whole answer. Who sends more loses the connection; HTTP/2 names the same number. */
export const unansweredMax = 100;
/** In this time a client has to take an answer that is ready; a bit more may pass until it is seen that it did not. */
const takeTimeoutMs = 20_000;
const lookEveryMs = 2_000;

/** After which time a connection is given up, in milliseconds; named as Node names its own. */
export interface TakeTimes {
  readonly takeTimeout: number;
  /** How often it is looked. */
  readonly takeCheckingInterval: number;
}

export const usualTakeTimes: TakeTimes = { takeTimeout: takeTimeoutMs, takeCheckingInterval: lookEveryMs };

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** What a connection's client has asked and not been answered. */
interface Unanswered {
  /** Undefined while nothing is asked. */
  current: Exchange | undefined;
  /** When the current answer was first seen ready, and not taken. */
  readySince: number | undefined;
  readonly waiting: Exchange[];
  /** What ends the connection once all of these are answered. */
  refusal: (() => void) | undefined;
}

/**
 * Keeps what one connection can cost within bounds, whatever its client sends, and however little it reads.
 *
 * Node parses all requests of a packet before it looks whether anybody takes the answers: one packet of 64 KiB is some 1,700
 * requests, and as many answers in memory. Here a connection's requests are handled one at a time, the next one once the
 * answer before it has been handed to the system in whole. They would be answered in this order anyway.
 *
 * A client that does not take an answer loses the connection. Node's own time-out of a socket counts what is sent late as
 * much as what is taken late, so it would have to be longer than a body may take; and a client that takes a byte now and
 * then would never meet it.
 */
export function limitConnections(handler: RequestListener, times: TakeTimes) {
  const bySocket = new Map<Duplex, Unanswered>();

  function begin(unanswered: Unanswered, exchange: Exchange): void {
    const { req, res } = exchange;
    unanswered.current = exchange;
    unanswered.readySince = undefined;
    handler(req, res);
    // Last, so that whoever else is told knows of its end before the next begins.
    res.on('close', () => {
      unanswered.current = undefined;
      // An answer may have been the connection's last: nothing that came after it is handled any more.
      const next = req.socket.writable ? unanswered.waiting.shift() : undefined;
      if (next !== undefined) begin(unanswered, next);
      else unanswered.refusal?.();
    });
  }

  const looking = setInterval(() => {
    const now = performance.now();
    for (const [socket, unanswered] of bySocket) {
      if (unanswered.current?.res.writableEnded !== true) continue;
      unanswered.readySince ??= now;
      if (now - unanswered.readySince >= times.takeTimeout) socket.destroy();
    }
  }, times.takeCheckingInterval).unref();

  return {
    /** To be told of each new connection. */
    open: (socket: Duplex): void => {
      bySocket.set(socket, { current: undefined, readySince: undefined, waiting: [], refusal: undefined });
      socket.once('close', () => bySocket.delete(socket));
    },
    /** Handles a request when its turn comes. */
    handle: (req: IncomingMessage, res: ServerResponse): void => {
      const unanswered = bySocket.get(req.socket);
      // Of a packet that was too much the rest is still parsed.
      if (unanswered === undefined || unanswered.refusal !== undefined || req.socket.destroyed) return;
      if (unanswered.current === undefined) begin(unanswered, { req, res });
      else if (unanswered.waiting.length + 1 < unansweredMax) unanswered.waiting.push({ req, res });
      else req.socket.destroy();
    },
    /** Answers what cannot be handled as a request, or no longer, when its turn comes; the connection ends with that. */
    refuse: (socket: Duplex, answer: () => void): void => {
      const unanswered = bySocket.get(socket);
      // What is broken or late is the request that was parsed last; or, where that is whole, what follows it.
      const last = unanswered?.waiting.at(-1) ?? unanswered?.current;
      const isOfLast = last !== undefined && !last.req.complete && !last.res.headersSent;
      if (unanswered === undefined || last === undefined || (isOfLast && last === unanswered.current)) {
        answer();
        return;
      }
      if (isOfLast) unanswered.waiting.pop();
      // At once, the client would take it for the answer to an earlier request, which may be moving money.
      unanswered.refusal ??= answer;
    },
    /** Stops looking at the connections. */
    close: (): void => {
      clearInterval(looking);
    },
  };
}
