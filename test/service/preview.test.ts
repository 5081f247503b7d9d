import { expect, it } from 'vitest';
import { createWorkspace } from '../support/workspace.ts';
import { openTransferScene } from './transfer-scene.ts';

const commandsPath = '/api/v1/transfer/command';

const { service, workspace, mongodb, line } = await openTransferScene('4.5', { source: '10', target: '1' });

const preview = (body: object, by = workspace) => by.client.request('POST', `${commandsPath}/preview`, { body });
const stored = (): Promise<number[]> =>
  Promise.all(['orders', 'flows', 'signedRequests'].map((name) => mongodb.db().collection(name).countDocuments()));

it('tells how an order would end, and how it would leave its wallets, and stores nothing', async () => {
  const before = await stored();
  const untouched = {
    source: { balance: '10.00', available: '10.00' },
    target: { balance: '1.00', available: '1.00' },
  };
  const completed = {
    status: 'COMPLETED',
    failure: null,
    source: { balance: '5.50', available: '5.50' },
    target: { balance: '5.50', available: '5.50' },
  };
  expect((await preview(line)).envelope?.data).toEqual(completed);
  const executeAt = new Date(Date.now() + 3_600_000).toISOString();
  expect((await preview({ ...line, executeAt, bizId: 'planned' })).envelope?.data).toEqual(completed);
  expect((await preview({ ...line, amount: '10.01' })).envelope?.data).toEqual({
    status: 'FAILED',
    failure: { code: 'TR4223', message: 'INSUFFICIENT_BALANCE' },
    ...untouched,
  });
  expect(await stored()).toEqual(before);
});

it.each<[string, object]>([
  ['an unknown wallet', { ...line, targetWalletId: 'wa_unknown' }],
  ['too many decimals', { ...line, amount: '1.234', bizId: 'new' }],
  ['an unknown field', { ...line, more: 1 }],
  ['a time that has passed', { ...line, executeAt: '2020-01-01T00:00:00Z' }],
])('is refused as a create is: %s', async (_, body) => {
  const before = await stored();
  const [previewed, created] = [
    await preview(body),
    await workspace.client.request('POST', `${commandsPath}/create`, { body }),
  ];
  expect(previewed.status).toBeGreaterThanOrEqual(400);
  for (const header of ['x-error-reason', 'x-error-field'])
    expect(previewed.headers[header]).toBe(created.headers[header]);
  expect([previewed.status, previewed.envelope?.code]).toEqual([created.status, created.envelope?.code]);
  expect(await stored()).toEqual(before);
});

it('needs the scope of a create, and that to read wallets', async () => {
  for (const [has, lacks] of [
    ['transfer:create', 'wallet:read'],
    ['wallet:read', 'transfer:create'],
  ] as const) {
    const answer = await preview(line, await createWorkspace(service, [has]));
    expect([answer.status, answer.envelope?.code, answer.headers['x-error-value']]).toEqual([403, 'GA2024', lacks]);
  }
});
