import { expect, it } from 'vitest';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const postedMaxMs = 60_000;

const service = await serviceForTests({ workers: 0 });
const workspace = await createWorkspace(service);

interface OrderBody {
  readonly sourceWalletId: string;
  readonly targetWalletId: string;
  readonly amount: string;
  readonly currency: string;
  readonly bizId?: string;
}

const create = (body: OrderBody) =>
  workspace.client.request<{ transferId: string; status: string; amount: string }>(
    'POST',
    '/api/v1/transfer/command/create',
    { body },
  );
const untilPosted = (id: string) =>
  waitFor(
    async () => {
      const { envelope } = await workspace.client.request<{ status: string }>(
        'GET',
        `/api/v1/transfer/query/orders/${id}`,
      );
      return envelope?.data.status === 'COMPLETED';
    },
    { timeoutMs: postedMaxMs },
  );

/** As a web process of the service knows them. */
async function currenciesOf({ client }: TestWorkspace): Promise<{ code: string; decimals: number }[]> {
  const { envelope } = await client.request<{ currencies: { code: string; decimals: number }[] }>('GET', '/api/v1/key');
  return envelope?.data.currencies ?? [];
}

it('a currency that is added is known to the processes that run, and posted', async () => {
  await service.startWorker();
  await service.admin('currencies', 'add', '--currency', 'GEM', '--decimals', '3');
  const body = { sourceWalletId: '', targetWalletId: '', amount: '0.125', currency: 'GEM' };
  const source = await workspace.wallet('5.5', 'GEM');
  const target = await workspace.wallet('0', 'GEM');
  await waitFor(async () => (await currenciesOf(workspace)).some(({ code }) => code === 'GEM'));
  const { status, envelope } = await create({ ...body, sourceWalletId: source, targetWalletId: target });
  expect([status, envelope?.data.amount]).toEqual([200, '0.125']);
  await untilPosted(envelope?.data.transferId ?? '');
  const list = await workspace.client.request<{ total: number }>('GET', '/api/v1/wallets', { query: 'currency=GEM' });
  expect([list.status, list.envelope?.data.total]).toEqual([200, 2]);
});
