import { afterAll, describe, expect, it } from 'vitest';
import { refusalOf } from '../support/api-client.ts';
import { expectSoundBooks, findOrder, hasEnded, sendCommand, untilOrder, type OrderData } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { allScopes, createWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../webhooks/delivering.ts';

interface Clock {
  now: string;
  nextDueAt: string | null;
}
interface Advanced extends Record<'from' | 'to' | 'now', string> {
  done: boolean;
  started: number;
  expired: number;
}

const dayMs = 86_400_000;
const path = '/api/v1/test/clock';
const receiver = await startReceiver();
const service = await serviceForTests({ workers: 2, webs: 2, env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
afterAll(() => receiver.close());
const newWorkspace = () => createWorkspace(service, allScopes, '--test');
type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

const clockOf = async ({ client }: Workspace): Promise<Clock> =>
  (await client.request<Clock>('GET', path)).envelope!.data;
const advance = async ({ client }: Workspace, body: object): Promise<Advanced> => {
  const answer = await client.request<Advanced>('POST', path, { body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.envelope!.data;
};
const after = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();
async function done(workspace: Workspace, name: string, body: object): Promise<OrderData> {
  const { status, envelope, text } = await sendCommand(workspace, name, body);
  if (status !== 200) throw new Error(text);
  return envelope!.data;
}

describe('a test workspace', () => {
  it('says so, and its clock begins with the real one', async () => {
    const workspace = await newWorkspace();
    expect(workspace.apiKey).toMatch(/^ak_test_/);
    const { envelope } = await workspace.client.request<Record<string, string>>('GET', '/api/v1/key');
    const { now, serverTime } = envelope!.data;
    expect(envelope!.data).toMatchObject({ test: true });
    expect(Math.abs(Date.parse(now!) - Date.parse(serverTime!))).toBeLessThan(1_000);
    expect((await clockOf(workspace)).nextDueAt).toBeNull();
  });

  it('is the only one with a clock', async () => {
    const other = await createWorkspace(service);
    for (const method of ['GET', 'POST'])
      expect((await other.client.request(method, path, method === 'POST' ? { body: {} } : {})).envelope).toMatchObject({
        code: '50090201',
      });
    const { envelope } = await other.client.request('GET', '/api/v1/key');
    expect(envelope!.data).toMatchObject({ test: false });
  });
});

describe('putting its clock forward', () => {
  it('jumps over nothing: all that is due is dated with its moment, and told', async () => {
    const workspace = await newWorkspace();
    const [alice, bob] = [await workspace.wallet('100'), await workspace.wallet()];
    await workspace.webhook(receiver.url);
    const pay = { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' };
    const { now } = await clockOf(workspace);
    const [first, second, late] = [3, 10, 40].map((days) => after(now, days * dayMs));
    const rents = [];
    for (const executeAt of [second, first, late]) rents.push(await done(workspace, 'create', { ...pay, executeAt }));
    const hold = await done(workspace, 'hold', { ...pay, amount: '5', expiresAt: after(now, 7 * dayMs) });
    // The webhook that tells of the hold is due before.
    await waitFor(async () => (await clockOf(workspace)).nextDueAt === first);
    receiver.received.length = 0;

    const advanced = await advance(workspace, { advanceBy: 'P31D' });
    expect(advanced).toMatchObject({ done: true, started: 2, expired: 1 });
    expect(advanced.now >= advanced.to).toBe(true);
    expect(Date.parse(advanced.to) - Date.parse(advanced.from)).toBe(31 * dayMs);
    const orders = await Promise.all([...rents, hold].map(({ transferId }) => findOrder(workspace, transferId)));
    expect(orders.map(({ status, completedAt }) => [status, completedAt])).toEqual([
      ['COMPLETED', second],
      ['COMPLETED', first],
      ['SCHEDULED', null],
      ['COMPLETED', hold.completedAt],
    ]);
    expect(orders[3]!.hold).toMatchObject({ state: 'EXPIRED' });
    expect((await clockOf(workspace)).nextDueAt).toBe(late);
    const told = receiver.received.map(
      ({ body }) => JSON.parse(body) as { test: boolean; timestamp: string; data: OrderData },
    );
    expect(told.map(({ test, timestamp, data }) => [test, timestamp, data.type])).toEqual([
      [true, first, 'TRANSFER'],
      [true, hold.hold!.expiresAt, 'RELEASE'],
      [true, second, 'TRANSFER'],
    ]);
    const { envelope } = await workspace.client.request<{ items: { createdAt: string }[] }>(
      ...(['GET', `/api/v1/wallets/${bob}/flows`] as const),
    );
    expect(envelope!.data.items.map(({ createdAt }) => createdAt)).toEqual([second, first]);
    const at = after(first!, -1);
    const balance = await workspace.client.request('GET', `/api/v1/wallets/${bob}/balance`, { query: { at } });
    expect(balance.envelope!.data).toMatchObject({ balance: '0.00', asOf: at });
    await expectSoundBooks(service);
  });

  it('has webhooks tried again, and given up, by its time', async () => {
    const workspace = await newWorkspace();
    const [alice, bob] = [await workspace.wallet('100'), await workspace.wallet()];
    const failing = await startReceiver((_, response) => void response.writeHead(500).end());
    const id = await workspace.webhook(failing.url);
    await done(workspace, 'create', { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' });
    await waitFor(() => failing.received.length > 0);
    const { from } = await advance(workspace, { advanceBy: 'PT9H' });
    const { envelope } = await workspace.client.request<{ items: { attempts: number; lastAttemptAt: string }[] }>(
      ...(['GET', `/api/v1/webhooks/${id}/deliveries`] as const),
    );
    // After 5 s, 15 s, 45 s … and the next after ten hours at the earliest.
    const [delivery] = envelope!.data.items;
    expect(delivery!.attempts).toBe(9);
    expect(Date.parse(delivery!.lastAttemptAt) - Date.parse(from)).toBeGreaterThan(3 * 3_600_000);
    await advance(workspace, { advanceBy: 'P2D' });
    const { envelope: given } = await workspace.client.request('GET', `/api/v1/webhooks/${id}`);
    expect(given!.data).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
    expect((await clockOf(workspace)).nextDueAt).toBeNull();
    await failing.close();
  });

  it('refuses what is too far, reversed or both, and does nothing for a time that has passed', async () => {
    const workspace = await newWorkspace();
    const { now } = await clockOf(workspace);
    const refused = async (body: object) => refusalOf(await workspace.client.request('POST', path, { body }));
    for (const [body, reason, field] of [
      [{}, 'FIELD_MISSING', 'advanceBy'],
      [{ advanceBy: 'P1D', to: after(now, dayMs) }, 'FIELD_UNKNOWN', 'to'],
      [{ advanceBy: 'P0D' }, 'FIELD_OUT_OF_RANGE', 'advanceBy'],
      [{ advanceBy: 'P1.5D' }, 'FIELD_MALFORMED', 'advanceBy'],
      [{ advanceBy: 'P2YT1S' }, 'FIELD_OUT_OF_RANGE', 'advanceBy'],
      [{ to: after(now, 800 * dayMs) }, 'FIELD_OUT_OF_RANGE', 'to'],
    ] as const)
      expect((await refused(body)).slice(0, 4)).toEqual([400, 'RQ4001', reason, field]);
    expect(await advance(workspace, { to: after(now, -dayMs) })).toMatchObject({ done: true, started: 0, expired: 0 });
    const { now: later } = await clockOf(workspace);
    expect(Date.parse(later) - Date.parse(now)).toBeLessThan(dayMs);
  });

  it('is done by one after the other', async () => {
    const workspace = await newWorkspace();
    const { now } = await clockOf(workspace);
    const both = await Promise.all([1, 2, 3].map(() => advance(workspace, { advanceBy: 'P10D' })));
    expect(both.every((each) => each.done)).toBe(true);
    const { now: later } = await clockOf(workspace);
    expect(Math.floor((Date.parse(later) - Date.parse(now)) / dayMs)).toBe(30);
  });

  it('leaves what comes due to happen as everywhere, by the clock that runs on', async () => {
    const workspace = await newWorkspace();
    const [alice, bob] = [await workspace.wallet('100'), await workspace.wallet()];
    await advance(workspace, { advanceBy: 'P1Y' });
    const { now } = await clockOf(workspace);
    const pay = { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' };
    const { transferId } = await done(workspace, 'create', { ...pay, executeAt: after(now, 1_500) });
    const hold = await done(workspace, 'hold', { ...pay, expiresAt: after(now, 61_000) });
    expect(hold).toMatchObject({ status: 'COMPLETED' });
    expect(await untilOrder(workspace, transferId, hasEnded)).toMatchObject({
      status: 'COMPLETED',
    });
  });
});

describe('a failure on demand', () => {
  it('is simulated', async () => {
    const workspace = await newWorkspace();
    const [alice, bob] = [await workspace.wallet('100'), await workspace.wallet()];
    const create = (simulate: string, more: object = {}) =>
      sendCommand(workspace, 'create', {
        ...{ sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD', metadata: { simulate } },
        ...more,
      });
    for (const code of ['TR4223', 'WA4221', 'TR4224', 'TR4225', 'TR4226', 'TR4229']) {
      const { envelope } = await create(code);
      expect(envelope!.data).toMatchObject({ status: 'FAILED', failure: { code } });
    }
    expect(refusalOf(await create('NOTHING')).slice(0, 4)).toEqual([
      ...[400, 'RQ4001', 'VALUE_NOT_ALLOWED', 'metadata.simulate'],
    ]);
    expect(refusalOf(await create('LOST_ANSWER')).slice(0, 4)).toEqual([400, 'RQ4001', 'FIELD_MISSING', 'bizId']);
    const away = await create('UNAVAILABLE', { bizId: 'away' });
    expect(away.status).toBe(503);
    expect((await create('UNAVAILABLE', { bizId: 'away' })).envelope!.data).toMatchObject({ status: 'COMPLETED' });
    await expect(create('LOST_ANSWER', { bizId: 'lost' })).rejects.toThrow();
    expect((await create('LOST_ANSWER', { bizId: 'lost' })).headers['idempotent-replayed']).toBe('true');
    const { envelope: slow } = await sendCommand(
      workspace,
      'create',
      { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD', metadata: { simulate: 'SLOW' } },
      { Prefer: 'wait=1' },
    );
    expect(slow!.data.status).toBe('PENDING');
    await advance(workspace, { advanceBy: 'PT1S' });
    expect(await findOrder(workspace, slow!.data.transferId)).toMatchObject({ status: 'COMPLETED' });
  });
});
