import { describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { refusalOf } from '../support/api-client.ts';
import { findOrder, hasEnded, sendCommand, untilOrder } from '../support/orders.ts';
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

it('a deposit and a withdrawal may be for a later time too, and cancelled until then', async () => {
  const wallet = await workspace.wallet();
  const usd = { amount: '5', currency: 'USD' };
  const soon = await sendCommand(workspace, 'deposit', { targetWalletId: wallet, ...usd, executeAt: inMs(500) });
  const later = await sendCommand(workspace, 'withdraw', { sourceWalletId: wallet, ...usd, executeAt: inMs(dayMs) });
  for (const { envelope } of [soon, later]) expect(envelope!.data.status).toBe('SCHEDULED');
  expect(await done(soon.envelope!.data.transferId)).toMatchObject({ type: 'DEPOSIT', status: 'COMPLETED' });
  const { transferId } = later.envelope!.data;
  const { envelope } = await sendCommand(workspace, 'cancel', { transferId }, {});
  expect(envelope!.data).toMatchObject({ type: 'WITHDRAWAL', status: 'CANCELLED' });
});

it('a plain order is not repeated by one for a later time', async () => {
  const { envelope } = await create({ bizId: 'plain' });
  expect(envelope!.data).toMatchObject({ status: 'COMPLETED', executeAt: null });
  expect((await create({ bizId: 'plain', executeAt: inMs(60_000) })).envelope).toMatchObject({ code: 'TR4091' });
});

it('wallets are checked at once, and again at the time', async () => {
  const poor = await workspace.wallet('1');
  const unknown = await create({ sourceWalletId: newId('wallet'), executeAt: inMs(60_000) });
  expect(refusalOf(unknown)).toEqual([404, 'WA4041', 'WALLET_NOT_FOUND', 'sourceWalletId', undefined]);
  const { envelope } = await create({ sourceWalletId: poor, amount: '2', executeAt: inMs(700) });
  expect(envelope!.data).toMatchObject({ status: 'SCHEDULED' });
  expect(await done(envelope!.data.transferId)).toMatchObject({ status: 'FAILED', failure: { code: 'TR4223' } });
});

it.each([
  ['366 days and a minute ahead', () => inMs(366 * dayMs + 60_000)],
  ['a leap second', () => `${new Date(Date.now() + dayMs).toISOString().slice(0, 10)}T23:59:60Z`],
  ['without a zone', () => inMs(60_000).replace('Z', '')],
  ['null', () => null],
])('a time that is %s is refused', async (_, executeAt) => {
  const [status, code, , field] = refusalOf(await create({ executeAt: executeAt() }));
  expect([status, code, field]).toEqual([400, 'RQ4001', 'executeAt']);
});

it('a time finer than a millisecond is rounded up', async () => {
  const executeAt = inMs(3_600_000);
  const { envelope } = await create({ executeAt: executeAt.replace('Z', '0001Z') });
  expect(envelope!.data.executeAt).toBe(new Date(Date.parse(executeAt) + 1).toISOString());
});

describe('a cancel', () => {
  const later = () => ({ executeAt: inMs(3_600_000) });
  const cancel = (body: object, by = workspace) => sendCommand(by, 'cancel', body, {});
  const refusal = async (body: object, by = workspace) => {
    const [status, code, , field, value] = refusalOf(await cancel(body, by));
    return [status, code, field, value];
  };

  it('ends a SCHEDULED order, by its id or its bizId, and the same again says how it stands', async () => {
    for (const named of [{}, { bizId: 'rent-1' }]) {
      const { transferId, executeAt } = (await create({ ...later(), ...named })).envelope!.data;
      const name = { transferId, ...('bizId' in named && { transferId: named.bizId }) };
      const [first, again] = [await cancel(name), await cancel(name)];
      const replayed = [first, again].map(({ status, headers }) => [status, headers['idempotent-replayed']]);
      expect(replayed).toEqual([
        [200, undefined],
        [200, 'true'],
      ]);
      expect(first.envelope!.data).toMatchObject({ transferId, status: 'CANCELLED', executeAt, completedAt: null });
      expect(again.envelope!.data).toEqual(first.envelope!.data);
      expect(await findOrder(workspace, transferId)).toEqual(first.envelope!.data);
    }
  });

  it('of what cannot be cancelled is refused, with its status, to a client and to support', async () => {
    const { transferId } = (await create({})).envelope!.data;
    const failed = (await create({ amount: '5000' })).envelope!.data;
    const scheduled = (await create(later())).envelope!.data;
    expect(await refusal({ transferId })).toEqual([409, 'TR4092', 'transferId', 'COMPLETED']);
    expect(await refusal({ transferId: failed.transferId })).toEqual([409, 'TR4092', 'transferId', 'FAILED']);
    const other = await createWorkspace(service);
    for (const [id, by] of [['unknown', workspace] as const, [scheduled.transferId, other] as const])
      expect(await refusal({ transferId: id }, by)).toEqual([404, 'TR4041', 'transferId', undefined]);
    const support = (id: string) => service.admin('transfer', 'cancel', '--id', id);
    await expect(support('tr_none')).rejects.toThrow('there is no order tr_none');
    await expect(support(transferId)).rejects.toThrow('is COMPLETED: only one that is SCHEDULED');
    expect(await findOrder(workspace, scheduled.transferId)).toMatchObject({ status: 'SCHEDULED' });
    expect(await service.admin('verify')).toMatchObject({ breaches: 0 });
  });
});
