import { randomUUID } from 'node:crypto';
import { createLatencyRecorder, type LatencyRecorder } from '../load/latency.ts';
import { patterns } from '../load/patterns.ts';
import { createRandom } from '../load/random.ts';
import { endWithParent } from '../servers/end-with-parent.ts';
import { nextMessage } from '../servers/next-message.ts';
import type { ExecutorOrder } from './executor-order.ts';
import { openSession, type Session } from './session.ts';

/**
 * Process entry: callers wait for their transfers, and executors post all that waits, each in batches by `transfer_batch`. Is sent an
 * {@link ExecutorOrder}; says how many it posted to get warm, is told to go on, and says how many it posted and how long they took.
 */
endWithParent();
/** As many as the service posts in one transaction at the most. */
const batchMax = 256;
const amountCentsMax = 999;

const { psql, pattern, wallets, inFlight, executors, warmUpSeconds, seconds, seed } =
  await nextMessage<ExecutorOrder>();
const random = createRandom(seed);
const nextPair = patterns[pattern].create({ funded: wallets, unfunded: 0 }, random);
const sessions = Array.from({ length: executors }, () => openSession(psql));
let made = 0;

process.send?.({ posted: (await postFor(warmUpSeconds, createLatencyRecorder())).posted });
await nextMessage();
const latencies = createLatencyRecorder();
const done = await postFor(seconds, latencies);
for (const session of sessions) session.close();
process.send?.({ ...done, latency: latencies.summary() });

/** All callers are answered before this ends. */
async function postFor(ofSeconds: number, recorder: LatencyRecorder): Promise<{ posted: number; seconds: number }> {
  const startedAt = performance.now();
  const endsAt = startedAt + ofSeconds * 1_000;
  /** When each of the transfers that wait was sent, the oldest first. */
  const waiting = Array.from({ length: inFlight }, () => startedAt);
  let posted = 0;
  const execute = async (session: Session): Promise<void> => {
    while (waiting.length > 0) {
      // Several share what waits: one by itself would leave nothing to do for the others meanwhile.
      const batch = waiting.splice(0, Math.min(batchMax, Math.ceil(inFlight / executors)));
      await post(session, batch.length);
      const now = performance.now();
      for (const sentAt of batch) {
        recorder.record(now - sentAt);
        if (now < endsAt) waiting.push(now);
      }
      posted += batch.length;
    }
  };
  await Promise.all(sessions.map(execute));
  return { posted, seconds: (performance.now() - startedAt) / 1_000 };
}

async function post(session: Session, count: number): Promise<void> {
  const pairs = Array.from({ length: count }, () => nextPair((made += 1)));
  const list = (values: readonly unknown[]): string => `'{${values.join(',')}}'`;
  const lists = [
    pairs.map(() => randomUUID()),
    pairs.map(({ source }) => source + 1),
    pairs.map(({ target }) => target + 1),
    pairs.map(() => (1 + Math.floor(random() * amountCentsMax)) / 100),
  ];
  const answer = await session.ask(`select transfer_batch(1, ${lists.map(list).join(', ')}, 'USD')`);
  const completed = answer.split('COMPLETED').length - 1;
  if (completed !== count) throw new Error(`PostgreSQL posted ${completed} of ${count} transfers: ${answer}`);
}
