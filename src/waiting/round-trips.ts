import { startRounds } from './rounds.ts';

/** A worker whose Redis or MongoDB has not answered for this long takes no part. */
export const unansweredMaxMs = 5_000;
const usualAskEveryMs = 500;
/** A round whose answer takes longer has failed. The question stays; an answer that comes later counts. */
const answerMaxMs = 1_000;

/** A server that can be asked whether it answers. */
interface Node {
  ping(): Promise<unknown>;
}

/**
 * Keeps asking a server, and knows whether it has answered lately.
 * @param nodes the server; of a cluster those that have work of their own: one that answers suffices, because if a node is away
 * for everybody, the work of the others is still to be done.
 * @param askEveryMs the pause between questions.
 * @param now a monotonic clock, in milliseconds.
 */
export function watchRoundTrips(
  nodes: () => readonly Node[],
  askEveryMs = usualAskEveryMs,
  now: () => number = () => performance.now(),
) {
  /** At most one question a node waits for its answer, because a connection keeps what it cannot send. */
  const unanswered = new Map<Node, Promise<unknown>>();
  let answeredAt = now();

  function ask(node: Node): Promise<unknown> {
    const pending = unanswered.get(node);
    if (pending !== undefined) return pending;
    const answer = node.ping().finally(() => unanswered.delete(node));
    unanswered.set(node, answer);
    return answer;
  }

  const rounds = startRounds({
    everyMs: askEveryMs,
    roundMaxMs: answerMaxMs,
    round: async () => {
      await Promise.any(nodes().map(ask));
      answeredAt = now();
    },
  });
  return {
    /** Whether it answered within the last {@link unansweredMaxMs}. */
    work: (): boolean => now() - answeredAt < unansweredMaxMs,
    close: () => rounds.close(),
  };
}
