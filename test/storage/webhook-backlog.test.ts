import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EndpointDocument } from '../../src/storage/webhooks/endpoints.ts';
import { testDatabase } from '../support/database.ts';
import { openDelivery, startReceiver } from '../webhooks/delivering.ts';

const database = testDatabase();
const documents = database.db.collection<EndpointDocument>('webhookEndpoints');
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
let delivery: Awaited<ReturnType<typeof openDelivery>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  delivery = await openDelivery(database);
  receiver = await startReceiver((_, response) => void response.writeHead(500).end());
});
afterAll(async () => {
  delivery.close();
  await receiver.close();
});
beforeEach(() => documents.deleteMany({}));

const read = () => delivery.collections.webhookBacklog.read(new Date());
/** An endpoint whose state is made up. */
async function endpointWith(values: Partial<EndpointDocument>): Promise<string> {
  const { id } = await delivery.endpoint(`http://127.0.0.1:9/${Math.random()}`);
  await documents.updateOne({ _id: id }, { $set: values });
  return id;
}

describe('what the operator is told of webhooks', () => {
  it('is nothing where there are none', async () => {
    expect(await read()).toEqual({ behind: [], disabled: 0, lookedAt: undefined });
  });

  it('is those with events waiting, those that do so for the longest first', async () => {
    const late = await endpointWith({ waiting: 1, behindSince: minutesAgo(5) });
    const later = await endpointWith({ waiting: 7, behindSince: minutesAgo(9), failures: 3 });
    await endpointWith({ waiting: 0, behindSince: null });
    await endpointWith({ waiting: 4, behindSince: minutesAgo(60), status: 'DISABLED' });
    const { behind } = await read();
    expect(behind.map(({ id, waiting, failures }) => [id, waiting, failures])).toEqual([
      [later, 7, 3],
      [late, 1, 0],
    ]);
    expect(JSON.stringify(behind)).not.toContain('sealed');
  });

  it('is those that the service itself disabled lately', async () => {
    const disabled = (disabledReason: EndpointDocument['disabledReason'], minutes: number) =>
      endpointWith({ status: 'DISABLED', disabledReason, disabledAt: minutesAgo(minutes) });
    await disabled('FAILING', 50);
    await disabled('GONE', 2);
    await disabled('REQUESTED', 1);
    await disabled('FAILING', 25 * 60);
    expect((await read()).disabled).toBe(2);
  });

  it('is nothing of test workspaces', async () => {
    await endpointWith({ workspaceId: 'ts_1', waiting: 1, behindSince: minutesAgo(5), lookedAt: minutesAgo(90) });
    await endpointWith({ workspaceId: 'ts_2', status: 'DISABLED', disabledReason: 'GONE', disabledAt: minutesAgo(2) });
    expect(await read()).toEqual({ behind: [], disabled: 0, lookedAt: undefined });
  });

  it('is since when one that is enabled was not looked at', async () => {
    await endpointWith({ lookedAt: minutesAgo(90), status: 'DISABLED' });
    await endpointWith({ status: 'ENABLED' });
    const lookedAt = minutesAgo(20);
    await endpointWith({ lookedAt });
    expect((await read()).lookedAt).toEqual(lookedAt);
  });
});

describe('an endpoint', () => {
  it('is behind since its oldest event, whatever was sent meanwhile, until that is sent', async () => {
    const { id } = await delivery.endpoint(receiver.url);
    await delivery.settle(1, [id]);
    await delivery.deliver(id);
    const since = minutesAgo(30);
    const asIfMade = { $set: { createdAt: since, dueSince: since } };
    await database.db.collection('webhookDeliveries').updateMany({ endpointId: id }, asIfMade);
    await documents.updateOne({ _id: id }, { $set: { lookedAt: since } });
    await delivery.passPauses(id);
    await delivery.settle(1, [id]);
    await delivery.deliver(id);
    expect(await delivery.find(id)).toMatchObject({ waiting: 2, behindSince: since });
    expect((await delivery.find(id)).lookedAt.getTime()).toBeGreaterThan(since.getTime());
    receiver.answerWith((_, response) => void response.end());
    await delivery.passPauses(id);
    await delivery.deliver(id);
    expect(await delivery.find(id)).toMatchObject({ waiting: 0, behindSince: null, failures: 0 });
  });

  it('that is enabled again counts as looked at, and no longer as disabled', async () => {
    const id = await endpointWith({
      ...{ status: 'DISABLED', disabledReason: 'GONE', disabledAt: minutesAgo(2), lookedAt: minutesAgo(90) },
    });
    const before = new Date();
    expect(await delivery.enable(id)).toMatchObject({
      status: 'ENABLED',
      disabledAt: null,
    });
    const { disabled, lookedAt } = await read();
    expect(disabled).toBe(0);
    expect(lookedAt?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(await delivery.disable(id)).toMatchObject({ disabledReason: 'REQUESTED' });
  });
});
