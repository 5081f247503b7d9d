import { describe, expect, it, onTestFinished } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import type { Delivery } from '../../src/storage/webhooks/deliveries.ts';
import { newDelivery } from '../../src/webhooks/delivery.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';
import { deliveryForTests, startReceiver } from './delivering.ts';

const database = testDatabase();
const delivery = await deliveryForTests(database);

async function receive(...answer: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...answer);
  onTestFinished(() => receiver.close());
  return receiver;
}

describe('a webhook that asked for one type of events', () => {
  it('has no event of another counted as waiting', async () => {
    const endpoint = await delivery.endpoint('https://example.com/counted', undefined, ['transfer.completed']);
    await delivery.settle(2, [endpoint.id]);
    await delivery.settle(3, [endpoint.id]);
    const { workspaceId } = delivery;
    await database.db
      .collection('webhookOutbox')
      .updateMany({ workspaceId, pending: endpoint.id }, { $set: { failed: ['tr_1', 'tr_2'] } });
    expect((await delivery.collections.webhookOutbox.waitingFor(endpoint)).events).toBe(5);
  });

  it('is not sent an event of another by a replay', async () => {
    const { id } = await delivery.endpoint('https://example.com/failed', undefined, ['transfer.failed']);
    const [eventId = ''] = await delivery.settle(1, []);
    const refused = { errorName: 'WEBHOOK_EVENT_NOT_FOUND' };
    await expect(delivery.replayEvent(id, eventId)).rejects.toMatchObject(refused);
    expect(await delivery.deliveries(id)).toEqual([]);
  });
});

describe('a URL', () => {
  const create = (url: string) =>
    delivery.owner.create({ workspaceId: delivery.workspaceId, url, events: ['transfer.completed'], description: '' });

  it('is kept as it is parsed, without its fragment', async () => {
    const { endpoint } = await create('HTTPS://KEPT.example:443/a/../b?c=D#e');
    expect(endpoint.url).toBe('https://kept.example/b?c=D');
  });
});

describe('what is kept', () => {
  it.each([
    ['webhookDeliveries', 'updatedAt'],
    ['webhookOutbox', 'createdAt'],
  ])('of %s is removed by MongoDB 30 days after %s', async (name, field) => {
    const indexes = await database.db.collection(name).indexes();
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { [field]: 1 }, expireAfterSeconds: 30 * 24 * 3_600 }),
    );
  });

  it('of a webhook are the newest thousand, and whatever is still to be sent', async () => {
    const { url } = await receive();
    const endpoint = await delivery.endpoint(url);
    const [createdAt, nextAttemptAt] = [new Date(), new Date(Date.now() + 3_600_000)];
    const stored = Array.from({ length: 1_100 }, (_, index): Delivery => {
      const begun = newDelivery({ eventId: newId('webhookEvent'), type: 'transfer.completed' }, createdAt);
      return index < 5 ? { ...begun, nextAttemptAt } : { ...begun, state: 'DELIVERED', nextAttemptAt: null };
    });
    await delivery.collections.webhookDeliveries.store(endpoint, stored);
    const [eventId] = await delivery.settle(1, [endpoint.id]);
    await delivery.deliver(endpoint.id);
    const kept = (await delivery.deliveries(endpoint.id)).map((each) => each.eventId);
    const newest = [...stored.map((each) => each.eventId), eventId].toReversed();
    expect(kept).toEqual([...newest.slice(0, 1_000), ...newest.slice(-5)]);
    expect(await delivery.find(endpoint.id)).toMatchObject({ waiting: 5 });
  });

  it('of an event that is replayed is when it was first to be sent, and when it was tried last', async () => {
    const { url } = await receive();
    const endpoint = await delivery.endpoint(url);
    const [eventId = ''] = await delivery.settle(1, [endpoint.id]);
    await delivery.deliver(endpoint.id);
    const [first] = await delivery.deliveries(endpoint.id);
    expect(first).toMatchObject({ state: 'DELIVERED', attempts: 1 });
    expect(first!.lastAttemptAt!.getTime()).toBeGreaterThanOrEqual(first!.createdAt.getTime());
    await delivery.replayEvent(endpoint.id, eventId);
    const [replayed] = await delivery.deliveries(endpoint.id);
    expect(replayed).toMatchObject({ createdAt: first!.createdAt, attempts: 0, lastAttemptAt: null });
    // It waits since the replay, and is tried for three days from then on.
    expect(replayed!.dueSince.getTime()).toBeGreaterThan(first!.lastAttemptAt!.getTime() - 1);
    const waiting = await delivery.collections.webhookDeliveries.waitingFor(endpoint);
    expect(waiting).toEqual({ events: 1, since: replayed!.dueSince });
    await delivery.deliver(endpoint.id);
    const [sent] = await delivery.deliveries(endpoint.id);
    expect(sent).toMatchObject({ createdAt: first!.createdAt, state: 'DELIVERED', attempts: 1 });
    expect(sent!.lastAttemptAt!.getTime()).toBeGreaterThanOrEqual(replayed!.dueSince.getTime());
  });

  it('for a webhook that is disabled is sent once it is enabled, but for what was removed by then', async () => {
    const { url, received } = await receive();
    const { id } = await delivery.endpoint(url);
    await delivery.disable(id);
    const [old, ...rest] = [await delivery.settle(3, [id]), await delivery.settle(3, [id])];
    await delivery.deliver(id);
    expect(received).toEqual([]);
    // As MongoDB does after 30 days.
    await database.db.collection('webhookOutbox').deleteOne({ completed: old[0]!.replace('ev_', 'tr_') });
    await delivery.enable(id);
    await delivery.deliver(id);
    expect(received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(rest.flat());
    expect(await delivery.find(id)).toMatchObject({ waiting: 0 });
  });
});

it('twenty webhooks that hang do not hold up one that takes what it is sent', { timeout: 30_000 }, async () => {
  const hanging = await receive(() => undefined);
  const good = await receive();
  const stopping = new AbortController();
  const [requests, each] = [16, 10];
  let over = 0;
  const slices = await Promise.all(
    [await delivery.another(), await delivery.another()].flatMap((workspace) =>
      Array.from({ length: each }, async (_, index) => {
        const { id } = await workspace.endpoint(`${hanging.url}/${index}`);
        await workspace.settle(requests, [id]);
        return () => workspace.deliver(id, stopping.signal).then(() => (over += 1));
      }),
    ),
  );
  const running = slices.map((deliver) => deliver());
  await waitFor(() => hanging.received.length === slices.length * requests);
  const { id } = await delivery.endpoint(good.url);
  const events = await delivery.settle(100, [id]);
  await delivery.deliver(id);
  expect(good.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(events);
  // Before the first of the others was given up.
  expect(over).toBe(0);
  stopping.abort();
  await Promise.all(running);
});
