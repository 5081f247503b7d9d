import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { hastenEveryMs, type WebhookEndpoint } from '../../src/storage/webhooks/endpoints.ts';
import { pendingMax } from '../../src/webhooks/endpoints.ts';
import { testDatabase } from '../support/database.ts';
import { deliveryForTests, startReceiver } from './delivering.ts';

const database = testDatabase();
const day = 24 * 3_600_000;
const delivery = await deliveryForTests(database);
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let endpoint: Awaited<ReturnType<typeof delivery.endpoint>>;
let eventId: string;

beforeEach(async () => {
  receiver = await startReceiver((_, response) => void response.writeHead(500).end());
  endpoint = await delivery.endpoint(receiver.url);
});
afterEach(async () => {
  await delivery.collections.webhookEndpoints.remove(delivery.workspaceId, endpoint.id);
  await receiver.close();
});

/** How often the webhook has failed: so that it is tried every ten minutes. */
const before = 20;

/** The webhook has failed, and waits for its next try. There is always something to be sent. */
async function fail(): Promise<void> {
  [eventId = ''] = await delivery.settle(1, [endpoint.id]);
  await delivery.deliver(endpoint.id);
  expect(receiver.received.splice(0)).toHaveLength(1);
  const retryAt = new Date(Date.now() + 600_000);
  await delivery.collections.webhookEndpoints.change(endpoint, { failures: before, retryAt });
  for (let entries = 0; entries < 5; entries += 1) await delivery.settle(1, [endpoint.id]);
}
/** As though its last hastened try was long ago. */
const passHastened = () =>
  delivery.collections.webhookEndpoints.change(endpoint, { hastenedAt: new Date(Date.now() - hastenEveryMs) });

const enable = (): Promise<WebhookEndpoint> => delivery.enable(endpoint.id);
const disable = (): Promise<WebhookEndpoint> => delivery.disable(endpoint.id);
const test = () => delivery.test(endpoint.id);
const sinceNow = () => delivery.replaySince(endpoint.id, new Date());
/** What has a webhook tried at once, a minute apart. */
const hastening: [string, () => Promise<unknown>][] = [
  ['tests', test],
  ['replays of one event', () => delivery.replayEvent(endpoint.id, eventId)],
  ['replays since a time', sinceNow],
  ['enabling', enable],
  ['disabling and enabling', () => disable().then(enable)],
];
const others: [string, () => Promise<unknown>][] = [
  ['rotations of its secret', async () => delivery.owner.rotate(await delivery.find(endpoint.id))],
];

describe.each([...hastening, ...others])('a webhook that fails, whose owner goes on with %s,', (what, act) => {
  it('is tried once at once at the most, and backs off', async () => {
    await fail();
    for (let times = 0; times < 4; times += 1) {
      await act().catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
      });
      await delivery.deliver(endpoint.id);
    }
    const tries = what.startsWith('rotations') ? 0 : 1;
    expect(receiver.received).toHaveLength(tries);
    const { failures, retryAt, failingSince } = await delivery.find(endpoint.id);
    expect(failures).toBe(before + tries);
    expect([retryAt, failingSince]).not.toContain(null);
  });

  it('has each of its failures counted, also if that comes during the try', async () => {
    await fail();
    receiver.answerWith((_, response) => {
      void act()
        .catch(() => undefined)
        .then(() => response.writeHead(500).end());
    });
    for (let tries = 1; tries < 4; tries += 1) {
      await delivery.passPauses(endpoint.id);
      delivery.woken.length = 0;
      await delivery.deliver(endpoint.id);
      expect(receiver.received).toHaveLength(tries);
      const { failures, nextCheckAt } = await delivery.find(endpoint.id);
      expect(failures).toBe(before + tries);
      // What was asked for is looked at, at once or by the next checks. (A second replay is refused.)
      if (tries === 1) expect(delivery.woken.includes(endpoint.id) || nextCheckAt <= new Date()).toBe(true);
    }
  });

  it('is disabled after a day all the same', async () => {
    await fail();
    await delivery.collections.webhookEndpoints.change(endpoint, { failingSince: new Date(Date.now() - 2 * day) });
    await delivery.passPauses(endpoint.id);
    await act();
    await delivery.passPauses(endpoint.id);
    await delivery.deliver(endpoint.id);
    expect(await delivery.find(endpoint.id)).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
  });
});

describe.each(hastening)('the owner of a webhook that failed and was mended has it tried by %s', (_, act) => {
  it('at once, and all is sent if it takes the first event', async () => {
    await fail();
    const events = await delivery.settle(20, [endpoint.id]);
    receiver.answerWith((_request, response) => void response.end());
    await act();
    await delivery.deliver(endpoint.id);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(expect.arrayContaining(events));
    expect(await delivery.find(endpoint.id)).toMatchObject({ failures: 0, retryAt: null });
  });

  it('also where an earlier try ends in the meantime', async () => {
    await fail();
    let acting: Promise<unknown> | undefined;
    await delivery.passPauses(endpoint.id);
    // The try under way was let through by its time; meanwhile it backs off again, as far as the owner can see.
    receiver.answerWith((_request, response) => {
      acting ??= delivery.collections.webhookEndpoints
        .change(endpoint, { retryAt: new Date(Date.now() + day) })
        .then(act);
      void acting.then(() => response.writeHead(500).end());
    });
    await delivery.deliver(endpoint.id);
    expect(await delivery.find(endpoint.id)).toMatchObject({ failures: before + 1, retryAt: null, status: 'ENABLED' });
  });

  it('and again a minute later', async () => {
    await fail();
    await act().then(() => delivery.deliver(endpoint.id));
    await delivery.collections.webhookEndpoints.change(endpoint, { replay: null });
    await passHastened();
    await act().then(() => delivery.deliver(endpoint.id));
    expect(receiver.received).toHaveLength(2);
  });
});

describe('a webhook that the service disabled because it failed', () => {
  beforeEach(async () => {
    await fail();
    await delivery.collections.webhookEndpoints.change(endpoint, { failingSince: new Date(Date.now() - 2 * day) });
    await delivery.passPauses(endpoint.id);
    await delivery.deliver(endpoint.id);
    expect(await delivery.find(endpoint.id)).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
    receiver.received.length = 0;
  });

  it('is tried at once when it is enabled, keeps its backoff if that fails, and has another day', async () => {
    await enable();
    await delivery.passPauses(endpoint.id);
    await delivery.deliver(endpoint.id);
    expect(receiver.received).toHaveLength(1);
    const { status, failures, failingSince } = await delivery.find(endpoint.id);
    expect({ status, failures }).toEqual({ status: 'ENABLED', failures: before + 2 });
    expect(Date.now() - (failingSince?.getTime() ?? 0)).toBeLessThan(day);
  });

  it('is sent no test, and none is stored', async () => {
    const before = await delivery.deliveries(endpoint.id);
    await expect(test()).rejects.toMatchObject({ errorName: 'WEBHOOK_DISABLED' });
    expect(await delivery.deliveries(endpoint.id)).toEqual(before);
  });
});

describe('what an owner adds to a webhook', () => {
  it(`is refused once ${pendingMax} deliveries wait, and nothing stored`, async () => {
    await fail();
    const template = await database.db.collection('webhookDeliveries').findOne({ endpointId: endpoint.id });
    const more = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...template,
        _id: `${endpoint.id}.ev_${index}` as never,
        eventId: `ev_${index}`,
      }));
    await database.db.collection('webhookDeliveries').insertMany(more(pendingMax - 2));
    await test();
    const stored = () => database.db.collection('webhookDeliveries').countDocuments({ endpointId: endpoint.id });
    expect(await stored()).toBe(pendingMax);
    const refused = { errorName: 'WEBHOOK_PENDING_LIMIT' };
    await expect(test()).rejects.toMatchObject(refused);
    await expect(delivery.replayEvent(endpoint.id, eventId)).rejects.toMatchObject(refused);
    expect(await stored()).toBe(pendingMax);
  });

  it('is one replay since a time; the same again is that one, and another is refused', async () => {
    const [first, other] = [new Date(Date.now() - day), new Date(Date.now() - 2 * day)];
    const replay = (since: Date) => delivery.replaySince(endpoint.id, since);
    const begun = await Promise.all([replay(first), replay(first)]);
    expect(begun[1].replay).toEqual(begun[0].replay);
    expect((await replay(first)).replay).toEqual(begun[0].replay);
    await expect(replay(other)).rejects.toMatchObject({ errorName: 'WEBHOOK_REPLAY_UNDER_WAY' });
  });
});

describe('a change that reaches MongoDB late, after its owner was told that it failed,', () => {
  const changedMeanwhile = { errorName: 'UNAVAILABLE' };

  it.each(['disable', 'remove', 'rotate', 'enable'] as const)(
    'undoes nothing that was changed since: %s',
    async (verb) => {
      const status = verb === 'enable' ? 'DISABLED' : 'ENABLED';
      if (status === 'ENABLED') await disable();
      const asRead = await delivery.find(endpoint.id);
      // Changes are told apart by their time, in milliseconds.
      await setTimeout(2);
      await (status === 'ENABLED' ? enable() : disable());
      const now = await delivery.find(endpoint.id);
      await expect(delivery.owner[verb](asRead)).rejects.toMatchObject(changedMeanwhile);
      expect(await delivery.find(endpoint.id)).toEqual(now);
      expect(now.status).toBe(status);
    },
  );

  it('finds that somebody else has done the same', async () => {
    const asRead = await delivery.find(endpoint.id);
    await disable();
    const again = await delivery.owner.disable(asRead);
    expect(again).toEqual(await delivery.find(endpoint.id));
  });
});
