import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { isTestWorkspace } from '../domain/ids.ts';
import { toError } from '../errors.ts';
import type { RunBucket } from '../queue/posting-consumer.ts';
import {
  anywhereIn,
  type BucketHolder,
  type PostingQueue,
  type Taken,
  type WaitingFrom,
} from '../queue/posting-queue.ts';
import type { Poster } from './poster.ts';
import type { RememberedWallets } from './remembered-wallets.ts';

interface RunOptions {
  readonly queue: Pick<PostingQueue, 'take' | 'goOn' | 'wake'>;
  /** This process, with the sessions in which it posts. */
  readonly self: Omit<BucketHolder, 'run'>;
  readonly poster: Pick<Poster, 'post' | 'leave' | 'hasRoom'>;
  /** Does what is due in a test workspace, and puts its clock forward. @returns whether there is more to post. */
  readonly goOnInTime: (workspaceId: string) => Promise<boolean>;
  readonly remembered: Pick<RememberedWallets, 'forget'>;
  /** Ends what a holder that died has left open. */
  readonly endTransactions: (sessions: readonly string[]) => Promise<void>;
  /** Whether posting is paused. */
  readonly isPaused: () => boolean;
}

/** Workspaces of a bucket in hand at once. */
const inHandMax = 64;
/** After this long a run goes to the end of the line, so that workers that were added since get their share. */
const runMaxMs = 2_000;
/** A run that takes this long shows in the dashboard what it has in hand. Most end before anybody could look. */
const toldAfterMs = 200;
/** How soon a workspace that is woken while it is posted is read again. */
const lookEveryMs = 20;
const backoffMs = 500;
const backoffMaxMs = 30_000;
/** The pause before MongoDB is asked again to end transactions, and how often it is: for as long as one may live there. */
const endAgainMs = 1_000;
const endTriesMax = 60;
/** Workspaces whose failures are remembered. */
const failingMax = 10_000;

interface Failing {
  readonly failures: number;
  /** By a monotonic clock, in milliseconds. */
  readonly retryAt: number;
}

/**
 * Posts a bucket: it takes workspaces from the line, and hands each to the poster until nothing of it waits. A run is
 * - **taking** until no workspace waits, which ends it;
 * - **leaving** once it has run for long enough, the process stops, its lock is lost or posting is paused: it takes nothing more,
 *   puts back what is not finished, and ends with its last group;
 * - **abandoned** once MongoDB does not answer: it ends at once, and what it had in hand is the next run's.
 *
 * - **It asks Redis after each of its groups**, and often while the poster has room, because what it has in hand may be woken
 *   again. So a run that has lost its bucket finds the next one's name there, or no answer,
 *   and begins nothing more. A group in flight may end beside the next run's: the guards of its transaction see to that.
 * - **A run that finds workspaces left by another process** ends that one's transactions, which would keep wallets locked.
 * - **A workspace that cannot be posted** comes back later and later, and keeps out no other.
 * @throws if Redis is away; what it had taken is found by the next run.
 */
export function createRunBucket(options: RunOptions): RunBucket {
  const { queue, self, poster, goOnInTime, isPaused } = options;
  const failing = new LRUCache<string, Failing>({ max: failingMax });

  /** @returns whether it may be tried now. */
  const mayTry = (workspaceId: string): boolean => (failing.peek(workspaceId)?.retryAt ?? 0) <= performance.now();

  function backOff(workspaceId: string): void {
    const failures = (failing.peek(workspaceId)?.failures ?? 0) + 1;
    const delayMs = Math.min(backoffMaxMs, backoffMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
    failing.set(workspaceId, { failures, retryAt: performance.now() + delayMs });
    // If this process ends before, or Redis is away, the workspace is swept.
    void setTimeout(delayMs + 1, undefined, { ref: false })
      .then(() => queue.wake(anywhereIn([workspaceId])))
      .catch(() => undefined);
  }

  return async (bucket, { leave: leaving, abandon }, tellTaken) => {
    const holder = { ...self, run: randomUUID() };
    const counts = { completed: 0, failed: 0, skipped: 0, setAside: 0 };
    const [inHand, wokenInHand] = [new Map<string, Promise<void>>(), new Set<string>()];
    /** What Redis is not told of yet: workspaces that are done, and those that go back to the line. */
    let [done, back]: [string[], WaitingFrom[]] = [[], []];
    const state = { isLeaving: false };
    let progress = Promise.withResolvers<undefined>();
    const onProgress = (): void => {
      progress.resolve(undefined);
    };

    /** @param isAtOnce whether what is read already is left too. */
    function leave(isAtOnce: boolean): void {
      state.isLeaving = true;
      for (const workspaceId of inHand.keys()) poster.leave(workspaceId, isAtOnce);
    }

    async function postOne({ workspaceId, id }: WaitingFrom): Promise<void> {
      let behind: string | undefined = id;
      let error: Error | undefined;
      do {
        const posted = await poster.post(workspaceId, behind, onProgress);
        for (const outcome of ['completed', 'failed', 'skipped', 'setAside'] as const)
          counts[outcome] += posted[outcome];
        ({ error, unreadBehind: behind } = posted);
        wokenInHand.delete(workspaceId);
        const next = error === undefined && isTestWorkspace(workspaceId) ? goOnInTime(workspaceId) : false;
        const hasMore = await Promise.resolve(next).catch((reason: unknown) => {
          error = toError(reason);
          return false;
        });
        // What it was woken for meanwhile is posted already, and nobody has looked what is due after that.
        if (hasMore || wokenInHand.has(workspaceId)) behind = '';
      } while (behind !== undefined && error === undefined && !state.isLeaving);
      inHand.delete(workspaceId);
      if (behind !== undefined && error === undefined) back.push({ workspaceId, id: behind });
      else done.push(workspaceId);
      if (error === undefined) failing.delete(workspaceId);
      else backOff(workspaceId);
      onProgress();
    }

    function begin({ workspaces }: Taken): void {
      progress = Promise.withResolvers();
      for (const waiting of workspaces) {
        const { workspaceId, id } = waiting;
        // It was told to leave while it took: nobody would wait for what it began now.
        if (state.isLeaving) back.push(waiting);
        else if (inHand.has(workspaceId)) {
          wokenInHand.add(workspaceId);
          void poster.post(workspaceId, id, onProgress);
        } else if (mayTry(workspaceId)) inHand.set(workspaceId, postOne(waiting));
        else done.push(workspaceId);
      }
    }

    const onAbort = (): void => {
      leave(true);
      onProgress();
    };
    const timers = [
      globalThis.setTimeout(leave, runMaxMs, false),
      globalThis.setTimeout(() => {
        tellTaken([...inHand.keys()]);
      }, toldAfterMs),
    ];
    for (const signal of [leaving, abandon]) signal.addEventListener('abort', onAbort);
    try {
      for (let isFirst = true; ; isFirst = false) {
        if (abandon.aborted) {
          // What it had taken stays so, and the next run ends the transactions that are left open.
          await queue.goOn(bucket);
          return counts;
        }
        if (leaving.aborted || isPaused()) leave(true);
        const turnover = { isFirst, done, back, takeMax: state.isLeaving ? 0 : inHandMax - inHand.size };
        [done, back] = [[], []];
        const taken = await queue.take(bucket, holder, turnover);
        if (taken === undefined) return counts;
        if (isFirst) await takeOver(bucket, taken, options);
        begin(taken);
        if (inHand.size + done.length + back.length === 0) {
          if (taken.waiting > 0) await queue.goOn(bucket);
          return counts;
        }
        if (done.length + back.length === 0) await untilProgress(progress.promise, poster);
        // Workspaces that one group posted are reported together.
        await setImmediate();
      }
    } finally {
      for (const timer of timers) clearTimeout(timer);
      for (const signal of [leaving, abandon]) signal.removeEventListener('abort', onAbort);
      leave(true);
      if (!abandon.aborted) await Promise.all(inHand.values());
    }
  };
}

/** Something was posted, or there may be more for a poster that has room. */
async function untilProgress(progress: Promise<unknown>, poster: Pick<Poster, 'hasRoom'>): Promise<void> {
  const hasProgress = progress.then(() => true);
  while (!(await Promise.race([hasProgress, setTimeout(lookEveryMs, false)])) && !poster.hasRoom);
}

async function takeOver(
  bucket: number,
  { before, isLeft }: Taken,
  { self, remembered, endTransactions }: RunOptions,
): Promise<void> {
  if (before?.instanceId === self.instanceId) return;
  remembered.forget(bucket);
  if (isLeft && before !== undefined) await endLeft(before.sessions, endTransactions);
}

/** Where MongoDB refuses, posting goes on, and meets the locks for as long as it does. */
async function endLeft(sessions: readonly string[], end: RunOptions['endTransactions']): Promise<void> {
  const again = async (triesLeft: number): Promise<void> => {
    await setTimeout(endAgainMs, undefined, { ref: false });
    await end(sessions).catch(() => (triesLeft > 0 ? again(triesLeft - 1) : undefined));
  };
  await end(sessions).catch(() => void again(endTriesMax));
}
