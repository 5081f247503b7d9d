import { setTimeout as delay } from 'node:timers/promises';
import { describeExit, type Child } from './child.ts';
import type { ProcessList, Stage } from './process-list.ts';

const BACKOFF_MIN_MS = 250;
const BACKOFF_MAX_MS = 10_000;
/** A process that ran for longer than this is started again after the shortest delay. */
const STEADY_MS = 30_000;

export interface Supervised<Ready> {
  name: string;
  stage: Stage;
  /** Settles with the first start. If that fails, there is no second. */
  ready: Promise<Ready>;
  /** Ends it for good. */
  stop(timeoutMs: number): Promise<void>;
  kill(): void;
}

type Process<Ready> = Pick<Child<Ready>, 'pid' | 'ready' | 'exited' | 'stop'>;

export interface SuperviseOptions<Ready> {
  name: string;
  stage: Stage;
  /** Called again after the process ended by itself, with a growing delay. */
  start: () => Promise<Process<Ready>>;
  processes: ProcessList;
  say: (text: string) => void;
}

/** Keeps one process running: started now, and again whenever it ends by itself, until stop(). */
export function supervise<Ready>(options: SuperviseOptions<Ready>): Supervised<Ready> {
  const { name, stage, processes, say } = options;
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const first = Promise.withResolvers<Ready>();
  let current: Process<Ready> | undefined;
  let stopTimeoutMs = 0;

  async function runOnce(): Promise<string> {
    const child = await options.start();
    current = child;
    // It may have been asked to stop while it was being started.
    if (isStopping()) await child.stop(stopTimeoutMs);
    await processes.add(stage, child.pid);
    void child.ready.then(first.resolve, first.reject);
    const exit = await child.exited;
    await processes.remove(child.pid);
    const wasReady = await child.ready.then(
      () => true,
      () => false,
    );
    return `${describeExit(exit)}${wasReady ? '' : ', before it was ready'}`;
  }

  async function keepRunning(): Promise<void> {
    let backoffMs = BACKOFF_MIN_MS;
    while (!isStopping()) {
      const startedAt = performance.now();
      const ended = await runOnce().catch(describe);
      first.reject(new Error(`${name}: ${ended}`));
      if (isStopping() || !(await succeeded(first.promise))) return;
      if (performance.now() - startedAt > STEADY_MS) backoffMs = BACKOFF_MIN_MS;
      say(`${name} ended (${ended}); starting it again in ${backoffMs} ms`);
      await delay(backoffMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      backoffMs = Math.min(backoffMs * 2, BACKOFF_MAX_MS);
    }
  }

  const running = keepRunning();
  return {
    name,
    stage,
    ready: first.promise,
    async stop(timeoutMs) {
      stopTimeoutMs = timeoutMs;
      stopping.abort();
      await current?.stop(timeoutMs);
      await running;
    },
    kill() {
      stopping.abort();
      void current?.stop(0);
    },
  };
}

function succeeded(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
