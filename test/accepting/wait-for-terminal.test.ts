import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Order } from '../../src/orders/order.ts';
import type { PostedNotices } from '../../src/queue/notices.ts';
import type { Orders } from '../../src/storage/orders/orders.ts';
import { waitForTerminal } from '../../src/accepting/wait-for-terminal.ts';
import { pendingOrder } from '../support/pending-order.ts';

const order: Order = pendingOrder({
  ...{ workspaceId: 'ws', sourceWalletId: 'wa_a', targetWalletId: 'wa_b' },
  ...{ amount: '1', currency: 'EUR' },
});
const completed: Order = { ...order, status: 'COMPLETED', completedAt: order.createdAt };
const noticed: PostedNotices = { wait: () => Promise.resolve(true) };

/** Answers each look with the next of these. */
function ordersThat(...answers: (() => Promise<Order | undefined>)[]): Orders {
  return { find: () => answers.shift()?.() ?? Promise.reject(new Error('asked too often')) } as unknown as Orders;
}
const wait = (orders: Orders): Promise<Order> =>
  waitForTerminal(order, 5, { orders, notices: noticed, gone: new AbortController().signal });
/** A little longer than it waits for an order and for a read. */
const waitMaxMs = 1_010;
const gone = () => Promise.reject(new Error('the primary stepped down'));
const never = () => new Promise<undefined>(() => undefined);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the wait for an order that is recorded', () => {
  test('ends with its terminal state', async () => {
    expect(await wait(ordersThat(() => Promise.resolve(completed)))).toBe(completed);
    expect(
      await wait(
        ordersThat(
          () => Promise.resolve(order),
          () => Promise.resolve(completed),
        ),
      ),
    ).toBe(completed);
  });

  test.each([
    ['fails', gone],
    ['never ends', never],
  ])('does not fail where a read %s: the order is what it was known to be', async (_, read) => {
    for (const [again, found] of [
      [read, order],
      [() => Promise.resolve(completed), completed],
    ] as const) {
      const ended = wait(ordersThat(read, again));
      await vi.advanceTimersByTimeAsync(waitMaxMs);
      expect(await ended).toBe(found);
    }
  });
});
