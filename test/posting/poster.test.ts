import { beforeEach, describe, expect, test } from 'vitest';
import type { OrderToPost } from '../../src/orders/order.ts';
import type { WorkspaceOrders } from '../../src/domain/workspace-orders.ts';
import type { PostGroup } from '../../src/posting/groups-in-flight.ts';
import { createPoster, type Poster } from '../../src/posting/poster.ts';
import { pendingOrder } from '../support/pending-order.ts';
import { waitFor } from '../support/wait-for.ts';

/** A read of orders that waits for its answer. */
interface Read {
  readonly ids: string[];
  answer(): void;
  fail(): void;
}

const readAheadMax = 1_024;
const readSizeMax = 256;
const skipped = (count: number) => ({ completed: 0, failed: 0, skipped: count, setAside: 0 });
const never = new AbortController().signal;

let reads: Read[];
let areReadsAnswered: boolean;
/** Groups that no server ends. */
let groupsInFlight: number;
let poster: Poster;
let unknownTypes: string[];

const orderOf = (id: string, workspaceId: string): OrderToPost => ({
  ...pendingOrder({
    workspaceId,
    sourceWalletId: 'hot',
    targetWalletId: `target-of-${id}`,
    amount: '1',
    currency: 'EUR',
  }),
  id,
});

const findPending = (batches: readonly WorkspaceOrders[]): Promise<OrderToPost[]> => {
  const { promise, resolve, reject } = Promise.withResolvers<OrderToPost[]>();
  const ids = batches.flatMap(({ orderIds }) => orderIds);
  const answer = () => {
    const orders = batches.flatMap(({ workspaceId, orderIds }) => orderIds.map((id) => orderOf(id, workspaceId)));
    resolve(
      orders
        .filter(({ id }) => !id.startsWith('posted'))
        .map((order) => (order.id.startsWith('later') ? { ...order, type: 'LATER' } : order)),
    );
  };
  const fail = () => {
    reject(new Error('away'));
  };
  reads.push({ ids, answer, fail });
  if (areReadsAnswered) answer();
  return promise;
};

const hang: PostGroup = () => {
  groupsInFlight += 1;
  return new Promise(() => undefined);
};

beforeEach(() => {
  [reads, areReadsAnswered, groupsInFlight, unknownTypes] = [[], false, 0, []];
  const onUnknownType = ({ type }: OrderToPost) => void unknownTypes.push(type);
  poster = createPoster({ orders: { findPending }, posts: [hang], isSharded: false, onUnknownType });
});

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const post = (workspaceId: string, orderIds: readonly string[], signal = never) =>
  poster.post([{ workspaceId, orderIds }], signal);

describe('reading', () => {
  test('merges what came at one moment, and skips what nobody is to post', async () => {
    const jobs = [post('a', ['posted-1', 'posted-2']), post('b', ['posted-3'])];
    await waitFor(() => reads.length === 1);
    expect(reads[0]?.ids).toEqual(['posted-1', 'posted-2', 'posted-3']);
    reads[0]?.answer();
    expect(await Promise.all(jobs)).toEqual([skipped(2), skipped(1)]);
  });

  test('that fails is told to those that it was for alone; a second job with the same orders joined them', async () => {
    const first = post('a', ['posted-1']);
    const second = post('a', ['posted-1']);
    await waitFor(() => reads.length === 1);
    const other = post('a', ['posted-2']);
    const refused = [expect(first).rejects.toThrow('away'), expect(second).rejects.toThrow('away')];
    reads[0]?.fail();
    await Promise.all(refused);
    await waitFor(() => reads.length === 2);
    reads[1]?.answer();
    expect(reads.map((read) => read.ids)).toEqual([['posted-1'], ['posted-2']]);
    expect(await other).toEqual(skipped(1));
    // A job that is tried again.
    const again = post('a', ['posted-1']);
    await waitFor(() => reads.length === 3);
    reads[2]?.answer();
    expect(await again).toEqual(skipped(1));
  });

  test('goes so far ahead in each workspace, and no further: another’s is read all the same', async () => {
    areReadsAnswered = true;
    void post('flood', ids('flood', 4 * readAheadMax));
    // The first group is on its way, and the line behind it is full.
    await waitFor(() => reads.length === (readSizeMax + readAheadMax) / readSizeMax);
    void post('other', ['other-0']);
    await waitFor(() => reads.at(-1)?.ids.join() === 'other-0');
    expect(groupsInFlight).toBe(1);
    expect(reads.flatMap((read) => read.ids).filter((id) => id.startsWith('flood'))).toHaveLength(
      readSizeMax + readAheadMax,
    );
  });
});

describe('requeuing', () => {
  test('is asked by signal: of others nothing is given up, and what comes later is at once', async () => {
    const closing = new AbortController();
    const [leaving, staying] = [post('a', ['order-1'], closing.signal), post('b', ['posted-1'])];
    await waitFor(() => reads.length === 1);
    closing.abort();
    poster.requeue();
    expect(await leaving).toBe('requeued');
    expect(await post('a', ['order-2'], closing.signal)).toBe('requeued');
    reads[0]?.answer();
    expect(await staying).toEqual(skipped(1));
    expect(groupsInFlight).toBe(0);
  });

  test('leaves the order to who brings it again, whatever is still being read of it', async () => {
    const closing = new AbortController();
    const leaving = post('a', ['posted-1'], closing.signal);
    await waitFor(() => reads.length === 1);
    closing.abort();
    poster.requeue();
    expect(await leaving).toBe('requeued');
    const again = post('a', ['posted-1']);
    reads[0]?.fail();
    // A workspace is in one query at a time.
    await waitFor(() => reads.length === 2);
    const joining = post('a', ['posted-1']);
    reads[1]?.answer();
    expect(await Promise.all([again, joining])).toEqual([skipped(1), skipped(1)]);
    expect(reads).toHaveLength(2);
  });

  test('leaves an order of a type that this release does not know, says so, and goes on with the others', async () => {
    areReadsAnswered = true;
    expect(await post('a', ['later-1', 'posted-1'])).toEqual(skipped(2));
    expect(unknownTypes).toEqual(['LATER']);
    expect(groupsInFlight).toBe(0);
    void post('a', ['later-2', 'a-1']);
    await waitFor(() => groupsInFlight === 1);
  });
});
