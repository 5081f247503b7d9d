import { MongoClient, type CommandStartedEvent } from 'mongodb';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newIdOf } from '../../src/domain/ids.ts';
import { advanceUnderWay } from '../../src/storage/test-clocks.ts';
import { testDatabase } from '../support/database.ts';
import { deliveryForTests, openDelivery, startReceiver } from './delivering.ts';

const database = testDatabase();
const delivery = await deliveryForTests(database);
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let endpoint: Awaited<ReturnType<typeof delivery.endpoint>>;

beforeEach(async () => {
  receiver = await startReceiver();
  endpoint = await delivery.endpoint(receiver.url);
});
afterEach(async () => {
  await delivery.collections.webhookEndpoints.remove(delivery.workspaceId, endpoint.id);
  await receiver.close();
});

const idsOf = () => receiver.received.map(({ headers }) => headers['webhook-id']);
const answerStatus = (status: number) => {
  receiver.answerWith((_, response) => void response.writeHead(status).end());
};

describe('a receiver that takes what it is sent', () => {
  it('has each event once, signed, as the API shows the order', async () => {
    const events = await delivery.settle(40, [endpoint.id]);
    await delivery.deliver(endpoint.id);
    expect(idsOf().sort()).toEqual(events);
    for (const { body, headers } of receiver.received) {
      const verified = new Webhook(endpoint.secret).verify(body, headers) as { type: string; data: object };
      expect(verified).toMatchObject({ type: 'transfer.completed', data: { amount: '1.50', status: 'COMPLETED' } });
    }
    expect(await delivery.find(endpoint.id)).toMatchObject({
      failures: 0,
      waiting: 0,
      behindSince: null,
      retryAt: null,
    });
    const deliveries = await delivery.deliveries(endpoint.id);
    expect(deliveries.map(({ eventId }) => eventId)).toEqual(events.toReversed());
    expect(deliveries[0]).toMatchObject({ state: 'DELIVERED', attempts: 1, status: 200, error: null });
    await delivery.deliver(endpoint.id);
    expect(receiver.received).toHaveLength(40);
  });

  it('costs one document for each event, written once, in three commands however many', async () => {
    const client = new MongoClient(database.uri, { monitorCommands: true });
    const watched = await openDelivery({ ...database, client, db: client.db(database.name) });
    const { id } = await watched.endpoint(receiver.url);
    await watched.settle(40, [id]);
    const written: unknown[] = [];
    client.on('commandStarted', ({ command }: CommandStartedEvent) => {
      const { update, findAndModify, updates } = command;
      if (findAndModify !== undefined) written.push([findAndModify, 1]);
      else if (update !== undefined) written.push([update, (updates as unknown[]).length]);
    });
    await watched.deliver(id);
    expect(receiver.received).toHaveLength(40);
    expect(written).toEqual([
      ['webhookDeliveries', 40],
      ['webhookOutbox', 1],
      ['webhookEndpoints', 1],
    ]);
    watched.close();
    await client.close();
  });

  it('has what was under way again where the process stopped, with the same ids', async () => {
    const events = await delivery.settle(3, [endpoint.id]);
    const stopping = new AbortController();
    receiver.answerWith(() => {
      stopping.abort();
    });
    await delivery.deliver(endpoint.id, stopping.signal);
    expect(await delivery.find(endpoint.id)).toMatchObject({ failures: 0, waiting: 3 });
    receiver.answerWith((_, response) => void response.end());
    receiver.received.length = 0;
    await delivery.deliver(endpoint.id);
    expect(idsOf().sort()).toEqual(events);
  });

  it('is sent again where the process ended before it was stored what became of it', async () => {
    const events = await delivery.settle(2, [endpoint.id]);
    const ended = new Error('the process has ended');
    const store = vi
      .spyOn(delivery.collections.webhookDeliveries, 'store')
      .mockImplementation((_, attempted) => (attempted.length > 0 ? Promise.reject(ended) : Promise.resolve()));
    await expect(delivery.deliver(endpoint.id)).rejects.toThrow(ended);
    store.mockRestore();
    await delivery.deliver(endpoint.id);
    expect(idsOf().sort()).toEqual([...events, ...events].sort());
  });
});

describe('an event that is seen before its order has ended', () => {
  it('is sent once it has', async () => {
    const events = await delivery.settle(2, [endpoint.id]);
    const setOrders = (status: string) =>
      database.db
        .collection('orders')
        .updateMany({ workspaceId: delivery.workspaceId }, { $set: { status } }, { bypassDocumentValidation: true });
    await setOrders('PENDING');
    await delivery.deliver(endpoint.id);
    expect(receiver.received).toEqual([]);
    const unsent = { state: 'PENDING', attempts: 0, status: null };
    expect(await delivery.deliveries(endpoint.id)).toMatchObject([unsent, unsent]);
    await setOrders('COMPLETED');
    await delivery.passPauses(endpoint.id);
    await delivery.deliver(endpoint.id);
    expect(idsOf().sort()).toEqual(events);
    for (const { body } of receiver.received) expect(JSON.parse(body)).toMatchObject({ data: { status: 'COMPLETED' } });
  });
});

describe('a receiver that does not', () => {
  it('is left alone after its failure also while the clock of its workspace is put forward', async () => {
    answerStatus(500);
    const ofTest = await delivery.another(newIdOf('workspace', true, new Date()));
    const { id } = await ofTest.endpoint(receiver.url);
    await ofTest.settle(1, [id]);
    const { testClocks } = delivery.collections;
    const own = await testClocks.read(ofTest.workspaceId);
    const to = new Date(own.at.getTime() + 3_600_000);
    const advance = { id: 'advance', from: own.at, to, started: 0, expired: 0, isDone: false };
    await testClocks.begin(ofTest.workspaceId, own, advance, new Date(Date.now() + 5_000));
    await ofTest.deliver(id);
    expect(await ofTest.find(id)).toMatchObject({ failures: 1 });
    expect(advanceUnderWay(await testClocks.read(ofTest.workspaceId), new Date())).toBeDefined();
  });

  it('is left alone from its failure on, even if the clock of its workspace was put forward since', async () => {
    answerStatus(500);
    await delivery.settle(1, [endpoint.id]);
    const { webhookDeliveries } = delivery.collections;
    const store = webhookDeliveries.store.bind(webhookDeliveries);
    vi.spyOn(webhookDeliveries, 'store').mockImplementation(async (...stored) => {
      await store(...stored);
      delivery.setAhead(2_000);
    });
    await delivery.deliver(endpoint.id);
    vi.restoreAllMocks();
    delivery.setAhead(0);
    const [attempted] = await delivery.deliveries(endpoint.id);
    expect((await delivery.find(endpoint.id)).failingSince).toEqual(attempted!.lastAttemptAt);
  });

  const fail = async () => {
    await delivery.settle(1, [endpoint.id]);
    await delivery.deliver(endpoint.id);
    const [last] = await delivery.deliveries(endpoint.id);
    return last;
  };

  it('because it fails, is sent the same again later, with the same id', async () => {
    answerStatus(500);
    expect(await fail()).toMatchObject({ state: 'PENDING', status: 500, error: 'HTTP_ERROR', attempts: 1 });
    expect(await delivery.find(endpoint.id)).toMatchObject({ failures: 1, waiting: 1 });
    await delivery.deliver(endpoint.id);
    expect(receiver.received).toHaveLength(1);
    await delivery.passPauses(endpoint.id);
    answerStatus(204);
    await delivery.deliver(endpoint.id);
    expect(new Set(idsOf()).size).toBe(1);
    expect(await delivery.deliveries(endpoint.id)).toMatchObject([{ state: 'DELIVERED', attempts: 2, status: 204 }]);
    expect(await delivery.find(endpoint.id)).toMatchObject({ failures: 0, failingSince: null, waiting: 0 });
  });

  it('because it is gone, is disabled at once', async () => {
    answerStatus(410);
    await fail();
    expect(await delivery.find(endpoint.id)).toMatchObject({ status: 'DISABLED', disabledReason: 'GONE' });
  });

  it('and has failed for a day, is disabled', async () => {
    answerStatus(500);
    await fail();
    const dayAgo = new Date(Date.now() - 25 * 3_600_000);
    await delivery.passPauses(endpoint.id);
    await delivery.collections.webhookEndpoints.change(endpoint, { failingSince: dayAgo });
    await delivery.deliver(endpoint.id);
    expect(await delivery.find(endpoint.id)).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
  });

  it('and has nothing to be sent for now, is not disabled by a look alone', async () => {
    answerStatus(500);
    await fail();
    const dayAgo = new Date(Date.now() - 25 * 3_600_000);
    await delivery.collections.webhookEndpoints.change(endpoint, { failingSince: dayAgo, retryAt: null });
    await delivery.deliver(endpoint.id);
    expect(receiver.received).toHaveLength(1);
    expect(await delivery.find(endpoint.id)).toMatchObject({ status: 'ENABLED', failingSince: dayAgo });
  });

  it.each([
    ['has the event set aside', 'dueSince', 'SET_ASIDE', 0],
    ['but was replayed since, is tried on', 'createdAt', 'PENDING', 1],
  ] as const)('for three days, and eight times, %s', async (_, field, state, waiting) => {
    answerStatus(500);
    await fail();
    const since = new Date(Date.now() - 3 * 24 * 3_600_000);
    await database.db
      .collection('webhookDeliveries')
      .updateMany({ endpointId: endpoint.id }, { $set: { [field]: since } });
    // It may have been disabled all that time.
    for (let attempts = 1; attempts < 8; attempts += 1) {
      expect(await delivery.deliveries(endpoint.id)).toMatchObject([{ state: 'PENDING', attempts }]);
      await delivery.passPauses(endpoint.id);
      await delivery.deliver(endpoint.id);
    }
    const nextAttemptAt = waiting === 0 ? null : (expect.any(Date) as Date);
    expect(await delivery.deliveries(endpoint.id)).toMatchObject([{ state, attempts: 8, nextAttemptAt }]);
    expect(await delivery.find(endpoint.id)).toMatchObject({ waiting });
  });

  it('take some events, gets all others meanwhile, and is not disabled', async () => {
    const refused = new Set(await delivery.settle(50, [endpoint.id]));
    receiver.answerWith((request, response) => {
      response.statusCode = refused.has(String(request.headers['webhook-id'])) ? 500 : 204;
      response.end();
    });
    await delivery.deliver(endpoint.id);
    expect((await delivery.find(endpoint.id)).failures).toBe(1);
    // Those that were refused have long been due when new ones come.
    for (let probe = 0; probe < 3; probe += 1) {
      await delivery.passPauses(endpoint.id);
      await delivery.deliver(endpoint.id);
    }
    const failingSince = new Date(Date.now() - 25 * 3_600_000);
    await delivery.collections.webhookEndpoints.change(endpoint, { failingSince });
    const good = [...(await delivery.settle(3, [endpoint.id])), ...(await delivery.settle(3, [endpoint.id]))];
    await delivery.passPauses(endpoint.id);
    await delivery.deliver(endpoint.id);
    await delivery.passPauses(endpoint.id);
    await delivery.deliver(endpoint.id);
    expect(
      idsOf()
        .filter((id) => !refused.has(id ?? ''))
        .sort(),
    ).toEqual(good.toSorted());
    expect(await delivery.find(endpoint.id)).toMatchObject({ status: 'ENABLED' });
  });

  it('is asked with one event, until one comes through; then it has all', async () => {
    answerStatus(503);
    const events = await delivery.settle(30, [endpoint.id]);
    await delivery.deliver(endpoint.id);
    expect(receiver.received.length).toBeLessThan(30);
    receiver.received.length = 0;
    await delivery.passPauses(endpoint.id);
    await delivery.deliver(endpoint.id);
    expect(receiver.received).toHaveLength(1);
    answerStatus(200);
    receiver.received.length = 0;
    await delivery.passPauses(endpoint.id);
    await delivery.deliver(endpoint.id);
    expect([...new Set(idsOf())].sort()).toEqual(events);
  });
});

it('a workspace that was deleted is sent nothing, and its webhook is disabled once that is for good', async () => {
  const other = await delivery.another();
  const { id } = await other.endpoint(receiver.url);
  await other.settle(1, [id]);
  const { deletedAt } = (await delivery.collections.workspaces.delete(other.workspaceId))!;
  await other.deliver(id);
  expect([receiver.received, (await other.find(id)).status]).toEqual([[], 'ENABLED']);
  await delivery.collections.workspaces.restore({ id: other.workspaceId, deletedAt });
  await other.deliver(id);
  expect(receiver.received).toHaveLength(1);

  await other.settle(1, [id]);
  await delivery.collections.workspaces.delete(other.workspaceId);
  delivery.setAhead(61_000);
  await other.deliver(id);
  delivery.setAhead(0);
  expect(receiver.received).toHaveLength(1);
  expect(await other.find(id)).toMatchObject({ status: 'DISABLED', disabledReason: 'REQUESTED' });
});
