import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Db } from 'mongodb';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { sealSecret, type MasterKeys } from '../../src/auth/secrets.ts';
import { createCurrencies } from '../../src/domain/currency.ts';
import { newId } from '../../src/domain/ids.ts';
import { createPresenter } from '../../src/orders/present.ts';
import { eventIdOf, webhookTypes, type WebhookType } from '../../src/domain/webhook.ts';
import type { EndpointToWake } from '../../src/queue/job-data.ts';
import { openCollections, type Collections } from '../../src/storage/collections.ts';
import type { OutboxEntry } from '../../src/storage/webhooks/outbox.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { deliver, type DeliveryContext } from '../../src/webhooks/deliver.ts';
import { createWebhookSender } from '../../src/webhooks/send.ts';
import { Endpoints } from '../../src/webhooks/endpoints.ts';
import { newWebhookSecret } from '../../src/webhooks/signature.ts';
import type { TestDatabase } from '../support/database.ts';
import { pendingOrder } from '../support/pending-order.ts';

export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly at: number;
}

type Answer = (request: IncomingMessage, response: ServerResponse, received: Received) => void;

/** A server that keeps what it is sent. */
export async function startReceiver(answer: Answer = (_, response) => void response.end()) {
  const received: Received[] = [];
  let now = answer;
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const one = {
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
        at: Date.now(),
      };
      received.push(one);
      now(request, response, one);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answerWith: (next: Answer) => void (now = next),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Endpoints and settled orders in a database of the test's own, and their delivery by hand. */
export async function openDelivery(
  database: TestDatabase,
  sending: Partial<Parameters<typeof createWebhookSender>[0]> = {},
) {
  const { db } = database;
  await ensureSchema(db);
  const collections = openCollections(db);
  const masterKeys = new Map([[1, randomBytes(32)]]);
  const sender = createWebhookSender({ allowsLocal: true, ...sending });
  const woken: string[] = [];
  const queue = {
    wake: (endpoints: readonly EndpointToWake[]) => void woken.push(...endpoints.map(({ endpointId }) => endpointId)),
  };
  let mayReplay = Infinity;
  let aheadMs = 0;
  const replayPace = {
    take: (_: string, events: number) => {
      mayReplay -= events;
      return Promise.resolve(mayReplay >= 0);
    },
  };
  const clock = () => new Date(Date.now() + aheadMs);
  const context: DeliveryContext = {
    collections: { ...collections, testClocks: { ...collections.testClocks, clockOf: () => clock } },
    ...{ sender, masterKeys, replayPace, queue, clock, log: pino({ level: 'silent' }) },
    present: createPresenter(createCurrencies(new Map())),
    observe: { attempted: () => undefined, setAside: () => undefined },
  };
  const owner = new Endpoints({
    ...{ collections, masterKeys: () => Promise.resolve(masterKeys), allowsLocal: true, clock: systemClock },
    knownAfterMs: 0,
  });
  const opened = { collections, masterKeys, db, context, owner };
  const workspace = async (id?: string) => deliveryOf(opened, (await collections.workspaces.create('test', id)).id);
  return {
    ...(await workspace()),
    ...{ woken, another: workspace },
    /** Sets the clock of the delivery ahead. */
    setAhead: (ms: number) => void (aheadMs = ms),
    /** How many more events replays may send. */
    setReplayed: (events: number) => void (mayReplay = events),
    owner,
    close: () => {
      sender.close();
    },
  };
}

/** As {@link openDelivery}, for the test file that calls it at its top: closed after the last test of the file. */
export async function deliveryForTests(...given: Parameters<typeof openDelivery>) {
  const delivery = await openDelivery(...given);
  afterAll(delivery.close);
  return delivery;
}

interface Opened {
  collections: Collections;
  masterKeys: MasterKeys;
  db: Db;
  context: DeliveryContext;
  owner: Endpoints;
}

function deliveryOf({ collections, masterKeys, db, context, owner }: Opened, workspaceId: string) {
  return {
    ...{ collections, workspaceId },
    async endpoint(url: string, secret = newWebhookSecret(), events: readonly WebhookType[] = webhookTypes) {
      const values = { workspaceId, url, description: '', events };
      const made = await collections.webhookEndpoints.create(values, (id) => sealSecret(secret, id, masterKeys));
      if (typeof made === 'string') throw new Error(made);
      return { ...made, secret };
    },
    find: async (id: string) => {
      const found = await collections.webhookEndpoints.find(workspaceId, id);
      if (found === undefined) throw new Error('no such endpoint');
      return found;
    },
    /** Orders that were posted, in one group. @param id of the entry. @returns the ids of their events. */
    async settle(
      count: number,
      endpointIds: readonly string[],
      id = newId('webhookBatch'),
      missedBy?: readonly string[],
    ): Promise<string[]> {
      const orders = Array.from({ length: count }, () => {
        const order = pendingOrder({
          ...{ workspaceId, sourceWalletId: newId('wallet'), targetWalletId: newId('wallet') },
          ...{ amount: '1.5', currency: 'USD' },
        });
        return { ...order, status: 'COMPLETED', completedAt: order.createdAt } as const;
      });
      await collections.orders.insertBatch(orders);
      await db.collection<OutboxEntry>('webhookOutbox').insertOne({
        ...{ _id: id, workspaceId, completed: orders.map(({ id }) => id), failed: [] },
        ...{ pending: endpointIds, createdAt: new Date(), ...(missedBy === undefined ? {} : { missedBy }) },
      });
      return orders.map(({ id }) => eventIdOf(id));
    },
    deliver: (endpointId: string, signal = new AbortController().signal) =>
      deliver(context, { workspaceId, endpointId }, signal),
    enable: async (id: string) => owner.enable(await owner.find(workspaceId, id)),
    disable: async (id: string) => owner.disable(await owner.find(workspaceId, id)),
    test: async (id: string) => (await owner.prepareTest(workspaceId, id))(),
    replayEvent: async (id: string, eventId: string) => (await owner.prepareReplayOfEvent(workspaceId, id, eventId))(),
    replaySince: async (id: string, since: Date) => (await owner.prepareReplaySince(workspaceId, id, since))(),
    /** As though it was time to try again. */
    async passPauses(endpointId: string): Promise<void> {
      const past = new Date(Date.now() - 1_000);
      await db
        .collection<{ _id: string }>('webhookEndpoints')
        .updateOne({ _id: endpointId }, { $set: { retryAt: past } });
      await db
        .collection('webhookDeliveries')
        .updateMany({ endpointId, state: 'PENDING' }, { $set: { nextAttemptAt: past } });
    },
    deliveries: async (id: string) => collections.webhookDeliveries.list({ workspaceId, id }, 2_000),
  };
}
