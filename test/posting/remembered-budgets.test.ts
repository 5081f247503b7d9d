import { expect, it, vi } from 'vitest';
import type { KeyBudgets } from '../../src/domain/budgets.ts';
import { toPost } from '../../src/orders/order.ts';
import { createRememberedBudgets } from '../../src/posting/remembered-budgets.ts';
import type { ClientSession } from '../../src/storage/shared/transaction.ts';
import { pendingOrder } from '../support/pending-order.ts';

const session = {} as ClientSession;
const sides = { sourceWalletId: 'wa_a', targetWalletId: 'wa_b', amount: '1', currency: 'EUR' };
const order = toPost({ ...pendingOrder({ workspaceId: 'ws_1', ...sides }), apiKey: 'ak_1' });

it('remembers nothing that was read in a transaction that was not committed', async () => {
  const versionsOf = vi.fn(() => Promise.resolve(new Map([['ws_1', 1]])));
  const find = vi.fn(() => Promise.resolve(new Map<string, KeyBudgets>()));
  const remembered = createRememberedBudgets({ versionsOf, find });
  const read = () => remembered.read([order], ['ws_1'], session);
  remembered.forget(['ws_1']);
  // An election takes back what it saw: the same number may stand for other budgets then.
  await read();
  const ofKey: KeyBudgets = { apiKey: 'ak_1', workspaceId: 'ws_1', budgets: [], version: 1, changes: 1 };
  find.mockResolvedValueOnce(new Map([['ak_1', ofKey]]));
  expect((await read()).budgets.get('ak_1')).toBe(ofKey);
  (await read()).keep();
  expect(find).toHaveBeenCalledTimes(3);
  await read();
  expect([find, versionsOf].map(({ mock }) => mock.calls.length)).toEqual([3, 3]);
});
