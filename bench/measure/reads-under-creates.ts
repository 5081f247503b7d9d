import type { Stage } from '../servers/stage.ts';
import { checkAccepted, checkBooks } from './check-books.ts';
import type { Measured } from './measured.ts';
import { checkAnswers, load, loadOrder, type AnsweringSide, type RequestOptions } from './requests.ts';

interface ReadsUnderCreates {
  readonly reads: RequestOptions;
  /** Absent to see what the same reads are like by themselves. */
  readonly creates?: RequestOptions;
  /** Orders that were posted before. */
  readonly completedBefore: number;
}

const warmUpSeconds = 2;
/** The flood begins before the reads, and ends after them. */
const floodAroundSeconds = 2;

/** Reads at a rate that is served with ease, while creates take all that the process can give. Only the reads are timed. */
export async function measureReadsUnderCreates(
  stage: Stage,
  side: AnsweringSide,
  { reads, creates, completedBefore }: ReadsUnderCreates,
): Promise<Measured> {
  const running = await side.start(stage);
  const readOrder = loadOrder(stage, side, reads, running.port);
  try {
    const warmUp = await load({ ...readOrder, seconds: warmUpSeconds }, {});
    const flooded = Promise.withResolvers<undefined>();
    const flooding =
      creates &&
      load(
        loadOrder(stage, side, { ...creates, seconds: reads.seconds + floodAroundSeconds }, running.port),
        {},
        () => {
          flooded.resolve(undefined);
        },
      );
    await (flooding && Promise.race([flooded.promise, flooding]));
    const { result } = await load(readOrder, {});
    const flood = (await flooding)?.result;
    await running.stop();
    checkAnswers([warmUp.result, result, ...(flood ? [flood] : [])]);
    await checkAccepted(stage, flood?.acceptedIds ?? []);
    const pending = flood?.acceptedIds.length ?? 0;
    await checkBooks(stage, { completed: completedBefore, failed: 0, pending, unknown: flood?.unanswered ?? 0 });
    const done = result.byStatus['200'] ?? 0;
    return {
      done,
      recorded: pending,
      seconds: result.answerSeconds,
      perSecond: done / result.answerSeconds,
      dropped: result.dropped,
      refused: result.sent - result.unanswered - done,
      cpuMicros: {},
      ...(result.answerLatency === undefined ? {} : { answerLatency: result.answerLatency }),
    };
  } finally {
    await running.stop().catch(() => undefined);
  }
}
