import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer, ServerClock } from './case.ts';
import { play, refuse } from './play.ts';
import { faultsOf, isWithinWindow, type Received } from './received.ts';

export interface Played {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly answers: readonly Answer[];
  readonly clock: ServerClock;
}

/** A server that plays the answers of one case, and keeps what came. */
export interface Player {
  readonly origin: string;
  readonly received: readonly Received[];
  /** What was wrong with any request, whatever the case expects. */
  readonly faults: readonly string[];
  /** Resolves once so many requests came. */
  untilReceived(count: number): Promise<void>;
  close(): Promise<void>;
}

interface Waiter {
  readonly count: number;
  readonly go: () => void;
}

/** @throws Error where no port can be had. */
export async function startPlayer(played: Played): Promise<Player> {
  const received: Received[] = [];
  const faults: string[] = [];
  const waiters: Waiter[] = [];
  const script = played.answers.map((answer) => ({
    answer,
    left: answer.times === 'any' ? Infinity : (answer.times ?? 1),
  }));
  const clockOffMs = played.clock.clockOffSeconds * 1000;
  const isClockPlayed =
    clockOffMs !== 0 ||
    played.answers.some(
      (answer) => 'refuse' in answer && answer.refuse.code === 'GA2013' && answer.refuse.clockOffSeconds !== undefined,
    );
  let clockRefusals = 0;

  const untilReceived = (count: number): Promise<void> =>
    new Promise((go) => {
      if (received.length >= count) go();
      else waiters.push({ count, go });
    });

  function answerFor({ path }: Received): Answer | undefined {
    const next = script.find(({ answer: { when }, left }) => left > 0 && (when === undefined || when.path === path));
    if (next !== undefined) next.left -= 1;
    return next?.answer;
  }

  async function respond(request: Received, response: ServerResponse): Promise<void> {
    if (played.clock.clockOffSeconds !== 0 && !isWithinWindow(request, clockOffMs)) {
      const { heldUntilRequests = 0 } = played.clock.clockRefusals?.[clockRefusals] ?? {};
      clockRefusals += 1;
      await untilReceived(heldUntilRequests);
      refuse(response, { status: 401, code: 'GA2013', reason: 'TIMESTAMP_OFF', field: 'X-Timestamp' }, clockOffMs);
      return;
    }
    const answer = answerFor(request);
    if (answer === undefined) {
      faults.push(`No answer is left for ${request.method} ${request.target}.`);
      refuse(response, { status: 400, code: 'RQ4001', message: 'NO_ANSWER_IS_LEFT' }, clockOffMs);
      return;
    }
    await untilReceived(answer.heldUntilRequests ?? 0);
    play(answer, request, response, clockOffMs);
  }

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = requestOf(incoming, Buffer.concat(chunks));
      faults.push(...faultsOf(request, { ...played, received, isClockPlayed }));
      received.push(request);
      response.on('close', () => {
        request.answeredAtMs ??= performance.now();
      });
      response.on('finish', () => {
        request.answeredAtMs ??= performance.now();
      });
      const ready = waiters.filter(({ count }) => received.length >= count);
      for (const waiter of ready) waiter.go();
      void respond(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ received, faults, untilReceived },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

function requestOf(incoming: IncomingMessage, body: Buffer): Received {
  const { method = '', url: target = '', headers } = incoming;
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  return { method, target, path, query, headers, body, cameAtMs: performance.now(), cameAt: Date.now() };
}
