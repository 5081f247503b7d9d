import { expect, it } from 'vitest';
import { sendCommand, untilOrder } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const service = await serviceForTests({ workers: 0 });
const workspace = await createWorkspace(service);

/** As a web process of the service knows them. */
async function currenciesOf({ client }: TestWorkspace): Promise<{ code: string; decimals: number }[]> {
  const { envelope } = await client.request<{ currencies: { code: string; decimals: number }[] }>('GET', '/api/v1/key');
  return envelope?.data.currencies ?? [];
}

it('a currency that is added is known to the processes that run, and posted', async () => {
  await service.startWorker();
  await service.admin('currencies', 'add', '--currency', 'GEM', '--decimals', '3');
  const sides = {
    sourceWalletId: await workspace.wallet('5.5', 'GEM'),
    targetWalletId: await workspace.wallet('0', 'GEM'),
  };
  await waitFor(async () => (await currenciesOf(workspace)).some(({ code }) => code === 'GEM'));
  const { status, envelope } = await sendCommand(workspace, 'create', { ...sides, amount: '0.125', currency: 'GEM' });
  expect([status, envelope?.data.amount]).toEqual([200, '0.125']);
  await untilOrder(workspace, envelope!.data.transferId, ({ status }) => status === 'COMPLETED');
  const list = await workspace.client.request<{ total: number }>('GET', '/api/v1/wallets', { query: 'currency=GEM' });
  expect([list.status, list.envelope?.data.total]).toEqual([200, 2]);
});
