import { beforeEach, describe, expect, test } from 'vitest';
import { createFairQueue, type FairQueue } from '../../src/waiting/fair-queue.ts';
import { createGroupsInFlight, type PostGroup } from '../../src/posting/groups-in-flight.ts';
import { markRead, QueuedOrder, type Outcome } from '../../src/posting/queued-order.ts';
import { pendingOrder } from '../support/pending-order.ts';

type Ending = ReadonlyMap<string, Outcome | Error>;

/** A group that MongoDB works on. */
interface Posting {
  readonly ids: string[];
  readonly end: () => void;
  readonly ending: PromiseWithResolvers<Ending>;
}

const sizeMax = 256;
const never = new AbortController().signal;
let postings: Posting[];
let waiting: FairQueue<QueuedOrder>;
let begin: () => void;

const post: PostGroup = (orders) => {
  const ids = orders.map(({ id }) => id);
  const ending = Promise.withResolvers<Ending>();
  const end = () => {
    ending.resolve(new Map(ids.map((id) => [id, 'completed'])));
  };
  postings.push({ ids, end, ending });
  return ending.promise;
};
function start(groupsAtOnce: number, workspacesMax = Infinity): void {
  postings = [];
  const posts = Array.from({ length: groupsAtOnce }, () => post);
  waiting = createFairQueue();
  const onRoom = () => {
    begin();
  };
  begin = createGroupsInFlight(waiting, posts, { workspacesMax, onRoom });
}
beforeEach(() => {
  start(2);
});

let wallets = 0;
interface Transfer {
  readonly workspaceId?: string;
  readonly source?: string;
  readonly isRead?: boolean;
}
/** Between wallets of its own, unless it says. */
function add({ workspaceId = 'a', source = `source-${(wallets += 1)}`, isRead = true }: Transfer = {}) {
  const sides = { sourceWalletId: source, targetWalletId: `target-${(wallets += 1)}` };
  const order = pendingOrder({ workspaceId, ...sides, amount: '1', currency: 'EUR' });
  const { promise: outcome, resolve } = Promise.withResolvers<Outcome | Error>();
  const queued = new QueuedOrder({ id: order.id, workspaceId, signal: never }, resolve);
  const read = () => {
    markRead(queued, order);
  };
  if (isRead) read();
  waiting.add(workspaceId, queued);
  return { id: order.id, outcome, read };
}
const addMany = (count: number, transfer: Transfer = {}) => Array.from({ length: count }, () => add(transfer));
const idsOf = (added: readonly { id: string }[]) => added.map(({ id }) => id);
/** Begins what can begin, once what has ended has been followed. */
async function turn(): Promise<void> {
  await new Promise(setImmediate);
  begin();
}

describe('a group', () => {
  test('takes what waits, and answers each order', async () => {
    const added = addMany(3);
    await turn();
    expect(postings.map(({ ids }) => ids)).toEqual([idsOf(added)]);
    postings[0]?.ending.resolve(
      new Map<string, Outcome | Error>([
        [added[0]!.id, 'completed'],
        [added[1]!.id, new Error('odd')],
      ]),
    );
    expect(await Promise.all(added.map(({ outcome }) => outcome))).toEqual(['completed', new Error('odd'), 'skipped']);
  });

  test('that fails is told to its orders alone, and its place is free again', async () => {
    const [first] = addMany(1);
    await turn();
    const [second] = addMany(1);
    await turn();
    postings[0]?.ending.reject(new Error('away'));
    expect(await first?.outcome).toEqual(new Error('away'));
    const [third] = addMany(1);
    await turn();
    expect(postings.map(({ ids }) => ids)).toEqual([first, second, third].map((each) => [each?.id]));
    for (const { end } of postings) end();
    expect(await Promise.all([second?.outcome, third?.outcome])).toEqual(['completed', 'completed']);
  });

  test('of a flooding workspace keeps another’s single order waiting for one more at the most', async () => {
    start(1);
    addMany(10 * sizeMax, { workspaceId: 'flood' });
    await turn();
    const first = add({ workspaceId: 'other' });
    for (const group of [0, 1]) {
      postings[group]?.end();
      await turn();
    }
    expect(postings[2]?.ids[0]).toBe(first.id);
    expect(postings[2]?.ids).toHaveLength(sizeMax);
  });

  test('is of one workspace where it may be of one only, and they take turns', async () => {
    start(1, 1);
    const added = ['a', 'b', 'a', 'b'].map((workspaceId) => add({ workspaceId }));
    await turn();
    postings[0]?.end();
    await turn();
    const [a1, b1, a2, b2] = idsOf(added);
    expect(postings.map(({ ids }) => ids)).toEqual([
      [a1, a2],
      [b1, b2],
    ]);
  });
});

describe('a hot wallet', () => {
  test('has one group in flight at a time, in the order in which its orders came', async () => {
    const first = addMany(sizeMax, { source: 'hot' });
    await turn();
    const rest = addMany(sizeMax + 10, { source: 'hot' });
    await turn();
    expect(postings).toHaveLength(1);
    for (let group = 0; group < 3; group += 1) {
      postings[group]?.end();
      await turn();
    }
    expect(postings.flatMap(({ ids }) => ids)).toEqual(idsOf([...first, ...rest]));
    expect(postings.map(({ ids }) => ids.length)).toEqual([sizeMax, sizeMax, 10]);
  });

  test('keeps back neither another workspace nor the other wallets of its own', async () => {
    addMany(sizeMax, { source: 'hot' });
    await turn();
    addMany(sizeMax, { source: 'hot' });
    const free = addMany(sizeMax);
    await turn();
    expect(postings[1]?.ids).toEqual(idsOf(free));
    postings[1]?.end();
    const single = add({ workspaceId: 'other' });
    await turn();
    expect(postings[2]?.ids).toEqual([single.id]);
  });
});

test('orders that are not read yet wait for that, and keep back those behind them', async () => {
  const [first, unread, behind] = [add(), add({ isRead: false }), add()];
  await turn();
  expect(postings.map(({ ids }) => ids)).toEqual([[first.id]]);
  unread.read();
  await turn();
  expect(postings.map(({ ids }) => ids)).toEqual([[first.id], idsOf([unread, behind])]);
});
