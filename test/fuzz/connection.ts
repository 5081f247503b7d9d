import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { headerTextBytes, unansweredMax, waitingBytesMax } from '../../src/http/connections.ts';
import type { Choices } from '../faults/harness/choices.ts';
import { createAnswerReader, type Answer } from './answers.ts';
import type { FuzzRequest } from './build.ts';
import type { Delivery } from './plan.ts';

/** What became of the requests of one connection. */
export interface Exchanged {
  /** Answers that came, in their order. */
  answers: readonly Answer[];
  /** What was wrong with the connection, beside what its answers say. */
  problem: string | undefined;
}

/** Longer than any answer may take: one that waits for its order takes 14 s at most. */
const answerWithinMs = 20_000;
/** Of bytes of which nobody can tell whether more has to come: when nothing came for so long the client is at an end. */
const quietMs = 250;
const lingerMs = 1_000;
const byteEveryMs = 1;
const bytesSlowMax = 300;
const piecesMax = 12;

/** Connections that are not closed, of clients that do not read, or do not go on. */
export type Held = Socket[];

/**
 * Sends requests on a connection of their own and reads the answers. Bounded: each wait ends after
 * {@link answerWithinMs}. Those that are held stay open, and are the caller's to destroy.
 */
export async function exchange(
  port: number,
  requests: readonly FuzzRequest[],
  { delivery, choices, held }: { delivery: Delivery; choices: Choices; held: Held },
): Promise<Exchanged> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  const bytes = Buffer.concat(requests.map((request) => request.bytes));
  if (delivery === 'unread') {
    socket.on('error', () => undefined);
    socket.write(bytes);
    held.push(socket);
    return { answers: [], problem: undefined };
  }
  const client = follow(socket, requests);
  const framed = requests.filter(({ isFramed }) => isFramed).length;
  if (delivery === 'stalled') {
    await client.write(bytes.subarray(0, choices.whole(1, bytes.length - 1)));
    held.push(socket);
    return { answers: [], problem: undefined };
  }
  if (delivery === 'cut') {
    await client.write(bytes.subarray(0, choices.whole(0, bytes.length)));
    if (choices.chance(50)) await nextTurn();
    if (choices.chance(50)) socket.destroy();
    else socket.resetAndDestroy();
    return { answers: client.answers, problem: client.problem() };
  }
  await send(client, requests, { delivery, choices, bytes });
  if (delivery === 'half-closed') socket.end();
  // A server may take the end of what is sent for the end of all: then what is missing is not missed.
  const awaited = delivery === 'half-closed' ? Infinity : framed;
  const isDone = await client.until(awaited, answerWithinMs);
  if (isDone && framed < requests.length) {
    await client.untilQuiet(quietMs);
    socket.end();
    await client.until(Infinity, lingerMs);
  }
  socket.destroy();
  const missing = delivery === 'half-closed' ? undefined : complaintOfMissing(requests, client, framed, isDone);
  return { answers: client.answers, problem: client.problem() ?? missing };
}

interface Client {
  answers: readonly Answer[];
  problem(): string | undefined;
  /** Resolves when the bytes are handed over, or the connection is closed. */
  write(bytes: Buffer): Promise<void>;
  /** Whether so many answers came, or the connection was closed, in time. */
  until(answers: number, limitMs: number): Promise<boolean>;
  /** Until the connection is closed, or nothing came for so long. */
  untilQuiet(forMs: number): Promise<void>;
}

function follow(socket: Socket, requests: readonly FuzzRequest[]): Client {
  const reader = createAnswerReader((index) => {
    const request = requests[Math.min(index, requests.length - 1)];
    if (request?.isHead !== true) return 'yes';
    return request.isFramed ? 'no' : 'either';
  });
  let [isClosed, isReset] = [false, false];
  let wake: () => void = () => undefined;
  const happened = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  socket.on('data', (chunk: Buffer) => {
    reader.take(chunk);
    wake();
  });
  socket.on('error', () => {
    isReset = true;
  });
  socket.on('end', () => {
    reader.end();
    isClosed = true;
    wake();
  });
  socket.on('close', () => {
    isClosed = true;
    wake();
  });
  const waitFor = async (isThere: () => boolean, limitMs: number): Promise<boolean> => {
    const timer = new AbortController();
    const late = delay(limitMs, true, { signal: timer.signal }).catch(() => true);
    let isLate = false;
    while (!isLate && !isThere() && !isClosed && reader.problem() === undefined) {
      isLate = await Promise.race([happened().then(() => false), late]);
    }
    timer.abort();
    return !isLate;
  };
  return {
    answers: reader.answers,
    // What a reset cut off was on its way, and is lost: that is TCP's doing.
    problem: () => (isReset ? undefined : reader.problem()),
    write: (bytes) =>
      new Promise((resolve) => {
        if (socket.destroyed || bytes.length === 0) resolve();
        else {
          socket.once('close', resolve);
          socket.write(bytes, () => {
            socket.off('close', resolve);
            resolve();
          });
        }
      }),
    until: (answers, limitMs) => waitFor(() => reader.answers.length >= answers, limitMs),
    async untilQuiet(forMs) {
      let seen = -1;
      while (!isClosed && seen !== socket.bytesRead) {
        seen = socket.bytesRead;
        await waitFor(() => false, forMs);
      }
    },
  };
}

interface Sending {
  delivery: Delivery;
  choices: Choices;
  bytes: Buffer;
}

async function send(
  client: Client,
  requests: readonly FuzzRequest[],
  { delivery, choices, bytes }: Sending,
): Promise<void> {
  if (delivery === 'in turn') {
    for (const [index, request] of requests.entries()) {
      await client.write(request.bytes);
      if (request.isFramed && !(await client.until(index + 1, answerWithinMs))) return;
    }
  } else if (delivery === 'in pieces') {
    const cuts = Array.from({ length: choices.whole(1, piecesMax) }, () => choices.whole(0, bytes.length)).toSorted(
      (a, b) => a - b,
    );
    for (const [index, cut] of [...cuts, bytes.length].entries()) {
      await client.write(bytes.subarray(cuts[index - 1] ?? 0, cut));
      await nextTurn();
    }
  } else if (delivery === 'byte by byte') {
    const slowFrom = Math.max(0, bytes.length - bytesSlowMax);
    await client.write(bytes.subarray(0, slowFrom));
    for (let at = slowFrom; at < bytes.length; at += 1) {
      await client.write(bytes.subarray(at, at + 1));
      await delay(byteEveryMs);
    }
  } else {
    await client.write(bytes);
  }
}

/** Each request has its answer, unless the one before it, or its own, closed the connection. */
function complaintOfMissing(
  requests: readonly FuzzRequest[],
  { answers }: Client,
  framed: number,
  isDone: boolean,
): string | undefined {
  if (answers.length >= framed) {
    return framed === requests.length && answers.length > framed ? 'more answers than requests' : undefined;
  }
  if (!isDone) return `no answer within ${answerWithinMs} ms`;
  if (answers.at(-1)?.headers.get('connection') === 'close') return undefined;
  // A body that is not read is still on its way when the connection is closed: the reset may overtake the answer.
  const mayClose = requests.slice(0, answers.length + 1).some(({ hasBody, isFramed }) => hasBody || !isFramed);
  return mayClose || isTooMuch(requests) ? undefined : 'the connection was closed without an answer';
}

/** Whether these may be more than the server keeps waiting for one connection. */
function isTooMuch(requests: readonly FuzzRequest[]): boolean {
  const lines = requests.map(({ bytes }) => bytes.toString('latin1').split('\r\n').length);
  const kept = requests.reduce(
    (sum, { bytes }, index) => sum + bytes.length + 2 * headerTextBytes * (lines[index] ?? 0),
    0,
  );
  return requests.length > unansweredMax || kept > waitingBytesMax;
}
