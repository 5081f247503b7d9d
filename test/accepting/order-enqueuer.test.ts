import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createOrderEnqueuer } from '../../src/accepting/order-enqueuer.ts';
import { newId, newIdOf } from '../../src/domain/ids.ts';
import type { WaitingFrom } from '../../src/queue/posting-queue.ts';
import { pendingOrder } from '../support/pending-order.ts';

it('a SCHEDULED order wakes its workspace only if that has a clock of its own, by which it is then looked at', async () => {
  const ids = [newId('workspace', new Date()), newIdOf('workspace', true, new Date())];
  const woken: WaitingFrom[] = [];
  const wake = (waiting: readonly WaitingFrom[]) => Promise.resolve(void woken.push(...waiting));
  const enqueuer = createOrderEnqueuer({ wake }, pino({ enabled: false }));
  const order = { sourceWalletId: 'wa_a', targetWalletId: 'wa_b', amount: '1', currency: 'EUR' };
  const scheduled = ids.map((workspaceId) => ({
    ...pendingOrder({ ...order, workspaceId }),
    ...{ status: 'SCHEDULED' as const, executeAt: new Date() },
  }));
  enqueuer.enqueue(scheduled, []);
  await enqueuer.drain();
  expect(woken.map(({ workspaceId, id }) => ({ workspaceId, id }))).toEqual([
    { workspaceId: ids[1], id: scheduled[1]?.id },
  ]);
});
