import { Redis } from 'ioredis';
import { createLatencyRecorder, type Latency } from './latency.ts';

/** Matches answered creates with the notices of their posting, whichever comes first. */
export interface TerminalWatch {
  /** An order was answered for; its latency counts from `dueAt`. */
  expect(orderId: string, dueAt: number): void;
  /** Resolves when every expected order was named, or nothing was heard for long: the check of the books tells which. */
  untilAll(): Promise<void>;
  /** When the last expected order was named. */
  lastAt(): number;
  summary(): Latency | undefined;
  close(): void;
}

const silenceMaxMs = 30_000;
const lookEveryMs = 5;

/** @param channel where posted orders are named; undefined where nobody waits for that. */
export async function watchTerminal(redisUrl: string, channel: string | undefined): Promise<TerminalWatch> {
  const recorder = createLatencyRecorder();
  const heard = new Map<string, number>();
  const expected = new Map<string, number>();
  let lastAt = 0;
  let heardAt = performance.now();
  const match = (id: string, at: number, dueAt: number): void => {
    recorder.record(at - dueAt);
    lastAt = Math.max(lastAt, at);
    heard.delete(id);
    expected.delete(id);
  };
  const redis = channel === undefined ? undefined : new Redis(redisUrl);
  redis?.on('message', (_channel: string, message: string) => {
    heardAt = performance.now();
    for (const id of JSON.parse(message) as string[]) {
      const dueAt = expected.get(id);
      if (dueAt === undefined) heard.set(id, heardAt);
      else match(id, heardAt, dueAt);
    }
  });
  if (channel !== undefined) await redis?.subscribe(channel);
  return {
    expect(id, dueAt) {
      if (redis === undefined) return;
      const at = heard.get(id);
      if (at === undefined) expected.set(id, dueAt);
      else match(id, at, dueAt);
    },
    async untilAll() {
      heardAt = performance.now();
      while (expected.size > 0 && performance.now() - heardAt < silenceMaxMs) {
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
    },
    lastAt: () => lastAt,
    summary: () => recorder.summary(),
    close: () => redis?.disconnect(),
  };
}
