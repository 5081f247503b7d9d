import { expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { hasEnded, sendCommand, untilOrder } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

const dayMs = 86_400_000;
const service = await serviceForTests();
const workspace = await createWorkspace(service);
const [alice, bob] = [await workspace.wallet('100'), await workspace.wallet()];

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const create = (body: object) =>
  sendCommand(workspace, 'create', {
    sourceWalletId: alice,
    targetWalletId: bob,
    amount: '1',
    currency: 'USD',
    ...body,
  });
const done = (transferId: string) => untilOrder(workspace, transferId, hasEnded);

it('an order for a later time is answered at once, posted at its time, and found by its bizId ever after', async () => {
  const executeAt = inMs(1_500);
  const body = { executeAt, bizId: 'rent' };
  const { status, envelope, headers } = await create(body);
  expect([status, headers['preference-applied']]).toEqual([200, undefined]);
  expect(envelope!.data).toMatchObject({ status: 'SCHEDULED', executeAt });
  const { transferId } = envelope!.data;

  const replay = await create(body);
  expect(replay.envelope!.data).toMatchObject({ transferId, status: 'SCHEDULED' });
  expect([replay.headers['idempotent-replayed'], replay.headers['preference-applied']]).toEqual(['true', undefined]);

  expect(await done(transferId)).toMatchObject({ status: 'COMPLETED', executeAt });
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(executeAt));
  // After its time too, and with the same moment in another zone.
  const later = await create({ ...body, executeAt: executeAt.replace('Z', '+00:00') });
  expect([later.status, later.headers['idempotent-replayed']]).toEqual([200, 'true']);
  expect(later.envelope!.data).toMatchObject({ transferId, status: 'COMPLETED' });
  for (const other of [{ bizId: 'rent' }, { bizId: 'rent', executeAt: inMs(60_000) }]) {
    expect((await create(other)).envelope).toMatchObject({ code: 'TR4091' });
  }
});

it('a plain order is not repeated by one for a later time', async () => {
  const { envelope } = await create({ bizId: 'plain' });
  expect(envelope!.data).toMatchObject({ status: 'COMPLETED', executeAt: null });
  expect((await create({ bizId: 'plain', executeAt: inMs(60_000) })).envelope).toMatchObject({ code: 'TR4091' });
});

it('wallets are checked at once, and again at the time', async () => {
  const poor = await workspace.wallet('1');
  const unknown = await create({ sourceWalletId: newId('wallet'), executeAt: inMs(60_000) });
  expect([unknown.status, unknown.envelope!.code, unknown.headers['x-error-field']]).toEqual([
    404,
    'WA4041',
    'sourceWalletId',
  ]);
  const { envelope } = await create({ sourceWalletId: poor, amount: '2', executeAt: inMs(700) });
  expect(envelope!.data).toMatchObject({ status: 'SCHEDULED' });
  expect(await done(envelope!.data.transferId)).toMatchObject({ status: 'FAILED', failure: { code: 'TR4223' } });
});

it.each([
  ['a second ago', () => inMs(-1_000)],
  ['366 days and a minute ahead', () => inMs(366 * dayMs + 60_000)],
  ['a leap second', () => `${new Date(Date.now() + dayMs).toISOString().slice(0, 10)}T23:59:60Z`],
  ['without a zone', () => inMs(60_000).replace('Z', '')],
  ['null', () => null],
])('a time that is %s is refused', async (_, executeAt) => {
  const { status, envelope, headers } = await create({ executeAt: executeAt() });
  expect([status, envelope!.code, headers['x-error-field']]).toEqual([400, 'RQ4001', 'executeAt']);
});

it('a time finer than a millisecond is rounded up', async () => {
  const executeAt = inMs(3_600_000);
  const { envelope } = await create({ executeAt: executeAt.replace('Z', '0001Z') });
  expect(envelope!.data.executeAt).toBe(new Date(Date.parse(executeAt) + 1).toISOString());
});
