import { expect, it } from 'vitest';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const path = '/api/v1/wallets';

interface WalletData {
  id: string;
  reference: string | null;
}

const service = await serviceForTests({ workers: 0 });
const own = await createWorkspace(service);
const post = async (rest: string, body: object = {}) =>
  (await own.client.request<WalletData>('POST', path + rest, { body })).envelope!.data;
const wallets: WalletData[] = [];
for (const [index, currency] of ['USD', 'EUR', 'USD', 'EUR', 'USD', 'USD'].entries())
  wallets.push(await post('', { currency, reference: `ref-${index}` }));
await post(`/${wallets[0]!.id}/freeze`);
await post(`/${wallets[1]!.id}/freeze`);
await post(`/${wallets[2]!.id}/close`);

const list = async (query: Record<string, string>) => {
  const answer = await own.client.request<{ items: WalletData[]; total: number; nextCursor: string | null }>(
    ...['GET', path, { query }],
  );
  return answer.envelope!.data;
};
const found = async (query: Record<string, string>) => {
  const { items, total } = await list(query);
  return [items.map(({ reference }) => reference?.slice(4)).join(''), total];
};

it.each([
  [{}, '543210', 6],
  [{ reference: 'ref-3' }, '3', 1],
  [{ reference: 'ref-3', currency: 'EUR' }, '3', 1],
  [{ reference: 'ref-3', currency: 'USD' }, '', 0],
  [{ reference: 'ref-1', status: 'FROZEN' }, '1', 1],
  [{ reference: 'ref-1', status: 'ACTIVE' }, '', 0],
  [{ reference: 'ref-1', status: 'FROZEN', currency: 'EUR' }, '1', 1],
  [{ reference: 'ref-9' }, '', 0],
  [{ currency: 'USD' }, '5420', 4],
  [{ currency: 'EUR' }, '31', 2],
  [{ currency: 'GBP' }, '', 0],
  [{ status: 'ACTIVE' }, '543', 3],
  [{ status: 'FROZEN' }, '10', 2],
  [{ status: 'CLOSED' }, '2', 1],
  [{ currency: 'USD', status: 'FROZEN' }, '0', 1],
  [{ currency: 'EUR', status: 'CLOSED' }, '', 0],
])('the list with %j is what has all of it, newest first, and its number', async (query, references, total) => {
  expect(await found(query as unknown as Record<string, string>)).toEqual([references, total]);
});
