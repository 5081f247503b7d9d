import type { Logger } from '../log.ts';
import type { PostingQueue } from '../queue/posting-queue.ts';
import type { PostingPause } from '../storage/posting-pause.ts';
import { bringUp } from '../storage/shared/start.ts';
import { startRounds } from '../waiting/rounds.ts';

const lookEveryMs = 1_000;
const roundMaxMs = 5_000;

/**
 * Follows whether an operator has paused posting, as MongoDB records it, and has the queue do as recorded: Redis may have
 * forgotten.
 * @throws the signal's reason.
 */
export async function followPause(
  postingPause: PostingPause,
  queue: Pick<PostingQueue, 'setPaused'>,
  log: Logger,
  signal: AbortSignal,
) {
  let isPaused = await bringUp(() => postingPause.isPaused(), log, signal);
  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs,
    round: async () => {
      const recorded = await postingPause.isPaused();
      if (recorded !== isPaused) log.info(recorded ? 'posting is paused' : 'posting goes on');
      isPaused = recorded;
      await queue.setPaused(isPaused);
    },
    logged: { log, what: 'following whether posting is paused' },
  });
  return { isPaused: (): boolean => isPaused, close: () => rounds.close() };
}
