import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendCommand } from '../support/orders.ts';
import { startService, type RunningService } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

let service: RunningService;
let workspace: TestWorkspace;
let walletId: string;
let targetWalletId: string;
beforeAll(async () => {
  service = await startService({ workers: 1 });
  workspace = await createWorkspace(service);
  [walletId, targetWalletId] = [await workspace.wallet('100'), await workspace.wallet()];
  const month = { calendar: 'month', timeZone: 'Europe/Berlin' };
  const limits = [
    { name: 'payment', amount: '60', window: 'order' },
    { name: 'monthly', amount: '70', count: 9, window: month },
    { name: 'hourly', count: 3, window: { rolling: 'PT1H' } },
  ];
  await workspace.post(`wallets/${walletId}/limits`, { limits });
  const alerts = [
    { name: 'low', availableBelow: '50' },
    { name: 'rich', availableAbove: '1000' },
    { name: 'most', limitUsed: { limit: 'monthly', share: '0.75' } },
  ];
  await workspace.post(`wallets/${walletId}/alerts`, { alerts });
});
afterAll(() => service.stop());

const pay = async (amount: string) =>
  (await sendCommand(workspace, 'create', { sourceWalletId: walletId, targetWalletId, amount, currency: 'USD' }))
    .envelope!.data;
/** What a page says, each part of it behind a space. */
const textOf = async (id: string): Promise<string> => {
  const html = await (await fetch(`${service.opsUrl}/search?id=${id}`)).text();
  return html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
};

it('shows what a wallet may give and has given, and what its alerts say', async () => {
  await pay('55');
  const page = await textOf(walletId);
  expect(page).toContain(' payment each order 60.00 0.00 60.00 – 0 ');
  expect(page).toMatch(/ monthly each month in Europe\/Berlin 70\.00 55\.00 15\.00 9 1 \d{4}-\d\d-\d\d 2[23]:00:00 /);
  expect(page).toContain(' hourly the last PT1H – 55.00 – 3 1 ');
  expect(page).toMatch(/ low raised [\d: -]+ available below 50\.00 /);
  expect(page).toMatch(/ rich cleared [\d: -]+ available above 1000\.00 /);
  expect(page).toMatch(/ most raised [\d: -]+ 0\.75 of the limit monthly is used /);
  const other = await textOf(targetWalletId);
  for (const title of ['Its limits', 'Its alerts']) expect(other).not.toContain(title);
});

it('shows on the page of an order the limit or budget that it would have passed, and its key', async () => {
  const { transferId } = await pay('20');
  const page = await textOf(transferId);
  const used = '55.00 of 70.00 USD used, 1 of 9 orders';
  expect(page).toContain('LIMIT_EXCEEDED that is The order would have passed a limit of the source wallet.');
  expect(page).toContain(`limit that it would pass monthly, each month in Europe/Berlin: ${used} `);
  const [, ...parts] = / made by key (\S+) (\S+) (\S+) /.exec(page) ?? [];
  expect(parts.join('')).toBe(workspace.apiKey);

  const budget = ['--set', 'trial', '--currency', 'USD', '--amount', '5', '--window', 'total'];
  await service.admin('key', 'budget', '--key', workspace.apiKey, ...budget);
  const failed = await textOf((await pay('10')).transferId);
  expect(failed).toContain('limit that it would pass trial, in total: 0.00 of 5.00 USD used ');
});
