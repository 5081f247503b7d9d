import type { Worker } from 'bullmq';
import type { Logger } from '../log.ts';

/** Has a consumer take no jobs while its process may not work, because a server does not answer it: others get them. */
export class ConsumerPause {
  #working = new AbortController();

  /** For a job that begins now: aborted once it is to be left. */
  get signal(): AbortSignal {
    return this.#working.signal;
  }

  /** To be called again and again. @param mayWork whether the servers answer this process. */
  async look(worker: Pick<Worker, 'name' | 'pause' | 'resume'>, mayWork: boolean, log: Logger): Promise<void> {
    const { name: queue } = worker;
    if (mayWork !== this.signal.aborted) return;
    if (this.signal.aborted) {
      this.#working = new AbortController();
      log.info({ queue }, 'jobs are taken again: the servers answer');
      void worker.resume();
      return;
    }
    log.info({ queue }, 'a server does not answer: jobs are left to other workers');
    await worker.pause(true);
    this.#working.abort();
  }
}
