import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { QueueWorker } from '@bull-board/api/typings/app';
import type { PartitionQueue } from '../queue/queue.ts';
import type { ProcessReport } from './reports.ts';

const description = 'A job carries the orders of one accepted group, or of one sweep. The books are in MongoDB.';

/**
 * A partition's queue on the board. Its workers are those that say they consume it: Bull Board by itself asks Redis for all
 * its clients, of each queue at each look, which hosted ones refuse.
 */
export class BoardQueue extends BullMQAdapter {
  readonly #workers: () => readonly ProcessReport[] | undefined;

  /** @param workers undefined where Redis does not say: the board then warns of nothing. */
  constructor(
    queue: PartitionQueue,
    partition: number,
    areActionsAllowed: boolean,
    workers: () => readonly ProcessReport[] | undefined,
  ) {
    const displayName = `Partition ${partition}`;
    super(queue, { readOnlyMode: !areActionsAllowed, allowRetries: areActionsAllowed, description, displayName });
    this.#workers = workers;
  }

  override getWorkers(): Promise<QueueWorker[] | null> {
    return Promise.resolve(this.#workers()?.map(shownWorker) ?? null);
  }
}

/** An instance id begins with its machine's name. */
function shownWorker({ id, startedAt }: ProcessReport): QueueWorker {
  const age = Math.max(0, Math.round((Date.now() - Date.parse(startedAt)) / 1000));
  return { id, name: id, addr: id.split(':')[0] ?? '', age };
}
