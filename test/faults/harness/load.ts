import type { PreparedBooks } from './books.ts';
import type { Choices } from './choices.ts';
import { startClient } from './load-client.ts';
import type { LoadRecord, Sent } from './sent.ts';
import type { Stack } from './stack.ts';
import { waitFor } from '../../support/wait-for.ts';

export interface Load extends LoadRecord {
  acknowledged(): Sent[];
  /** Resolves when so many more creates were acknowledged; throws after the time given. */
  untilAcknowledged(countMore: number, withinMs: number): Promise<void>;
  /** Sends nothing new, lets the retries under way end, and resolves when every client is through. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  /** How many clients there are in all; two of a workspace, if not given, which meet on its wallets. */
  clients?: number | undefined;
  /** How many orders they send a second in all, new or again, while they are answered at once; they read besides. */
  ratePerSecond?: number | undefined;
}

const clientsEach = 2;
/**
 * More would make each run longer, not harder: with two cores busy, a killed process takes five seconds to start.
 */
const usualRateEach = 3;

/**
 * Several clients that make orders of many types, send again what was sent before, read, retry as careful clients do, and remember
 * everything.
 */
export function startLoad(stack: Stack, choices: Choices, options: LoadOptions = {}): Load {
  const { clients: count = clientsEach * stack.books.length, ratePerSecond = usualRateEach * count } = options;
  const stopping = new AbortController();
  const record: LoadRecord = { sent: [], breaches: [], requests: [] };
  const prefix = `run${choices.whole(0, 0x7fffffff).toString(36)}x${stack.history.length.toString(36)}`;
  const places = stack.books.map((books) => ({ books, repeatable: earlierOf(stack, books) }));
  const clients = Array.from({ length: count }, (_, index) =>
    startClient({
      ...{ stack, record, choices: choices.fork(), ...places[index % places.length]! },
      ...{ name: `${prefix}-c${index}`, ratePerSecond: ratePerSecond / count, signal: stopping.signal },
    }),
  );
  const acknowledged = (): Sent[] => record.sent.filter((sent) => sent.acknowledged !== undefined);
  return Object.assign(record, {
    acknowledged,
    async untilAcknowledged(countMore: number, withinMs: number) {
      const goal = acknowledged().length + countMore;
      const isReached = () => acknowledged().length >= goal;
      await waitFor(isReached, { timeoutMs: withinMs, what: `the acknowledgement of ${countMore} creates` });
    },
    async stop() {
      stopping.abort();
      await Promise.all(clients);
      stack.history.push(...record.sent);
    },
  });
}

/** What was sent to a workspace before this load, and may be sent again. */
function earlierOf({ history }: Stack, books: PreparedBooks): Sent[] {
  return history.filter(
    ({ command, workspaceId }) => command.body.bizId !== undefined && workspaceId === books.workspaceId,
  );
}
