import { beforeEach, describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/posting/group-transaction.ts';
import { createGroupsInFlight, type GroupsInFlight, type PostGroup } from '../../src/posting/groups-in-flight.ts';
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
let groups: GroupsInFlight;

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
  groups = createGroupsInFlight({ posts, workspacesMax, onDeparture: () => undefined });
}
beforeEach(() => {
  start(2);
});

let wallets = 0;
interface Transfer {
  readonly workspaceId?: string;
  readonly source?: string;
  readonly signal?: AbortSignal;
}
/** Between wallets of its own, unless it says. */
function add({ workspaceId = 'a', source = `source-${(wallets += 1)}`, signal = never }: Transfer = {}) {
  const sides = { sourceWalletId: source, targetWalletId: `target-${(wallets += 1)}` };
  const order = pendingOrder({ workspaceId, ...sides, amount: '1', currency: 'EUR' });
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  groups.add({ ...order, order, place: wallets, signal, resolve, reject });
  return { id: order.id, outcome: promise };
}
const addMany = (count: number, transfer: Transfer = {}) => Array.from({ length: count }, () => add(transfer));
const idsOf = (added: readonly { id: string }[]) => added.map(({ id }) => id);
/** What is due leaves in one turn of the event loop; what ended is followed in another. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await new Promise(setImmediate);
}

describe('a group', () => {
  test('takes what came in one turn of the event loop, and answers each order', async () => {
    const added = addMany(3);
    await turn();
    expect(postings.map(({ ids }) => ids)).toEqual([idsOf(added)]);
    postings[0]?.ending.resolve(
      new Map<string, Outcome | Error>([
        [added[0]!.id, 'completed'],
        [added[1]!.id, new Error('odd')],
      ]),
    );
    expect(await Promise.allSettled(added.map(({ outcome }) => outcome))).toMatchObject([
      { value: 'completed' },
      { reason: { message: 'odd' } },
      { value: 'skipped' },
    ]);
  });

  test('that fails is told to its orders alone, and its place is free again', async () => {
    const [first] = addMany(1);
    await turn();
    const [second] = addMany(1);
    await turn();
    postings[0]?.ending.reject(new Error('away'));
    await expect(first?.outcome).rejects.toThrow('away');
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
    expect(groups.count('flood')).toBe(10 * sizeMax - (3 * sizeMax - 1));
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

test('what is in no group yet can be taken out; what is in one goes on', async () => {
  const leaving = new AbortController();
  const begun = add({ source: 'hot', signal: leaving.signal });
  await turn();
  const later = addMany(2, { source: 'hot', signal: leaving.signal });
  const staying = add({ source: 'hot' });
  expect(groups.count('a')).toBe(3);
  leaving.abort();
  const removed = groups.remove(({ signal }) => signal.aborted);
  expect(removed.map(({ order }) => order.id)).toEqual(idsOf(later));
  expect(groups.count('a')).toBe(1);
  postings[0]?.end();
  expect(await begun.outcome).toBe('completed');
  await turn();
  expect(postings[1]?.ids).toEqual([staying.id]);
});
