import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOrderWaits, parseWait } from '../../../src/http/transfers/waits.ts';
import type { Order } from '../../../src/orders/order.ts';
import type { PostedNotices } from '../../../src/queue/notices.ts';
import type { OrderReference } from '../../../src/storage/orders/orders.ts';
import { pendingOrder } from '../../support/pending-order.ts';

const values = { sourceWalletId: 'wa_a', targetWalletId: 'wa_b', amount: '1', currency: 'EUR' };
const orderOf = (workspaceId: string) => pendingOrder({ workspaceId, ...values });

/** Waits that end only when their client goes. */
function prepare() {
  const notices: PostedNotices = {
    hear: (_orderIds, _timeoutMs, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve(false);
        });
      }),
  };
  const waits = createOrderWaits(() => Promise.resolve([]), notices, { max: 3, ofKeyMax: 2 });
  return (workspaceId: string, prefer: string | undefined = 'wait=5') => {
    const client = new AbortController();
    const answer = waits([orderOf(workspaceId)], { prefer, timeLeftMs: () => 10_000, gone: () => client.signal });
    return {
      answer,
      leave: () => {
        client.abort();
      },
    };
  };
}

const applied = { headers: { 'Preference-Applied': 'wait=5' } };
const ignored = { orders: [{ status: 'PENDING' }], headers: {} };

it('a request that is one too many of its workspace, or of all while nobody has more, is answered at once and told of no wait', async () => {
  const ask = prepare();
  const waiting = [ask('ws_1'), ask('ws_1')];
  expect(await ask('ws_1').answer).toMatchObject(ignored);
  waiting.push(ask('ws_2'));
  expect(await ask('ws_2').answer).toMatchObject(ignored);
  // One of a workspace that has fewer takes the place of the last one of the workspace that has most.
  waiting.push(ask('ws_3'));
  expect(await waiting.splice(1, 1)[0]?.answer).toMatchObject(ignored);
  for (const { leave } of waiting) leave();
  for (const { answer } of waiting) expect(await answer).toMatchObject(applied);
});

it('a client that goes leaves its place to others', async () => {
  const ask = prepare();
  const [first, second] = [ask('ws_1'), ask('ws_1')];
  first.leave();
  await first.answer;
  const third = ask('ws_1');
  expect(await ask('ws_1').answer).toMatchObject(ignored);
  second.leave();
  third.leave();
  expect(await third.answer).toMatchObject(applied);
});

const neverAsked = () => Promise.reject(new Error('asked for an order'));

it('orders that have ended, are for later, or are not to be waited for, need no place', async () => {
  const waits = createOrderWaits(neverAsked, {} as PostedNotices, { max: 0, ofKeyMax: 0 });
  const ended = { ...orderOf('ws_1'), status: 'COMPLETED' as const };
  const later = { ...orderOf('ws_1'), status: 'SCHEDULED' as const };
  const request = { timeLeftMs: () => 10_000, gone: () => new AbortController().signal };
  expect(await waits([ended], { prefer: 'wait=5', ...request })).toEqual({ orders: [ended], ...applied });
  expect(await waits([ended], { prefer: undefined, ...request })).toEqual({ orders: [ended], headers: {} });
  const both = [ended, later] as const;
  expect(await waits(both, { prefer: 'wait=5', ...request })).toEqual({ orders: both, ...applied });
  expect(await waits([later], { prefer: 'wait=5', ...request })).toEqual({ orders: [later], headers: {} });
});

describe('an order that is waited for', () => {
  const order = orderOf('ws_1');
  const completed: Order = { ...order, status: 'COMPLETED', completedAt: order.createdAt };
  /** A little longer than it waits for the order and for a read. */
  const waitMaxMs = 1_010;
  const gone = () => Promise.reject(new Error('the primary stepped down'));
  const never = () => new Promise<undefined>(() => undefined);

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** @param read is called once. */
  async function waited(read: () => Promise<Order | undefined>) {
    const reads = [read];
    const findMany = async () => [await (reads.shift()?.() ?? Promise.reject(new Error('asked too often')))];
    const notices: PostedNotices = { hear: () => Promise.resolve(true) };
    const waits = createOrderWaits(findMany, notices);
    const ended = waits([order], {
      prefer: 'wait=1',
      timeLeftMs: () => 1_505,
      gone: () => new AbortController().signal,
    });
    await vi.advanceTimersByTimeAsync(waitMaxMs);
    return (await ended).orders[0];
  }

  it('is answered as it is once its notice is heard, or the time is over', async () => {
    expect(await waited(() => Promise.resolve(completed))).toBe(completed);
    expect(await waited(() => Promise.resolve(order))).toBe(order);
  });

  it.each([
    ['fails', gone],
    ['never ends', never],
  ])('is what it was known to be where the read %s', async (_, read) => {
    expect(await waited(read)).toBe(order);
  });
});

describe('orders that are waited for together', () => {
  const orders = [1, 2, 3].map(() => orderOf('ws_1'));
  const [first, second, third] = orders as [Order, Order, Order];
  const ended = (order: Order): Order => ({ ...order, status: 'COMPLETED' });
  const later = { ...orderOf('ws_1'), status: 'SCHEDULED' as const };
  const request = { prefer: 'wait=5', timeLeftMs: () => 10_000, gone: () => new AbortController().signal };

  it('take one place and one read of what had not ended, and each is answered in its place', async () => {
    const asked: string[][] = [];
    const findMany = (references: readonly OrderReference[]) => {
      asked.push(references.map(({ idOrBizId }) => idOrBizId));
      return Promise.resolve(references.map(({ idOrBizId }) => ended(orders.find(({ id }) => id === idOrBizId)!)));
    };
    const heard: string[][] = [];
    const notices: PostedNotices = {
      hear: (ids) => {
        heard.push([...ids]);
        return Promise.resolve(true);
      },
    };
    const waits = createOrderWaits(findMany, notices, { max: 1, ofKeyMax: 1 });
    const known = ended(orderOf('ws_1'));
    const answer = await waits([first, later, second, known, third], request);
    expect(answer).toEqual({ orders: [ended(first), later, ended(second), known, ended(third)], ...applied });
    const ids = orders.map(({ id }) => id);
    expect({ heard, asked }).toEqual({ heard: [ids], asked: [ids] });
  });

  it('are what they were known to be where they cannot be read', async () => {
    const notices: PostedNotices = { hear: () => Promise.resolve(true) };
    const waits = createOrderWaits(neverAsked, notices);
    expect(await waits(orders, request)).toEqual({ orders, ...applied });
  });
});

describe('parseWait', () => {
  it.each([
    [undefined, 0],
    ['wait=5', 5],
    ['wait = 5', 5],
    ['Wait="5"', 5],
    ['respond-async, wait=3;foo=bar', 3],
    ['wait=11', 10],
    ['wait=99999999999999999999', 10],
    ['foo="a, wait=9", wait=1', 1],
    ['foo="a; wait=9";bar="\\", wait=9", wait=1', 1],
    ['foo="a, wait=9', 0],
    ['foo;bar="x", wait="3" ; y', 3],
    ['wait="3', 0],
    ['wait=2, wait=9', 2],
    ['wait=-1', 0],
    ['await=5', 0],
  ])('reads %j as %i seconds', (prefer, seconds) => {
    expect(parseWait(prefer)).toBe(seconds);
  });
});
