import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Db } from 'mongodb';
import { Webhook } from 'standardwebhooks';
import { alertType, eventIdOf } from '../../../src/domain/webhook.ts';
import { newWebhookSecret } from '../../../src/webhooks/signature.ts';
import { readBooks } from '../checker/books.ts';
import { checkAlertEvents, type AlertTold } from '../checker/check-alerts.ts';
import type { Guards } from '../checker/guards.ts';
import type { Told } from './sent.ts';

/** What receives the events of a stack's workspaces. */
export interface WebhookReceiver {
  /** Of one workspace. */
  urlOf(workspaceId: string): string;
  /** The same for all. */
  secret: string;
  /**
   * Waits until of every order that ended its workspace was told, and how it ended, and of each alert's event. @throws after two minutes, naming some of
   * which it was not; and where anything was told that is not so, or not signed.
   */
  untilAllTold(db: Db, guards: Pick<Guards, 'alerts'>): Promise<void>;
  stop(): void;
}

/** A job that is lost is replaced within a minute; what was not taken comes again after 5 s, then 15 s. */
const toldWithinMs = 120_000;
const pollMs = 100;
const shownMax = 10;
/** One in so many is not taken at first. Twice none is refused: of some ten thousand one would come too late by chance. */
const refusedEach = 20;
const types: Readonly<Record<string, string>> = {
  COMPLETED: 'transfer.completed',
  FAILED: 'transfer.failed',
  CANCELLED: 'transfer.cancelled',
};

/** @param told gets what every event said. */
export async function startWebhookReceiver(told: Told[]): Promise<WebhookReceiver> {
  const secret = newWebhookSecret();
  /** Each order with its event, and the workspace that was told of it. */
  const toldOf = new Map<string, string>();
  /** The events of alerts, by wallet and number. */
  const alerts = new Map<string, AlertTold>();
  const breaches = new Set<string>();
  const refused = new Set<string | undefined>();
  let received = 0;

  async function take(request: IncomingMessage): Promise<boolean> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    received += 1;
    const headers = request.headers as Record<string, string>;
    const eventId = headers['webhook-id'];
    if (received % refusedEach === 0 && !refused.has(eventId)) {
      refused.add(eventId);
      return false;
    }
    const event = new Webhook(secret).verify(Buffer.concat(chunks).toString(), headers) as {
      type: string;
      data: { transferId: string; walletId: string; number: number };
    };
    const { transferId, walletId, number } = event.data;
    const url = request.url ?? '';
    if (event.type === alertType) {
      const each = { workspaceId: url.slice(1), data: { ...event.data } };
      const before = alerts.get(`${walletId} ${number}`) ?? each;
      if (!isDeepStrictEqual(before, each)) breaches.add(`event ${number} of ${walletId} was told in two ways`);
      alerts.set(`${walletId} ${number}`, each);
      return true;
    }
    const what = `${event.type} to ${url}`;
    if ((toldOf.get(transferId) ?? what) !== what) breaches.add(`${transferId} was told as ${what} and otherwise`);
    toldOf.set(transferId, what);
    const [askedAtMs, toldAtMs] = [performance.now(), performance.now()];
    const asked = { workspaceId: url.slice(1), method: 'WEBHOOK', path: event.type, query: {} } as const;
    told.push({ ...asked, askedAtMs, toldAtMs, isReplay: false, data: event.data });
    return true;
  }

  const server = createServer((request, response) => {
    take(request).then(
      (isTaken) => response.writeHead(isTaken ? 204 : 500).end(),
      (error: unknown) => {
        // A worker that died in the middle of a request is no breach.
        if (request.complete) breaches.add(`a webhook is not as it must be: ${String(error)}`);
        response.destroy();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    urlOf: (workspaceId) => `http://127.0.0.1:${port}/${workspaceId}`,
    secret,
    async untilAllTold(db, guards) {
      const orders = await db
        .collection('orders')
        .find({ status: { $in: ['COMPLETED', 'FAILED'] } })
        .toArray();
      const expected = new Map(
        orders.map(({ _id, status, workspaceId }) => [
          String(_id),
          `${types[String(status)] ?? ''} to /${String(workspaceId)}`,
        ]),
      );
      const missing = () => [...expected].filter(([id, what]) => toldOf.get(id) !== what);
      const books = await readBooks(db);
      const alertCount = books.wallets.reduce((sum, { alertEvents = 0 }) => sum + Number(alertEvents), 0);
      const deadline = performance.now() + toldWithinMs;
      while ((missing().length > 0 || alerts.size < alertCount) && performance.now() < deadline) await delay(pollMs);
      for (const breach of checkAlertEvents(books, [...alerts.values()], guards)) breaches.add(breach);
      const untold = await Promise.all(
        missing().map(async ([id, what]) => `no webhook was told of ${id}, ${what}: ${await whatIsKnownOf(db, id)}`),
      );
      const strangers = [...toldOf.keys()].filter((id) => !expected.has(id)).map((id) => `a webhook was told of ${id}`);
      const all = [...untold, ...strangers, ...breaches];
      if (all.length > 0) throw new Error(`${all.length} of webhooks: ${all.slice(0, shownMax).join('; ')}`);
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** For whoever looks for the reason. */
async function whatIsKnownOf(db: Db, orderId: string): Promise<string> {
  const entry = await db.collection('webhookOutbox').findOne({ $or: [{ completed: orderId }, { failed: orderId }] });
  const delivery = await db.collection('webhookDeliveries').findOne({ eventId: eventIdOf(orderId) });
  const endpoint = await db.collection('webhookEndpoints').findOne({ workspaceId: entry?.['workspaceId'] as string });
  return JSON.stringify({ now: new Date(), entry, delivery, endpoint: { ...endpoint, secrets: undefined } });
}
