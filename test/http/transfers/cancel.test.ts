import { expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { createThroughFailover } from '../../../src/waiting/failover.ts';
import { createPrepareCancel } from '../../../src/accepting/cancel.ts';
import { cancelRoute } from '../../../src/http/transfers/cancel.ts';
import type { RouteParts } from '../../../src/http/parts.ts';
import type { ApiAnswer, ApiRequest, ChangingRoute } from '../../../src/http/route.ts';
import { newOrder, type Order, type OrderStatus } from '../../../src/orders/order.ts';

const sides = { sourceWalletId: newId('wallet'), targetWalletId: newId('wallet') };
const workspaceId = newId('workspace');
const values = { workspaceId, type: 'TRANSFER', ...sides, amount: '1', currency: 'USD' };
const scheduled: Order = newOrder({ ...values, executeAt: new Date(Date.now() + 3_600_000) }, new Date());

/** A cancel whose transactions find the order SCHEDULED, or not, while its reads show these states. */
async function answerTo(found: readonly boolean[], shown: readonly OrderStatus[]) {
  const [left, states] = [[...found], [...shown]];
  const cancelled: Order = { ...scheduled, status: 'CANCELLED' };
  let attempts = 0;
  const prepareCancel = createPrepareCancel({
    find: () => Promise.resolve({ ...scheduled, status: states.shift() ?? 'SCHEDULED' }),
    cancelOrder: () => {
      attempts += 1;
      return Promise.resolve(left.shift() === true ? { order: cancelled, entry: undefined } : undefined);
    },
    throughFailover: createThroughFailover(() => false),
    onWritten: () => undefined,
  });
  const present = { order: ({ status }: Order) => status };
  const route = cancelRoute({ prepareCancel, present } as unknown as RouteParts) as ChangingRoute;
  const request = { workspaceId, timeLeftMs: () => 14_000, body: { transferId: scheduled.id } };
  const carryOut = await route.prepare(request as unknown as ApiRequest);
  const answer: ApiAnswer | Error = await carryOut().catch((error: unknown) => error as Error);
  return { answer, attempts };
}

it('an order that a transaction does not find, though it is SCHEDULED, is looked for again', async () => {
  expect(await answerTo([false, true], ['SCHEDULED', 'SCHEDULED'])).toMatchObject({
    answer: { data: 'CANCELLED' },
    attempts: 2,
  });
});

it('what it has become meanwhile is told, and not tried again', async () => {
  const { answer, attempts } = await answerTo([false, true], ['SCHEDULED', 'CANCELLED']);
  expect([answer, attempts]).toMatchObject([{ data: 'CANCELLED', headers: { 'Idempotent-Replayed': 'true' } }, 1]);
  expect(await answerTo([false], ['SCHEDULED', 'COMPLETED'])).toMatchObject({
    answer: { errorName: 'ORDER_STATE_CONFLICT', value: 'COMPLETED' },
  });
});

it('after some attempts the client may try again later, and the log is told why', async () => {
  const { answer, attempts } = await answerTo([], []);
  expect(attempts).toBe(3);
  expect(answer).toMatchObject({ errorName: 'UNAVAILABLE', retryAfterSeconds: 1, server: 'mongodb' });
  expect((answer as Error).cause).toMatchObject({ message: expect.stringContaining(scheduled.id) as string });
});
