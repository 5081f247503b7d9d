import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leastIdAt } from '../../src/domain/ids.ts';
import { replayPaceMs } from '../../src/redis/webhook-limits.ts';
import { settledAfterMs, transactionMaxMs } from '../../src/storage/shared/transaction.ts';
import { testDatabase } from '../support/database.ts';
import { waitFor } from '../support/wait-for.ts';
import { deliveryForTests, startReceiver } from './delivering.ts';

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

const day = 24 * 3_600_000;
const idsOf = () => [...new Set(receiver.received.map(({ headers }) => headers['webhook-id']))].sort();

describe('two workers that send to one webhook at once', () => {
  it('leave no event out', async () => {
    const events = [...(await delivery.settle(50, [endpoint.id])), ...(await delivery.settle(50, [endpoint.id]))];
    await Promise.all([delivery.deliver(endpoint.id), delivery.deliver(endpoint.id), delivery.deliver(endpoint.id)]);
    expect(idsOf()).toEqual(events);
    const deliveries = await delivery.deliveries(endpoint.id);
    expect(deliveries.map(({ eventId, state }) => [eventId, state])).toEqual(
      events.toReversed().map((id) => [id, 'DELIVERED']),
    );
    expect(await delivery.find(endpoint.id)).toMatchObject({ waiting: 0, failures: 0 });
  });

  it('leave none out that is not taken at first', async () => {
    const events = await delivery.settle(50, [endpoint.id]);
    const taken = new Set<string>();
    let count = 0;
    receiver.answerWith((_, response, { headers }) => {
      count += 1;
      if (count % 3 !== 0) taken.add(headers['webhook-id'] ?? '');
      response.writeHead(count % 3 === 0 ? 500 : 200).end();
    });
    await waitFor(async () => {
      await delivery.passPauses(endpoint.id);
      await Promise.all([delivery.deliver(endpoint.id), delivery.deliver(endpoint.id)]);
      return (await delivery.find(endpoint.id)).waiting === 0;
    });
    expect([...taken].sort()).toEqual(events);
  });
});

describe('an owner who, while events are sent,', () => {
  const groups = 5;
  /** @param act when the first event is received. */
  const sending = async (act: () => Promise<unknown>): Promise<string[]> => {
    const settled = await Promise.all(Array.from({ length: groups }, () => delivery.settle(10, [endpoint.id])));
    let acting: Promise<unknown> | undefined;
    receiver.answerWith((_, response) => {
      acting ??= act();
      void acting.then(() => response.end());
    });
    await delivery.deliver(endpoint.id);
    return settled.flat().sort();
  };

  it('disables the webhook has the rest kept for when it is enabled', async () => {
    const events = await sending(() => delivery.disable(endpoint.id));
    expect(receiver.received).toHaveLength(10);
    await delivery.deliver(endpoint.id);
    expect(receiver.received).toHaveLength(10);
    await delivery.enable(endpoint.id);
    await delivery.deliver(endpoint.id);
    expect(idsOf()).toEqual(events);
  });

  it('deletes the webhook has nothing of it kept', async () => {
    await sending(() => delivery.owner.remove(endpoint));
    expect(receiver.received).toHaveLength(10);
    expect(await delivery.deliveries(endpoint.id)).toEqual([]);
  });

  it('rotates out a secret at once has nothing more signed with it', async () => {
    let secret = '';
    await sending(async () => {
      ({ secret } = await delivery.owner.rotate(await delivery.find(endpoint.id), 0));
    });
    const before = receiver.received.splice(0).length;
    expect(before).toBe(10);
    await delivery.deliver(endpoint.id);
    expect(receiver.received).toHaveLength((groups - 1) * 10);
    for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers);
  });
});

describe('a replay', () => {
  let replayed: Awaited<ReturnType<typeof delivery.another>>;
  let id: string;
  beforeEach(async () => {
    replayed = await delivery.another();
    ({ id } = await replayed.endpoint(receiver.url));
  });
  const near = (ms: number): string => leastIdAt('webhookBatch', new Date(Date.now() + ms));

  it('has what workers recorded whose clocks are off', async () => {
    const before = await replayed.settle(2, [id], near(-100_000));
    const after = await replayed.settle(2, [id], near(100_000));
    const old = await replayed.settle(1, [id], near(-day));
    await replayed.deliver(id);
    expect(idsOf()).toEqual([...before, ...after, ...old].sort());
    receiver.received.length = 0;
    await replayed.replaySince(id, new Date());
    await replayed.deliver(id);
    expect(idsOf()).toEqual([...before, ...after].sort());
    expect(await replayed.find(id)).toMatchObject({ replay: { isLate: true }, waiting: 0 });
  });

  describe('of a webhook that was disabled', () => {
    afterEach(() => {
      delivery.setAhead(0);
    });
    /** The clock has passed the end of a replay that began now by the longest transaction. */
    const passEnd = () => {
      delivery.setAhead(settledAfterMs + transactionMaxMs + 10_000);
    };
    const missed = (idOfEntry?: string) => replayed.settle(1, [], idOfEntry, [id]);

    it('has what a transaction under way made visible behind what was sent already, once, and then ends', async () => {
      const seen = await missed();
      await replayed.replaySince(id, new Date());
      await replayed.deliver(id);
      expect(idsOf()).toEqual(seen);
      const late = await missed(near(-transactionMaxMs + 5_000));
      // Longer ago than any transaction takes, so it was not asked for.
      await missed(near(-day));
      await replayed.deliver(id);
      expect(idsOf()).toEqual(seen);
      expect((await replayed.find(id)).replay).not.toBeNull();
      passEnd();
      await replayed.deliver(id);
      expect(idsOf()).toEqual([...seen, ...late].sort());
      expect(receiver.received).toHaveLength(2);
      expect((await replayed.find(id)).replay).toBeNull();
    });

    it('has it again where the process ended before it was stored what became of it', async () => {
      await replayed.replaySince(id, new Date());
      await replayed.deliver(id);
      const late = await missed(near(-transactionMaxMs + 5_000));
      passEnd();
      const ended = new Error('the process has ended');
      const store = vi
        .spyOn(delivery.collections.webhookDeliveries, 'store')
        .mockImplementation((_, attempted) => (attempted.length > 0 ? Promise.reject(ended) : Promise.resolve()));
      await expect(replayed.deliver(id)).rejects.toThrow(ended);
      store.mockRestore();
      receiver.received.length = 0;
      await replayed.deliver(id);
      expect(idsOf()).toEqual(late);
    });

    it('is checked again when that may be so', async () => {
      await replayed.replaySince(id, new Date());
      delivery.setAhead(settledAfterMs + transactionMaxMs - 20_000);
      delivery.woken.length = 0;
      await replayed.deliver(id);
      const { nextCheckAt, replay } = await replayed.find(id);
      expect(replay).toMatchObject({ isLate: true });
      expect(nextCheckAt.getTime()).toBeLessThanOrEqual(Date.now() + settledAfterMs + transactionMaxMs);
      expect(delivery.woken).toEqual([]);
    });

    it('may be followed by another one meanwhile, which sends what the first one waited for', async () => {
      await replayed.replaySince(id, new Date());
      await replayed.deliver(id);
      const late = await missed(near(-transactionMaxMs + 5_000));
      await replayed.replaySince(id, new Date(Date.now() + settledAfterMs));
      await replayed.deliver(id);
      expect(idsOf()).toEqual(late);
    });

    it('and is asked for again while a run sends what is late, begins anew', async () => {
      await replayed.replaySince(id, new Date());
      await replayed.deliver(id);
      passEnd();
      const late = await missed(near(-transactionMaxMs + 5_000));
      receiver.answerWith((_, response) => {
        void replayed.replaySince(id, new Date()).then(() => response.end());
      });
      await replayed.deliver(id);
      expect(idsOf()).toEqual(late);
      const { replay } = await replayed.find(id);
      expect(replay).not.toBeNull();
      expect(replay).not.toHaveProperty('isLate');
    });

    it('does not repeat what was settled since, which is sent as new', async () => {
      await replayed.replaySince(id, new Date());
      await replayed.deliver(id);
      const fresh = await replayed.settle(3, [id]);
      await replayed.deliver(id);
      passEnd();
      await replayed.deliver(id);
      expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(fresh);
    });
  });

  it('that is not through when its time is up goes on at the next check, should its job be lost', async () => {
    await replayed.settle(1, []);
    await replayed.replaySince(id, new Date());
    await replayed.deliver(id, AbortSignal.abort());
    const { replay, nextCheckAt } = await replayed.find(id);
    expect(replay).not.toBeNull();
    expect(nextCheckAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('waits while its workspace has had enough replayed, and goes on afterwards', async () => {
    const events = [...(await replayed.settle(2, [])), ...(await replayed.settle(2, []))];
    await replayed.replaySince(id, new Date());
    delivery.setReplayed(2);
    delivery.woken.length = 0;
    const before = Date.now();
    await replayed.deliver(id);
    expect(receiver.received).toHaveLength(2);
    // It would be woken again and again meanwhile.
    expect(delivery.woken).toEqual([]);
    const { nextCheckAt, replay } = await replayed.find(id);
    expect(nextCheckAt.getTime() - before).toBeGreaterThanOrEqual(replayPaceMs);
    expect(replay).not.toBeNull();
    delivery.setReplayed(Infinity);
    await replayed.deliver(id);
    expect(idsOf()).toEqual(events.sort());
  });

  it('ends while orders are posted, and leaves none of them out', async () => {
    const told = await replayed.settle(20, [id]);
    await replayed.deliver(id);
    receiver.received.length = 0;
    const posted: Promise<string[]>[] = [];
    receiver.answerWith((_, response) => {
      if (posted.length < 30) posted.push(replayed.settle(1, [id]));
      response.end();
    });
    await replayed.replaySince(id, new Date(Date.now() - day / 2));
    await waitFor(async () => {
      await replayed.deliver(id);
      const { replay, waiting } = await replayed.find(id);
      return posted.length === 30 && replay?.isLate === true && waiting === 0;
    });
    expect(idsOf()).toEqual(expect.arrayContaining([...told, ...(await Promise.all(posted)).flat()]));
  });
});
