import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { QueueWorker } from '@bull-board/api/typings/app';
import type { PartitionQueue } from '../queue/queue.ts';
import { count } from './page/words.ts';
import type { PartitionState } from './partitions.ts';
import type { ProcessReport } from './reports.ts';

/** One partition as the board is to show it; undefined what could not be asked. */
export interface BoardState {
  readonly partition: PartitionState | undefined;
  /** Those that consume it. */
  readonly workers: readonly ProcessReport[] | undefined;
}

const description = 'A job carries the orders of one accepted group, or of one sweep. The books are in MongoDB.';

/**
 * A partition's queue on the board. Its rate and workers are those of the overview: Bull Board by itself knows no rate,
 * and for the workers it asks Redis for all its clients, of each queue at each look, which hosted ones refuse.
 */
export class BoardQueue extends BullMQAdapter {
  readonly #title: string;
  readonly #state: () => BoardState;

  constructor(queue: PartitionQueue, partition: number, areActionsAllowed: boolean, state: () => BoardState) {
    super(queue, { readOnlyMode: !areActionsAllowed, allowRetries: areActionsAllowed, description });
    this.#title = `Partition ${partition}`;
    this.#state = state;
  }

  /** With the rate, since a card of the list shows no other text; how many jobs wait, run and failed the board adds itself. */
  override getDisplayName(): string {
    const { partition } = this.#state();
    return partition === undefined ? this.#title : `${this.#title}: ${count(partition.postedPerSecond)} orders/s`;
  }

  /** @returns null where Redis does not say: the board then warns of nothing. */
  override getWorkers(): Promise<QueueWorker[] | null> {
    const { workers } = this.#state();
    return Promise.resolve(workers?.map(shownWorker) ?? null);
  }
}

/** An instance id begins with its machine's name. */
function shownWorker({ id, startedAt }: ProcessReport): QueueWorker {
  const age = Math.max(0, Math.round((Date.now() - Date.parse(startedAt)) / 1000));
  return { id, name: id, addr: id.split(':')[0] ?? '', age };
}
