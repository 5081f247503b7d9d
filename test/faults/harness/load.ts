import { setTimeout as delay } from 'node:timers/promises';
import type { Choices } from './choices.ts';
import { startClient } from './load-client.ts';
import type { LoadRecord } from './load-record.ts';
import type { Sent } from './sent.ts';
import type { Stack } from './stack.ts';

export interface Load extends LoadRecord {
  acknowledged(): Sent[];
  /** Resolves when so many more creates were acknowledged; throws after the time given. */
  untilAcknowledged(countMore: number, withinMs: number): Promise<void>;
  /** Sends nothing new, lets the retries under way end, and resolves when every client is through. */
  stop(): Promise<void>;
}

/** Two of a workspace meet on its wallets. */
const clientsEach = 2;
const pollMs = 20;

/** Several clients that create transfers, retry as careful clients do, and remember everything. */
export function startLoad(stack: Stack, choices: Choices): Load {
  const stopping = new AbortController();
  const record: LoadRecord = { sent: [], answers: new Map(), slowestMs: 0, breaches: [], requests: [] };
  const prefix = `run${choices.whole(0, 0x7fffffff).toString(36)}x${stack.history.length.toString(36)}`;
  const clients = stack.books
    .flatMap((books) => Array.from({ length: clientsEach }, () => books))
    .map((books, index) =>
      startClient({
        ...{ stack, books, record, choices: choices.fork() },
        ...{ name: `${prefix}-c${index}`, signal: stopping.signal },
      }),
    );
  const acknowledged = (): Sent[] => record.sent.filter((sent) => sent.acknowledged !== undefined);
  return Object.assign(record, {
    acknowledged,
    async untilAcknowledged(countMore: number, withinMs: number) {
      const goal = acknowledged().length + countMore;
      const deadline = performance.now() + withinMs;
      while (acknowledged().length < goal) {
        if (performance.now() > deadline) {
          const counts = JSON.stringify(Object.fromEntries(record.answers));
          throw new Error(`no ${countMore} creates were acknowledged within ${withinMs} ms; answers so far: ${counts}`);
        }
        await delay(pollMs);
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all(clients);
      stack.history.push(...record.sent);
    },
  });
}
