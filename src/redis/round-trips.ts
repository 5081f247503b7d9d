import { Cluster } from 'ioredis';
import { startRounds } from '../waiting/rounds.ts';
import type { RedisClient } from './connection.ts';

/** A worker whose Redis has not answered for this long takes no part. */
export const unansweredMaxMs = 5_000;
const usualAskEveryMs = 500;
/** A round whose answer takes longer has failed. The question stays; an answer that comes later counts. */
const answerMaxMs = 1_000;

/**
 * Keeps asking Redis on a connection, and knows whether it has answered lately. On a cluster each master is asked, and one
 * that answers suffices: if a master is away for everybody, the queues of the others are still to be served.
 * @param redis the connection on which a worker waits for jobs.
 * @param askEveryMs the pause between questions.
 * @param now a monotonic clock, in milliseconds.
 */
export function watchRoundTrips(
  redis: RedisClient,
  askEveryMs = usualAskEveryMs,
  now: () => number = () => performance.now(),
) {
  /** At most one question a node waits for its answer, because a connection keeps what it cannot send. */
  const asked = new Map<object, Promise<unknown>>();
  let answeredAt = now();

  function ask(node: Pick<RedisClient, 'ping'>): Promise<unknown> {
    const waiting = asked.get(node);
    if (waiting !== undefined) return waiting;
    const answer = node.ping().finally(() => asked.delete(node));
    asked.set(node, answer);
    return answer;
  }

  const rounds = startRounds({
    everyMs: askEveryMs,
    roundMaxMs: answerMaxMs,
    round: async () => {
      await Promise.any(redis instanceof Cluster ? redis.nodes('master').map(ask) : [ask(redis)]);
      answeredAt = now();
    },
  });
  return {
    /** Whether Redis answered within the last {@link unansweredMaxMs}. */
    work: (): boolean => now() - answeredAt < unansweredMaxMs,
    close: () => rounds.close(),
  };
}
