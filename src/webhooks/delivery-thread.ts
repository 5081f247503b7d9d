import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pTimeout from 'p-timeout';
import type { WorkerSettings, WrongSetting } from '../settings/config.ts';
import { logFromThread, type Logger } from '../log.ts';
import type { DeliveryObserver } from './attempts.ts';

/** What the thread is started with. The master keys arrive as plain bytes, because a Buffer cannot be passed on. */
export interface ThreadData {
  readonly settings: WorkerSettings;
  /** Of the process, so that leases are the process's. */
  readonly instanceId: string;
}

/** A call of the process's observer, by name. */
export type ObserverCall = {
  [Name in keyof DeliveryObserver]: readonly [Name, ...Parameters<DeliveryObserver[Name]>];
}[keyof DeliveryObserver];

/** What the thread sends to the process. */
export type ThreadMessage =
  | { readonly kind: 'observed'; readonly calls: readonly ObserverCall[] }
  /** A line for the process's log. */
  | { readonly kind: 'logged'; readonly line: string }
  /** It is there, and sends whenever it may work. */
  | { readonly kind: 'started' };

/** What the process sends to the thread. */
export type ProcessMessage =
  | { readonly kind: 'stop' }
  /** Whether the process takes part. */
  | { readonly kind: 'mayWork'; readonly mayWork: boolean };

interface Conditions {
  /** The thread sends nothing while the process may not work. */
  readonly mayWork: () => boolean;
  /** Whether there is any webhook. Before there is, no thread is started: it takes memory and a second of a core. */
  readonly isWanted: () => Promise<boolean>;
}

const hasEnded: WrongSetting = {
  runbook: 'WebhooksBehind',
  message: 'the thread that sends webhooks has ended; the log says why. It is started again',
};
/** As in V8's own default. */
const youngMib = 32;
const usualLimits = {
  /** How often it is asked whether the thread is wanted, until it is. */
  wantedEveryMs: 1_000,
  /** How often the thread learns whether it may work. */
  mayWorkEveryMs: 500,
  /** What the thread may take, in MiB. What it has in hand is limited, and needs a small part of this. */
  memoryMib: 192,
  /** From its end to its next start: doubled from the first to the last, while it keeps ending. */
  pauseFirstMs: 1_000,
  pauseMaxMs: 60_000,
  /** A thread that ran for longer has not failed to start. */
  steadyMs: 60_000,
  /** The longest wait for its end in order, which is less than a process has for its own. */
  stopMaxMs: 8_000,
};

/**
 * Sends webhooks in a thread of this process, with connections of its own, so that no receiver can slow posting. It is
 * started once there is a webhook. If it ends, the log says why, and it is started again after a pause, again and again.
 * Posting goes on meanwhile.
 * @param entry the module that runs in the thread: workers/webhooks.ts.
 */
export function startDeliveryThread(
  entry: URL,
  data: ThreadData,
  { mayWork, isWanted }: Conditions,
  observe: DeliveryObserver,
  log: Logger,
  limits: Partial<typeof usualLimits> = {},
) {
  const { wantedEveryMs, mayWorkEveryMs, memoryMib, pauseFirstMs, pauseMaxMs, steadyMs, stopMaxMs } = {
    ...usualLimits,
    ...limits,
  };
  const closing = new AbortController();
  const isClosing = (): boolean => closing.signal.aborted;
  let wrong: WrongSetting | undefined;
  let thread: Worker | undefined;

  function onMessage(message: ThreadMessage): void {
    if (message.kind === 'started') wrong = undefined;
    else if (message.kind === 'logged') logFromThread(log, message.line);
    else for (const [name, ...args] of message.calls) Reflect.apply(observe[name], observe, args);
  }

  /** While MongoDB does not say, there may be none. The process's own watch reports that. */
  async function untilWanted(): Promise<void> {
    while (!isClosing() && !(await isWanted().catch(() => false))) {
      await delay(wantedEveryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    await untilWanted();
    let pauseMs = pauseFirstMs;
    while (!isClosing()) {
      const startedAt = performance.now();
      thread = new Worker(entry, {
        name: 'webhooks',
        workerData: data,
        resourceLimits: { maxOldGenerationSizeMb: memoryMib, maxYoungGenerationSizeMb: youngMib },
      });
      thread.on('message', onMessage);
      const { code, error } = await endOf(thread);
      thread = undefined;
      if (isClosing()) return;
      if (performance.now() - startedAt > steadyMs) pauseMs = pauseFirstMs;
      wrong = hasEnded;
      log.error({ err: error, code, pauseMs }, 'the thread that sends webhooks has ended; it is started again');
      await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, pauseMaxMs);
    }
  }
  const post = (message: ProcessMessage): void => thread?.postMessage(message);
  const posting = setInterval(() => {
    post({ kind: 'mayWork', mayWork: mayWork() });
  }, mayWorkEveryMs);
  const running = run();
  return {
    /** Why this process sends no webhooks although there are some; undefined if the thread is there or not wanted yet. */
    wrongSetting: () => wrong,
    /** Lets the thread end in order; if it does not, ends it. */
    async close(): Promise<void> {
      closing.abort();
      clearInterval(posting);
      post({ kind: 'stop' });
      await pTimeout(running, {
        milliseconds: stopMaxMs,
        fallback: async () => {
          await thread?.terminate();
        },
      });
    },
  };
}

async function endOf(thread: Worker): Promise<{ code: number; error: unknown }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; error: unknown }>();
  let error: unknown;
  thread.on('error', (thrown: unknown) => {
    error = thrown;
  });
  thread.on('exit', (code) => {
    resolve({ code, error });
  });
  return promise;
}
