import { expect, it } from 'vitest';
import { sendCommand, untilOrder } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

/* Creates that race at a limit, and at a key's budget: as many pass as it lets pass, whichever come first. */

const creates = 2_000;
const passing = 100;
const atOnce = 100;

const service = await serviceForTests({ workers: 2, env: { KEY_RATE_PER_SECOND: '100000' } });

/** @returns how many of so many creates at once completed, and with which codes the others failed. */
async function race(workspace: Awaited<ReturnType<typeof createWorkspace>>, body: object) {
  const ids: string[] = [];
  let left = creates;
  const send = async (): Promise<void> => {
    for (left -= 1; left >= 0; left -= 1) {
      const { envelope } = await sendCommand(workspace, 'create', body, {});
      ids.push(envelope!.data.transferId);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  const ends = new Map<string, number>();
  for (const id of ids) {
    const { failure } = await untilOrder(workspace, id, ({ status }) => status !== 'PENDING');
    const end = failure === null ? 'COMPLETED' : failure.code;
    ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  return Object.fromEntries(ends);
}

it.each([
  ['an amount', { amount: '50.00', window: { rolling: 'PT24H' } }],
  ['a number of orders', { count: passing, window: { calendar: 'month', timeZone: 'Europe/Berlin' } }],
])('of 2,000 creates that race at a limit by %s exactly 100 pass', { timeout: 180_000 }, async (_, limit) => {
  const workspace = await createWorkspace(service);
  const [source, target] = [await workspace.wallet('100000'), await workspace.wallet()];
  const limits = [{ name: 'racing', ...limit }];
  const path = `/api/v1/wallets/${source}/limits`;
  expect((await workspace.client.request('POST', path, { body: { limits } })).status).toBe(200);
  const body = { sourceWalletId: source, targetWalletId: target, amount: '0.50', currency: 'USD' };
  expect(await race(workspace, body)).toEqual({ COMPLETED: passing, TR4230: creates - passing });
});

it('of 2,000 creates that race at a budget of their key exactly 100 pass', { timeout: 180_000 }, async () => {
  const workspace = await createWorkspace(service);
  const [source, target] = [await workspace.wallet('100000'), await workspace.wallet()];
  const budget = [
    '--key',
    workspace.apiKey,
    '--set',
    'agent',
    '--currency',
    'USD',
    '--amount',
    '50',
    '--window',
    'day',
  ];
  await service.admin('key', 'budget', ...budget);
  const body = { sourceWalletId: source, targetWalletId: target, amount: '0.50', currency: 'USD' };
  expect(await race(workspace, body)).toEqual({ COMPLETED: passing, TR4231: creates - passing });
});
