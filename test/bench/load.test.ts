import { expect, test } from 'vitest';
import type { LoadOrder } from '../../bench/load/load-order.ts';
import { makeRequests } from '../../bench/load/make-requests.ts';
import { createSchedule } from '../../bench/load/schedule.ts';

const order: LoadOrder = {
  ...{ kind: 'create', pattern: 'uniform', wallets: { funded: 2, unfunded: 0 }, walletIds: ['wa_1', 'wa_2'], seed: 1 },
  ...{ port: 1, ratePerSecond: 4, seconds: 1, connections: 1, redisUrl: '', workspaceId: 'ws_1' },
  ...{ keys: [{ apiKey: 'ak_1', apiSecret: 'secret' }], orderIds: [], reads: [] },
};
const textsOf = (more: Partial<LoadOrder>): string[] =>
  makeRequests({ ...order, ...more }, createSchedule(4, 1), new Date(0)).map(String);

test('a create that is to be answered at its order’s end prefers to wait, and no other', () => {
  const awaited = textsOf({ awaitsEnd: true });
  expect(awaited).toHaveLength(4);
  for (const text of awaited) expect(text).toContain('\r\nPrefer: wait=10\r\n');
  for (const text of textsOf({})) expect(text).not.toContain('Prefer');
});
