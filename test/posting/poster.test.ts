import { beforeEach, describe, expect, test } from 'vitest';
import { toPost, type OrderToPost } from '../../src/orders/order.ts';
import { Poster } from '../../src/posting/poster.ts';
import type { Outcome, PostGroup } from '../../src/posting/post-group.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { waitFor } from '../support/wait-for.ts';

type Range = Parameters<ConstructorParameters<typeof Poster>[0]['orders']['findWaiting']>[0];

/** A group that MongoDB works on. */
interface Posting {
  readonly ids: string[];
  /** All of it completes, but for those named. */
  end(others?: Readonly<Record<string, Outcome | Error>>): void;
  fail(): void;
}

const sizeMax = 256;
const readAheadMax = 1_024;

/** What is PENDING in MongoDB, by workspace and id. */
let pending: OrderToPost[];
let reads: Range[];
/** While it is set, what is read waits for it. */
let answer: PromiseWithResolvers<void> | undefined;
let postings: Posting[];
let poster: Poster;
let unknownTypes: string[];

async function findWaiting(range: Range, countMax: number) {
  reads.push(range);
  const orders = pending
    .filter(({ id, workspaceId }) => range.workspaceIds.includes(workspaceId) && id > range.behind)
    .filter(({ id }) => !range.except.includes(id))
    .sort((a, b) => (`${a.workspaceId} ${a.id}` < `${b.workspaceId} ${b.id}` ? -1 : 1))
    .slice(0, countMax);
  await answer?.promise;
  const last = orders.length === countMax ? orders.at(-1) : undefined;
  return { orders, more: last && { workspaceId: last.workspaceId, id: last.id } };
}

const postGroup: PostGroup = (orders) => {
  const ids = orders.map(({ id }) => id);
  const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, Outcome | Error>>();
  const end: Posting['end'] = (others = {}) => {
    const outcomes = new Map(ids.map((id) => [id, others[id] ?? 'completed']));
    pending = pending.filter(({ id }) => !['completed', 'failed', 'setAside'].includes(String(outcomes.get(id))));
    resolve(outcomes);
  };
  const fail = (): void => {
    reject(new Error('away'));
  };
  postings.push({ ids, end, fail });
  return promise;
};

function start(groupsAtOnce: number, isSharded = false): void {
  const posts = Array.from({ length: groupsAtOnce }, () => postGroup);
  const onUnknownType = ({ type }: OrderToPost) => void unknownTypes.push(type);
  poster = new Poster({ orders: { findWaiting }, posts, isSharded, onUnknownType });
}

beforeEach(() => {
  [pending, reads, answer, postings, unknownTypes] = [[], [], undefined, [], []];
  start(2);
});

let made = 0;
/** Between wallets of its own, unless it says. */
function add(workspaceId = 'a', { source = `source-${made}`, type = 'TRANSFER' } = {}): string {
  made += 1;
  const sides = { sourceWalletId: source, targetWalletId: `target-${made}` };
  const id = `tr_${String(made).padStart(8, '0')}`;
  pending.push({ ...toPost(pendingOrder({ workspaceId, ...sides, amount: '1', currency: 'EUR' })), id, type });
  return id;
}
const addMany = (count: number, workspaceId = 'a', options = {}) =>
  Array.from({ length: count }, () => add(workspaceId, options));
const post = (workspaceId = 'a', behind = '') => poster.post(workspaceId, behind, () => undefined);
const posted = (completed: number, more = {}) => ({
  ...{ completed, failed: 0, skipped: 0, setAside: 0, error: undefined, unreadBehind: undefined },
  ...more,
});
const untilPosted = async (groups: number) => waitFor(() => postings.length >= groups);
/** Lets everything happen that can without a group ending. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

describe('a workspace', () => {
  test('is posted by a group, in the order of its orders, and asked for no more than once', async () => {
    const ids = addMany(3);
    const posting = post();
    await untilPosted(1);
    expect(postings[0]?.ids).toEqual(ids);
    postings[0]?.end({ [ids[1]!]: 'failed', [ids[2]!]: 'setAside' });
    expect(await posting).toEqual(posted(1, { failed: 1, setAside: 1 }));
    expect(reads).toHaveLength(1);
  });

  test('of which nothing waits is done at once', async () => {
    expect(await post()).toEqual(posted(0));
    expect(postings).toEqual([]);
  });

  test('shares reads and groups with others that are asked for at the same time', async () => {
    const ids = [add('a'), add('b'), add('c')];
    const all = [post('a'), post('b'), post('c')];
    await untilPosted(1);
    expect(postings[0]?.ids).toEqual(ids);
    postings[0]?.end();
    expect(await Promise.all(all)).toEqual([posted(1), posted(1), posted(1)]);
    expect(reads).toHaveLength(1);
  });

  test('is read from where it was woken, with whoever shares the read', async () => {
    const [old, recent, other] = [add('a'), add('a'), add('b')];
    const all = [post('a', old), post('b', recent)];
    await untilPosted(1);
    postings[0]?.end();
    expect(await Promise.all(all)).toEqual([posted(1), posted(1)]);
    expect(reads).toEqual([{ workspaceIds: ['a', 'b'], behind: old, except: [] }]);
    expect(postings.map(({ ids }) => ids)).toEqual([[recent, other]]);
  });

  test('that is woken while it is posted is read again from there, without what is known', async () => {
    start(3);
    const before = add();
    const first = add();
    const posting = post('a', before);
    await untilPosted(1);
    const later = add();
    void post('a', first);
    await untilPosted(2);
    expect(reads[1]).toEqual({ workspaceIds: ['a'], behind: first, except: [] });
    void post('a', before);
    await waitFor(() => reads.length === 3);
    expect(reads[2]).toEqual({ workspaceIds: ['a'], behind: before, except: [first, later] });
    // Whoever tells of something older has it read, too.
    void post();
    await untilPosted(3);
    expect(reads[3]).toEqual({ workspaceIds: ['a'], behind: '', except: [first, later] });
    expect(postings[2]?.ids).toEqual([before]);
    for (const group of postings) group.end();
    expect(await posting).toEqual(posted(3));
  });

  test('of which a read finds a part is read on: who came behind the page, from where each was woken', async () => {
    const [[start = ''], rest] = [addMany(sizeMax + 2), add('b')];
    const place = add('b');
    const late = add('b');
    const all = [post('a', start), post('b', place)];
    await untilPosted(1);
    await settle();
    expect(reads.map(({ workspaceIds, behind }) => [workspaceIds, behind])).toEqual([
      [['a', 'b'], start],
      [['b'], place],
      [['a'], postings[0]?.ids.at(-1)],
    ]);
    // Whoever is woken then shares a read again.
    for (const workspaceId of ['a', 'b']) void post(workspaceId, late);
    await settle();
    expect(reads.slice(3).map(({ workspaceIds }) => workspaceIds.toSorted())).toEqual([['a', 'b']]);
    for (let group = 0; group < postings.length; group += 1) {
      postings[group]?.end();
      await settle();
    }
    expect(await Promise.all(all)).toEqual([posted(sizeMax + 1), posted(1)]);
    expect(postings.flatMap(({ ids }) => ids)).toContain(late);
    expect(pending.map(({ id }) => id)).toEqual([start, rest, place]);
  });

  test('that is woken while it is read misses nothing', async () => {
    answer = Promise.withResolvers();
    const posting = post();
    await waitFor(() => reads.length === 1);
    const late = add();
    void post();
    answer.resolve();
    await untilPosted(1);
    expect(postings[0]?.ids).toEqual([late]);
    postings[0]?.end();
    expect(await posting).toEqual(posted(1));
  });

  test('that is woken while a page is read is read from where it is woken: what came may be older', async () => {
    const [older = ''] = addMany(sizeMax + 1);
    const late = pending.splice(0, 1);
    add('b');
    answer = Promise.withResolvers();
    void post();
    await waitFor(() => reads.length === 1);
    pending.push(...late);
    void post();
    void post('b');
    answer.resolve();
    await untilPosted(2);
    expect(postings.flatMap(({ ids }) => ids)).toContain(older);
    expect(reads.slice(1).map(({ workspaceIds, behind }) => [workspaceIds, behind])).toEqual([[['b', 'a'], '']]);
  });

  test('goes on behind a page, and no further ahead than it may', async () => {
    const ids = addMany(4 * readAheadMax, 'a', { source: 'hot' });
    void post();
    await untilPosted(1);
    await settle();
    // A group of a hot wallet is in flight, and the line behind it is full.
    const known = sizeMax + readAheadMax;
    expect(reads.map(({ behind }) => behind)).toEqual(['', ...[1, 2, 3, 4].map((page) => ids[page * sizeMax - 1])]);
    expect(reads.length * sizeMax).toBe(known);
    expect(postings[0]?.ids).toEqual(ids.slice(0, sizeMax));
  });

  test('ends with the reason where an order could not be posted, which is not tried twice by it', async () => {
    const [odd, other] = addMany(2);
    const posting = post();
    await untilPosted(1);
    void post();
    postings[0]?.end({ [odd!]: new Error('odd') });
    expect(await posting).toEqual(posted(1, { error: new Error('odd') }));
    expect(postings.map(({ ids }) => ids)).toEqual([[odd, other]]);
    const again = post();
    await untilPosted(2);
    postings[1]?.end();
    expect(await again).toEqual(posted(1));
  });

  test('whose group fails gives up what it has read, and keeps no place', async () => {
    start(1);
    addMany(sizeMax + 1, 'a', { source: 'hot' });
    const posting = post();
    await untilPosted(1);
    await settle();
    postings[0]?.fail();
    expect(await posting).toEqual(posted(0, { error: new Error('away'), unreadBehind: '' }));
    add('b');
    const other = post('b');
    await untilPosted(2);
    postings[1]?.end();
    expect(await other).toEqual(posted(1));
  });

  test('leaves an order of a type that this release does not know, says so, and goes on with the others', async () => {
    const [, known] = [add('a', { type: 'LATER' }), add(), add()];
    // An atomic batch with such a line.
    pending.push({ ...pending.pop()!, others: [pending[0]!] });
    const posting = post();
    await untilPosted(1);
    expect([postings[0]?.ids, unknownTypes]).toEqual([[known], ['LATER', 'LATER']]);
    postings[0]?.end();
    expect(await posting).toEqual(posted(1));
  });
});

describe('one that is left', () => {
  test('at once begins nothing more; what is in flight goes on, and the next run waits for it', async () => {
    start(1);
    const ids = addMany(2 * sizeMax, 'a', { source: 'hot' });
    const leaving = post();
    await untilPosted(1);
    await settle();
    poster.leave('a', true);
    const next = post();
    await settle();
    expect(postings).toHaveLength(1);
    postings[0]?.end();
    expect(await leaving).toEqual(posted(sizeMax, { unreadBehind: '' }));
    await untilPosted(2);
    expect(postings[1]?.ids).toEqual(ids.slice(sizeMax));
    postings[1]?.end();
    expect(await next).toEqual(posted(sizeMax));
  });

  test('while it is read leaves what is read, and says from where', async () => {
    const [before, waiting] = [add(), add()];
    answer = Promise.withResolvers();
    const leaving = post('a', before);
    await waitFor(() => reads.length === 1);
    poster.leave('a', false);
    answer.resolve();
    expect(await leaving).toEqual(posted(0, { unreadBehind: before }));
    void post('a', before);
    await untilPosted(1);
    expect(postings[0]?.ids).toEqual([waiting]);
  });

  test('in its time posts what it has read, and reads nothing more', async () => {
    start(1);
    addMany(2 * readAheadMax, 'a', { source: 'hot' });
    const leaving = post();
    await untilPosted(1);
    await settle();
    const readsBefore = reads.length;
    poster.leave('a', false);
    for (let group = 0; group < 5; group += 1) {
      await untilPosted(group + 1);
      postings[group]?.end();
    }
    const unreadBehind = postings.at(-1)?.ids.at(-1);
    expect(await leaving).toEqual(posted(sizeMax + readAheadMax, { unreadBehind }));
    expect(reads).toHaveLength(readsBefore);
  });
});

describe('groups', () => {
  test('in flight share no wallet: a hot one has one at a time, and keeps back no other wallet', async () => {
    const hot = addMany(2 * sizeMax, 'a', { source: 'hot' });
    const free = addMany(sizeMax);
    const posting = post();
    await untilPosted(2);
    await settle();
    expect(postings.map(({ ids }) => ids)).toEqual([hot.slice(0, sizeMax), free]);
    postings[0]?.end();
    await untilPosted(3);
    expect(postings[2]?.ids).toEqual(hot.slice(sizeMax));
    for (const group of postings) group.end();
    expect(await posting).toEqual(posted(3 * sizeMax));
  });

  test('of a flooding workspace keep another’s single order waiting for one more at the most', async () => {
    start(1);
    addMany(10 * sizeMax, 'flood');
    void post('flood');
    await untilPosted(1);
    const single = add('other');
    void post('other');
    for (const group of [0, 1]) {
      await settle();
      postings[group]?.end();
    }
    await untilPosted(3);
    expect(postings.slice(1, 3).flatMap(({ ids }) => ids)).toContain(single);
  });

  test('are of one workspace each on a sharded cluster, as reads are, and they take turns', async () => {
    start(1, true);
    const [a, b] = [addMany(2, 'a'), addMany(2, 'b')];
    void post('a');
    void post('b');
    await untilPosted(1);
    postings[0]?.end();
    await untilPosted(2);
    expect(postings.map(({ ids }) => ids)).toEqual([a, b]);
    expect(reads.map(({ workspaceIds }) => workspaceIds)).toEqual([['a'], ['b']]);
  });

  test('on a sharded cluster leave room to slow workspaces and to quick ones, whichever of the two are many', async () => {
    start(1, true);
    const ids = (prefix: string) => Array.from({ length: 8 }, (_, index) => `${prefix}${index}`);
    answer = Promise.withResolvers();
    const slow = ids('slow').map((id) => post(id));
    // A further one is read once these have taken so long that they count as slow.
    const further = post('further');
    await waitFor(() => reads.length === 9);
    answer.resolve();
    await Promise.all([...slow, further]);
    answer = Promise.withResolvers();
    const quick = ids('quick').map((id) => post(id));
    await settle();
    const known = post('slow0');
    await settle();
    expect(reads.slice(9).flatMap(({ workspaceIds }) => workspaceIds)).toEqual([...ids('quick'), 'slow0']);
    answer.resolve();
    await Promise.all([...quick, known]);
  });
});
