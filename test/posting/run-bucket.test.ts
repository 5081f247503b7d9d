import { setImmediate } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bucketOf } from '../../src/domain/bucket.ts';
import { leastIdAt, newId, timeOfId } from '../../src/domain/ids.ts';
import type { PostedWorkspace } from '../../src/posting/active-workspace.ts';
import type { Poster } from '../../src/posting/poster.ts';
import { createRunBucket } from '../../src/posting/run-bucket.ts';
import { anywhereIn, createPostingQueue, openPostingQueue, type PostingQueue } from '../../src/queue/posting-queue.ts';
import { testRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';

const { url } = await testRedis();
const redis = new Redis(url, { maxRetriesPerRequest: null });
const workspaces = Object.values(
  Object.groupBy(
    Array.from({ length: 1_000 }, (_, index) => `ws_${index}`),
    bucketOf,
  ),
).find((ofOne) => (ofOne?.length ?? 0) >= 4) as string[];
const [first = '', second = '', third = ''] = workspaces;
const bucket = bucketOf(first);
/** A test workspace of the same bucket. */
const tested = Array.from({ length: 1_000 }, (_, index) => `ts_${index}`).find((id) => bucketOf(id) === bucket)!;
const nothing = { completed: 0, failed: 0, skipped: 0, setAside: 0 };
/** It left what came behind an order. */
const leftId = newId('order');
const part = { ...nothing, completed: 1, error: undefined, unreadBehind: leftId };
const one: PostedWorkspace = { ...nothing, completed: 1, error: undefined, unreadBehind: undefined };

let prefix: string;
let queue: PostingQueue;
let jobs: ReturnType<typeof openPostingQueue>;
beforeEach(() => {
  prefix = `run-bucket-${Math.random()}`;
  queue = createPostingQueue(redis, prefix);
  jobs = openPostingQueue(redis, prefix);
});
afterEach(() => Promise.all([queue.close(), jobs.close()]));
afterAll(() => {
  redis.disconnect();
});

/** A process whose poster ends what it is told to. */
function createProcess(
  instanceId: string,
  { isPaused = (): boolean => false, goOnInTime = (id: string) => Promise.resolve(id === '') } = {},
) {
  const posting = new Map<
    string,
    { readonly behind: string[]; readonly ended: PromiseWithResolvers<PostedWorkspace> }
  >();
  const left: [string, boolean][] = [];
  const [forgotten, ended]: [number[], (readonly string[])[]] = [[], []];
  const progressOf = new Map<string, () => void>();
  const poster: Pick<Poster, 'post' | 'leave' | 'hasRoom'> = {
    post(workspaceId, behind, onProgress) {
      const line = posting.get(workspaceId) ?? { behind: [], ended: Promise.withResolvers<PostedWorkspace>() };
      line.behind.push(behind);
      posting.set(workspaceId, line);
      progressOf.set(workspaceId, onProgress);
      return line.ended.promise;
    },
    hasRoom: false,
    leave(workspaceId, isAtOnce) {
      left.push([workspaceId, isAtOnce]);
    },
  };
  const run = createRunBucket({
    ...{ queue, poster, isPaused, self: { instanceId, sessions: ['c2Vzc2lvbg=='] } },
    goOnInTime,
    remembered: { forget: (of) => void forgotten.push(of) },
    endTransactions(sessions) {
      ended.push(sessions);
      return Promise.resolve();
    },
  });
  const [leave, abandon] = [new AbortController(), new AbortController()];
  return {
    ...{ posting, left, forgotten, ended, leave, abandon },
    run: () => run(bucket, { leave: leave.signal, abandon: abandon.signal }, () => undefined),
    end(workspaceId: string, outcome = one): void {
      const line = posting.get(workspaceId);
      posting.delete(workspaceId);
      line?.ended.resolve(outcome);
    },
    progress: (workspaceId: string) => progressOf.get(workspaceId)?.(),
  };
}

const look = async (takeMax = 0) =>
  queue.take(bucket, { instanceId: 'look', run: 'look', sessions: [] }, { isFirst: true, done: [], back: [], takeMax });
const waiting = async () => (await look())?.waiting;

/** Redis has answered, and the run does not know it yet. */
function holdNextTake() {
  const take = queue.take.bind(queue);
  const [asked, answer] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  vi.spyOn(queue, 'take').mockImplementationOnce(async (...parameters) => {
    const taken = await take(...parameters);
    asked.resolve(undefined);
    await answer.promise;
    return taken;
  });
  return {
    isAsked: asked.promise,
    give: (): void => {
      answer.resolve(undefined);
    },
  };
}

describe('a run', () => {
  test('posts all workspaces that wait, and ends when none does', async () => {
    await queue.wake(anywhereIn([first, second]));
    const own = createProcess('a');
    const running = own.run();
    await waitFor(() => own.posting.size === 2);
    own.end(first);
    await queue.wake(anywhereIn([third]));
    own.end(second);
    await waitFor(() => own.posting.has(third));
    own.end(third, { ...one, failed: 2 });
    expect(await running).toEqual({ ...nothing, completed: 3, failed: 2 });
    expect(await waiting()).toBe(0);
  });

  test('asks once more for a workspace that is woken while it is posted, from there on', async () => {
    const places = [leastIdAt('order', new Date(5_000)), leastIdAt('order', new Date(3_000))];
    await queue.wake([{ workspaceId: first, id: places[0]! }]);
    const own = createProcess('a');
    const running = own.run();
    await waitFor(() => own.posting.has(first));
    await queue.wake([{ workspaceId: first, id: places[1]! }]);
    own.progress(first);
    await waitFor(() => own.posting.get(first)?.behind.length === 2);
    expect(own.posting.get(first)?.behind).toEqual(places);
    own.end(first);
    expect(await running).toEqual({ ...nothing, completed: 1 });
  });

  test('that lasts goes to the end of the line: it leaves what it has, takes no more, and has another job added', async () => {
    await queue.wake(anywhereIn([first]));
    const own = createProcess('a');
    const running = own.run();
    await waitFor(() => own.left.length === 1, { timeoutMs: 10_000 });
    expect(own.left).toEqual([[first, false]]);
    await queue.wake(anywhereIn([second]));
    own.end(first, part);
    await running;
    expect(own.posting.size).toBe(0);
    expect(await jobs.getWaitingCount()).toBe(1);
    expect((await look(2))?.workspaces).toEqual([
      { workspaceId: second, id: '' },
      { workspaceId: first, id: leastIdAt('order', timeOfId('order', leftId)) },
    ]);
  });

  test('that is told to leave gives back what is not begun', async () => {
    await queue.wake(anywhereIn([first]));
    const own = createProcess('a');
    const running = own.run();
    await waitFor(() => own.posting.size === 1);
    own.leave.abort();
    expect(own.left[0]).toEqual([first, true]);
    own.end(first, part);
    await running;
    expect(await waiting()).toBe(1);
    expect(await jobs.getWaitingCount()).toBe(1);
  });

  test('goes on behind what it posted with another run of its process, which left the rest', async () => {
    await queue.wake(anywhereIn([first]));
    const own = createProcess('a');
    const running = own.run();
    await waitFor(() => own.posting.has(first));
    own.end(first, part);
    await waitFor(() => own.posting.has(first));
    expect(own.posting.get(first)?.behind).toEqual([leftId]);
    own.end(first);
    expect(await running).toEqual({ ...nothing, completed: 2 });
  });

  test('that leaves gives back nothing of which all is posted: who is woken meanwhile stands in line', async () => {
    await queue.wake(anywhereIn([first, second]));
    const own = createProcess('a');
    const running = own.run();
    await waitFor(() => own.posting.size === 2);
    own.leave.abort();
    await queue.wake(anywhereIn([second]));
    own.end(first);
    own.end(second);
    await running;
    expect((await look(2))?.workspaces).toEqual([{ workspaceId: second, id: '' }]);
  });

  test('that is told to leave while it takes gives back what it takes', async () => {
    await queue.wake(anywhereIn([first]));
    const own = createProcess('a');
    const running = own.run();
    own.leave.abort();
    expect(await running).toEqual(nothing);
    expect([own.posting.size, await waiting()]).toEqual([0, 1]);
  });

  test('that is told to leave while it takes gives back what it has in hand and was woken for', async () => {
    const later = { workspaceId: first, id: leastIdAt('order', new Date(5_000)) };
    await queue.wake(anywhereIn([first]));
    const own = createProcess('a');
    const running = own.run();
    await waitFor(() => own.posting.size === 1);
    await queue.wake([later]);
    const answer = holdNextTake();
    own.progress(first);
    await answer.isAsked;
    own.leave.abort();
    answer.give();
    own.end(first);
    await running;
    expect((await look(1))?.workspaces).toEqual([later]);
  });

  test('gives back what ended while it asked Redis', async () => {
    await queue.wake(anywhereIn([first]));
    const own = createProcess('a');
    const running = own.run();
    await waitFor(() => own.posting.size === 1);
    const goOn = vi.spyOn(queue, 'goOn');
    const answer = holdNextTake();
    own.progress(first);
    await answer.isAsked;
    own.leave.abort();
    own.end(first, part);
    await setImmediate();
    answer.give();
    await running;
    expect(goOn).toHaveBeenCalledWith(bucket);
    expect(await waiting()).toBe(1);
  });

  test('goes on with a test workspace until nothing is due there, and comes back to it where that cannot be told', async () => {
    await queue.wake(anywhereIn([tested]));
    const dues = [true, true, new Error('MongoDB is away')];
    const own = createProcess('a', {
      goOnInTime: (id) => {
        expect(id).toBe(tested);
        const due = dues.shift()!;
        return due instanceof Error ? Promise.reject(due) : Promise.resolve(due);
      },
    });
    const running = own.run();
    for (let left = 2; left >= 0; left -= 1) {
      await waitFor(() => own.posting.has(tested));
      own.end(tested);
      await waitFor(() => dues.length === left);
    }
    expect(await running).toEqual({ ...nothing, completed: 3 });
    await waitFor(async () => (await waiting()) === 1);
  });

  test('looks once more what is due in a test workspace that was woken while it looked', async () => {
    await queue.wake(anywhereIn([tested]));
    const looks: PromiseWithResolvers<boolean>[] = [];
    const own = createProcess('a', {
      goOnInTime() {
        const due = Promise.withResolvers<boolean>();
        looks.push(due);
        return due.promise;
      },
    });
    const running = own.run();
    await waitFor(() => own.posting.has(tested));
    own.end(tested);
    await waitFor(() => looks.length === 1);
    await queue.wake(anywhereIn([tested]));
    own.progress(tested);
    await waitFor(() => own.posting.has(tested));
    looks[0]?.resolve(false);
    own.end(tested);
    await waitFor(() => looks.length === 2 || own.posting.has(tested));
    own.end(tested);
    await waitFor(() => looks.length === 2);
    looks[1]?.resolve(false);
    await running;
  });

  test('begins nothing while posting is paused', async () => {
    await queue.wake(anywhereIn([first]));
    const own = createProcess('a', { isPaused: () => true });
    expect(await own.run()).toEqual(nothing);
    expect([own.posting.size, await waiting()]).toEqual([0, 1]);
  });

  test('comes back to a workspace that could not be posted, and not at once', async () => {
    await queue.wake(anywhereIn([first, second]));
    const own = createProcess('a');
    const running = own.run();
    await waitFor(() => own.posting.size === 2);
    own.end(first, { ...one, error: new Error('away') });
    // The next wake, by whoever, is too early.
    await queue.wake(anywhereIn([first]));
    own.end(second);
    expect(await running).toEqual({ ...nothing, completed: 2 });
    expect(own.posting.size).toBe(0);
    await waitFor(async () => (await waiting()) === 1);
    const again = own.run();
    await waitFor(() => own.posting.has(first));
    own.end(first);
    await again;
  });
});

describe('another run of the bucket', () => {
  test('of another process takes what the first had, ends its transactions, and forgets its own wallets', async () => {
    await queue.wake(anywhereIn([first]));
    const [dead, next] = [createProcess('dead'), createProcess('next')];
    void dead.run();
    await waitFor(() => dead.posting.size === 1);
    const running = next.run();
    await waitFor(() => next.posting.size === 1);
    expect([next.ended, next.forgotten]).toEqual([[['c2Vzc2lvbg==']], [bucket]]);
    next.end(first);
    await running;
    // The first was only slow: with its next question it finds that it has lost the bucket.
    dead.progress(first);
    await waitFor(() => dead.left.some(([, isAtOnce]) => isAtOnce));
    dead.end(first);
  });

  test('of another process that ended in order ends no transactions; of the same process it forgets nothing', async () => {
    const [a, b] = [createProcess('a'), createProcess('b')];
    await a.run();
    await b.run();
    await b.run();
    expect([b.ended, b.forgotten]).toEqual([[], [bucket]]);
  });

  test('finds what was abandoned, although something of it is in flight', async () => {
    await queue.wake(anywhereIn([first]));
    const [cut, next] = [createProcess('cut'), createProcess('next')];
    const running = cut.run();
    await waitFor(() => cut.posting.size === 1);
    cut.abandon.abort();
    await running;
    expect(await jobs.getWaitingCount()).toBe(1);
    const taking = next.run();
    await waitFor(() => next.posting.has(first));
    expect(next.ended).toHaveLength(1);
    next.end(first);
    await taking;
  });
});
