import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WebhookType } from '../../src/domain/webhook.ts';
import type { EndpointChange } from '../../src/storage/webhooks/endpoints.ts';
import type { OutboxEntry } from '../../src/storage/webhooks/outbox.ts';
import { waitFor } from '../support/wait-for.ts';
import { openLedger, type Ledger, type Transfer } from './posting-ways.ts';

const conflict = { errorCode: 112 };
const funding: Transfer[] = [['world', 'alice', '100']];
const mixed: Transfer[] = [...funding, ['alice', 'bob', '30'], ['carol', 'bob', '80']];
const secret = { masterKeyVersion: 1, sealed: new Uint8Array(28), createdAt: new Date(), expiresAt: null };

describe('a group of a workspace with webhooks', () => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await openLedger({ withWebhooks: true });
  });
  afterEach(async () => {
    await ledger.close();
    expect(ledger.complaints).toEqual([]);
  });

  const subscribe = async (...events: WebhookType[]): Promise<string> => {
    const values = {
      workspaceId: ledger.workspaceId,
      url: `https://a.example/${events.join()}`,
      description: '',
      events,
    };
    const endpoint = await ledger.collections.webhookEndpoints.create(values, () => secret);
    if (typeof endpoint === 'string') throw new Error(endpoint);
    return endpoint.id;
  };
  const stored = () => ledger.db.collection<OutboxEntry>('webhookOutbox').find().toArray();

  it('leaves one entry, in the transaction that posts it', async () => {
    const [both, failures] = [
      await subscribe('transfer.completed', 'transfer.failed'),
      await subscribe('transfer.failed'),
    ];
    const orders = await ledger.record(mixed);
    const before = ledger.sent.length;
    expect(await ledger.post(orders)).toEqual(['completed', 'completed', 'failed']);
    expect(ledger.sent.slice(before).filter((name) => name !== 'find')).toEqual([
      ...['update', 'update', 'insert', 'insert'],
      'commitTransaction',
    ]);
    const [first, second, third] = orders.map(({ id }) => id);
    const { workspaceId } = ledger;
    expect(await stored()).toMatchObject([
      { workspaceId, completed: [first, second], failed: [third], pending: [both, failures] },
    ]);
    expect(ledger.announced).toEqual(await stored());
    expect(await ledger.breaches()).toEqual([]);
  });

  it('leaves nothing where nobody asked for what happened', async () => {
    await subscribe('transfer.failed');
    await ledger.post(await ledger.record(funding));
    expect(await stored()).toEqual([]);
  });

  it('leaves an entry that nobody waits for where the endpoint is disabled: it can be replayed', async () => {
    const [disabled, enabled] = [await subscribe('transfer.completed'), await subscribe('transfer.failed')];
    const { workspaceId } = ledger;
    const off = { status: 'DISABLED', disabledReason: 'FAILING' } as const;
    await ledger.collections.webhookEndpoints.change({ workspaceId, id: disabled }, off);
    const [first, ...rest] = await ledger.record(mixed);
    await ledger.post([first!]);
    await ledger.post(rest);
    expect(await stored()).toMatchObject([
      { completed: [first!.id], failed: [], pending: [], missedBy: [disabled] },
      { completed: [rest[0]!.id], failed: [rest[1]!.id], pending: [enabled], missedBy: [disabled] },
    ]);
  });

  it('leaves an entry of what was posted alone, however often its transaction runs', async () => {
    await subscribe('transfer.completed');
    const orders = await ledger.record([...funding, ['alice', 'bob', '1']]);
    const [, taken] = orders;
    // Somebody else settles one of them in between; then a write conflict; then the commit's answer is lost.
    ledger.meddle(async () => {
      const settled = { status: 'FAILED', failure: 'INSUFFICIENT_BALANCE' };
      await ledger.db.collection<{ _id: string }>('orders').updateOne({ _id: taken!.id }, { $set: settled });
      // One after the other: a server has one fail point.
      ledger.meddle(async () => {
        await ledger.failNext('insert', conflict);
        ledger.meddle(() => ledger.failNext('commitTransaction', { closeConnection: true }));
      });
    });
    await ledger.post(orders);
    expect(ledger.attempts()).toBe(3);
    expect((await stored()).map(({ completed, failed }) => ({ completed, failed }))).toEqual([
      { completed: [orders[0]!.id], failed: [] },
    ]);
    expect(ledger.announced).toEqual(await stored());
  });

  it('tells who is enabled when its transaction runs, not who was when it ran first', async () => {
    const endpointId = await subscribe('transfer.completed');
    const change = (values: EndpointChange) =>
      ledger.collections.webhookEndpoints.change({ workspaceId: ledger.workspaceId, id: endpointId }, values);
    await change({ status: 'DISABLED', disabledReason: 'FAILING' });
    const orders = await ledger.record(funding);
    ledger.meddle(async () => {
      await change({ status: 'ENABLED', disabledReason: null });
      const { workspaceId } = ledger;
      await waitFor(async () => (await ledger.subscribersOf([workspaceId])).get(workspaceId)?.[0]?.isEnabled);
      await ledger.failNext('insert', conflict);
    });
    await ledger.post(orders);
    expect(await stored()).toMatchObject([{ completed: [orders[0]!.id], pending: [endpointId] }]);
  });

  it('is not posted where its entry cannot be written, and leaves none', async () => {
    await subscribe('transfer.completed');
    const orders = await ledger.record(funding);
    await ledger.db.command({ collMod: 'webhookOutbox', validator: { completed: 'none' } });
    await ledger.post(orders);
    expect(await stored()).toEqual([]);
    expect((await ledger.books()).orders).toEqual([['PENDING', null]]);
    await ledger.db.command({ collMod: 'webhookOutbox', validator: {} });
    await ledger.post(orders);
    expect((await stored()).map(({ completed }) => completed)).toEqual([[orders[0]!.id]]);
  });
});
