import { afterAll, expect, test } from 'vitest';
import { createClient } from 'signed-wallet-client';
import { outcomesOf, sendBatch } from '../support/batches.ts';
import { expectSoundBooks, type OrderData } from '../support/orders.ts';
import { processesForTests } from '../support/service.ts';
import { allScopes, createWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../webhooks/delivering.ts';

/*
 * A month in which much comes due, put forward again and again: what is told of it is always the same. How long it takes is printed,
 * and not asserted.
 */

interface Clock {
  now: string;
}
const monthMs = 31 * 86_400_000;
const momentMs = 12 * 3_600_000;
const linesMax = 500;
const receiver = await startReceiver();
const service = await processesForTests({
  workers: 2,
  env: { WEBHOOK_ALLOW_LOCAL: 'true', KEY_RATE_PER_SECOND: '1000000' },
});
afterAll(() => receiver.close());

/** Twice a day some orders come due and some holds expire. @returns what was told of them, by the time since the month began. */
async function month(count: number): Promise<string[]> {
  const workspace = await createWorkspace(service, allScopes, '--test');
  const [sourceWalletId, targetWalletId] = [await workspace.wallet('1000000'), await workspace.wallet()];
  const { envelope } = await workspace.client.request<Clock>('GET', '/api/v1/test/clock');
  const begin = Date.parse(envelope!.data.now);
  const holds = new Map<string, string>();
  const pay = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  const lines = Array.from({ length: count }, (_, index) => {
    const at = new Date(begin + momentMs * (1 + (index % (monthMs / momentMs)))).toISOString();
    const bizId = `order-${index}`;
    return index % 10 === 0 ? { type: 'HOLD', ...pay, bizId, expiresAt: at } : { ...pay, bizId, executeAt: at };
  });
  for (let from = 0; from < count; from += linesMax) {
    const options = { headers: { Prefer: 'wait=10' } };
    const answer = await sendBatch(workspace, lines.slice(from, from + linesMax), options);
    expect(new Set(outcomesOf(answer))).toEqual(new Set(['SCHEDULED', 'COMPLETED']));
    for (const { order } of answer.envelope!.data.items)
      if (order !== undefined) holds.set(order.transferId, order.bizId);
  }
  await workspace.webhook(receiver.url);
  receiver.received.length = 0;

  const startedAt = performance.now();
  const { apiKey, apiSecret } = workspace;
  const client = createClient({ baseUrl: service.baseUrl, apiKey, apiSecret });
  const { started, expired } = await client.test.clock.advance({ by: 'P31D' });
  const seconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(`${count} orders and holds, and as many webhooks, came due in ${seconds.toFixed(1)} s\n`);
  expect({ started, expired }).toEqual({ started: count - count / 10, expired: count / 10 });

  const told = receiver.received.map(
    ({ body }) => JSON.parse(body) as { timestamp: string; type: string; data: OrderData },
  );
  const times = told.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted());
  return told
    .map(({ timestamp, type, data }) => {
      const what = data.parentId === null ? data.bizId : `release of ${holds.get(data.parentId) ?? ''}`;
      return `${String(Date.parse(timestamp) - begin).padStart(10, '0')} ${type} ${data.type} ${what}`;
    })
    .toSorted();
}

test('a month is told alike, twenty times', async () => {
  const first = await month(310);
  expect(first).toHaveLength(310);
  for (let run = 2; run <= 20; run += 1) expect(await month(310)).toEqual(first);
  await expectSoundBooks(service);
});

test('a month of ten thousand', async () => {
  expect(await month(10_000)).toHaveLength(10_000);
});
