import type { Logger } from '../log.ts';
import type { PostingQueue } from '../queue/posting-queue.ts';
import type { PostingPause } from '../storage/posting-pause.ts';
import type { ProcessReports } from '../storage/processes/reports.ts';
import { bringUp } from '../storage/shared/start.ts';
import { startRounds } from '../waiting/rounds.ts';

const lookEveryMs = 1_000;
const roundMaxMs = 5_000;

interface Followed {
  readonly postingPause: Pick<PostingPause, 'isPaused'>;
  readonly processReports: Pick<ProcessReports, 'countPosting'>;
}

/**
 * Follows what MongoDB records of posting as a whole: how many workers post, and whether an operator has paused them. The queue
 * does as recorded, because Redis may have forgotten.
 * @throws the signal's reason.
 */
export async function followPosting(
  { postingPause, processReports }: Followed,
  queue: Pick<PostingQueue, 'setPaused'>,
  log: Logger,
  signal: AbortSignal,
) {
  const read = () => Promise.all([postingPause.isPaused(), processReports.countPosting()]);
  let [isPaused, workers] = await bringUp(read, log, signal);
  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs,
    round: async () => {
      const before = isPaused;
      [isPaused, workers] = await read();
      if (isPaused !== before) log.info(isPaused ? 'posting is paused' : 'posting goes on');
      await queue.setPaused(isPaused);
    },
    logged: { log, what: 'following how posting is to go on' },
  });
  return {
    isPaused: (): boolean => isPaused,
    /** How many workers post, this one included. */
    workers: (): number => Math.max(1, workers),
    close: () => rounds.close(),
  };
}
