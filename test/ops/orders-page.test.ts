import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { eventIdOf } from '../../src/domain/webhook.ts';
import { readAskedOrders } from '../../src/ops/order-search.ts';
import { openWebhookDeliveries } from '../../src/storage/webhooks/deliveries.ts';
import { startService, type RunningService } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const ask = (query: string) => readAskedOrders(new URLSearchParams(query));

describe('what the list of orders is asked for', () => {
  const workspaceId = newId('workspace');

  it('is read with times in UTC, as a form sends or a page shows them', () => {
    for (const time of ['2026-11-26T14:03', '2026-11-26 14:03:00 UTC', '2026-11-26T14:03:00.000Z']) {
      expect(ask(`from=${time}`).search.from).toEqual(new Date('2026-11-26T14:03:00Z'));
    }
    expect(ask('to=2026-11-26').search.to).toEqual(new Date('2026-11-26T00:00:00Z'));
  });

  it('means FAILED orders by a failure, and those set aside by any other reason', () => {
    expect(ask('reason=BALANCE_LIMIT').search).toMatchObject({ state: 'FAILED', failure: 'BALANCE_LIMIT' });
    expect(ask('reason=no+XAU').search).toMatchObject({ state: 'SET_ASIDE', fault: 'no XAU' });
    expect(ask('order=slowest')).toMatchObject({ isSlowest: true, search: { state: 'PENDING' }, wrong: [] });
    expect(ask('').search.state).toBeUndefined();
  });

  it.each([
    ['workspace=ws_1', 'workspace has to be an id'],
    ['workspace[]=x&status=LOST', 'status has to be one of'],
    ['type=%3Cb%3E', 'type has to be the name'],
    [`reason=${'x'.repeat(501)}`, 'reason has to be no longer'],
    ['from=yesterday', 'from has to be a time'],
    ['to=2026-13-45', 'to has to be a time'],
    ['to=2026-02-30', 'to has to be a time'],
    ['from=2026-11-31+14:03', 'from has to be a time'],
    ['from=2026-11-26&to=2026-11-25', 'from has to be before to'],
    ['below=tr_1', 'below has to be the id'],
    ['order=newest', 'order has to be slowest'],
    [`workspace=${workspaceId}&parent=wa_1`, 'parent has to be the id of an order'],
    [`batch=${newId('batch')}`, 'needs its workspace'],
    ['status=COMPLETED&reason=BALANCE_LIMIT', 'Only FAILED orders'],
    ['status=COMPLETED&reason=no+XAU', 'of PENDING and SET_ASIDE orders'],
    ['order=slowest&status=FAILED', 'Only PENDING orders'],
  ])('is refused in words: %s', (query, why) => {
    const { wrong } = ask(query);
    expect(wrong).toHaveLength(1);
    expect(wrong[0]).toContain(why);
  });
});

describe('the list of orders', () => {
  let service: RunningService;
  let workspace: TestWorkspace;
  let failedId: string;
  let completedIds: string[];
  const count = 52;

  beforeAll(async () => {
    service = await startService({ workers: 1 });
    workspace = await createWorkspace(service);
    const [sourceWalletId, targetWalletId] = [await workspace.wallet('100'), await workspace.wallet()];
    const create = async (amount: string) => {
      const body = { sourceWalletId, targetWalletId, amount, currency: 'USD' };
      const path = '/api/v1/transfer/command/create';
      const { envelope } = await workspace.client.request<{ transferId: string; status: string }>('POST', path, {
        body,
        headers: { Prefer: 'wait=10' },
      });
      return envelope!.data.transferId;
    };
    failedId = await create('1000');
    completedIds = await Promise.all(Array.from({ length: count }, () => create('1')));
  });
  afterAll(() => service.stop());

  const get = async (path: string) => {
    const answer = await fetch(service.opsUrl + path);
    return { status: answer.status, html: await answer.text() };
  };
  /** The ids of the rows, and where the link of a name leads. */
  const rowsOf = (html: string) =>
    [...html.matchAll(/<td data-column="order"><span[^>]*><span class="kept"\s*><a href="\/order\?id=(tr_\w+)"/g)].map(
      ([, id = '']) => id,
    );
  const linkOf = (html: string, name: string) => {
    const [, path] = new RegExp(`<a href="(/orders[^"]*)">${name}</a>`).exec(html) ?? [];
    return path?.replaceAll('&amp;', '&');
  };

  it('pages through a workspace, each order once', async () => {
    const first = await get(`/orders?workspace=${workspace.workspaceId}&type=TRANSFER&status=COMPLETED`);
    expect(first.status).toBe(200);
    const older = linkOf(first.html, 'older');
    const second = await get(older ?? '');
    const found = [...rowsOf(first.html), ...rowsOf(second.html)];
    expect(rowsOf(first.html)).toHaveLength(50);
    expect(found).toEqual(completedIds.toSorted().toReversed());
    expect(linkOf(second.html, 'older')).toBeUndefined();
    expect(linkOf(second.html, 'newest')).toBeDefined();
  });

  it('finds a failure in all workspaces, which its page says in words, and lists no other', async () => {
    for (const query of ['reason=INSUFFICIENT_BALANCE', 'status=FAILED', 'status=FAILED&from=2026-01-01']) {
      const { html } = await get(`/orders?${query}`);
      expect(rowsOf(html)).toEqual([failedId]);
      expect(html).toContain(`/workspace?id=${workspace.workspaceId}`);
    }
    expect(rowsOf((await get('/orders?status=FAILED&to=2026-01-01')).html)).toEqual([]);
    const { html } = await get(`/order?id=${failedId}`);
    expect(html).toContain('The balance of the source wallet is too low.');
    expect(html).toContain(`asked for by key <a href="/key?id=${workspace.apiKey}"`);
  });

  it('has those set aside with their reason, and those that wait longest', async () => {
    const client = await MongoClient.connect(service.mongodbUri);
    try {
      const orders = client.db().collection<Document & { _id: string }>('orders');
      const sound = await orders.findOne({ _id: failedId }, { projection: { request: 0 } });
      const [setAsideId, scheduledId] = [newId('order'), newId('order')];
      const reason = 'currency <XAU> is not configured';
      const at = new Date();
      await orders.insertMany([
        {
          ...{ ...sound, _id: setAsideId, bizId: setAsideId, status: 'SET_ASIDE', failure: null, stuckSince: at },
          fault: { attempts: 4, reason, at },
        },
        {
          ...{ ...sound, _id: scheduledId, bizId: scheduledId, status: 'SCHEDULED', failure: null },
          ...{ executeAt: new Date(at.getTime() + 3_600_000), dueAt: new Date(at.getTime() + 3_600_000) },
        },
      ]);
      const { html } = await get(`/orders?reason=${encodeURIComponent(reason)}`);
      expect(rowsOf(html)).toEqual([setAsideId]);
      expect(html).toContain('currency &lt;XAU&gt; is not configured');
      expect(html).not.toContain('<XAU>');
      expect(rowsOf((await get('/orders?order=slowest')).html)).toEqual([]);
      expect(rowsOf((await get('/orders?status=SCHEDULED')).html)).toEqual([scheduledId]);
    } finally {
      await client.close();
    }
  });

  it('leads to an order, which says who made it', async () => {
    const client = await MongoClient.connect(service.mongodbUri);
    try {
      const orders = client.db().collection<Document & { _id: string }>('orders');
      const { request: _, ...sound } = (await orders.findOne({ _id: failedId }))!;
      const [expired, byHand] = [newId('order'), newId('order')];
      await orders.insertMany([
        { ...sound, _id: expired, bizId: expired, type: 'RELEASE', terms: { by: 'expiry' } },
        { ...sound, _id: byHand, bizId: byHand, type: 'RELEASE' },
      ]);
      const madeBy = async (id: string) =>
        /<dt>made by<\/dt>\s*<dd>([^<]*)/.exec((await get(`/order?id=${id}`)).html)?.[1];
      expect(await madeBy(expired)).toBe('the service, because the hold expired');
      expect(await madeBy(byHand)).toBe('an operator');
      await orders.deleteMany({ _id: { $in: [expired, byHand] } });
    } finally {
      await client.close();
    }
  });

  it('leads to an order, which says what its webhooks were told', async () => {
    const client = await MongoClient.connect(service.mongodbUri);
    try {
      const id = newId('webhook');
      const { workspaceId } = workspace;
      const url = 'https://receiver.example.com/hooks?key=hidden';
      await client
        .db()
        .collection<Document & { _id: string }>('webhookEndpoints')
        .insertOne(
          { ...{ _id: id, workspaceId, slot: 0, url, events: [], status: 'DISABLED' }, createdAt: new Date() },
          { bypassDocumentValidation: true },
        );
      const delivery = {
        ...{
          eventId: eventIdOf(failedId),
          type: 'transfer.failed' as const,
          state: 'SET_ASIDE' as const,
          attempts: 8,
          status: 503,
        },
        ...{
          error: 'STATUS',
          durationMs: 12,
          nextAttemptAt: null,
          lastAttemptAt: new Date(),
          dueSince: new Date(),
          createdAt: new Date(),
          updatedAt: new Date(),
        },
      };
      await openWebhookDeliveries(client.db()).store({ workspaceId, id }, [delivery]);
      const { html } = await get(`/order?id=${failedId}`);
      const [told = ''] = /<table id="deliveries".*?<\/table>/s.exec(html) ?? [];
      for (const text of ['receiver.example.com', 'transfer.failed', 'SET_ASIDE', '>503<', '>8<']) {
        expect(told).toContain(text);
      }
      expect(told).not.toContain('hidden');
      expect((await get(`/order?id=${completedIds[0] ?? ''}`)).html).not.toContain('What its webhooks were told');
    } finally {
      await client.close();
    }
  });

  it('says what is wrong with a request, and shows it escaped', async () => {
    const { status, html } = await get('/orders?workspace=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&status=%ff');
    expect(status).toBe(400);
    expect(html).toContain('workspace has to be an id');
    expect(html).toContain('status has to be one of');
    expect(html).not.toContain('<script>alert');
  });

  it('is reached from the pages of a workspace and of a wallet', async () => {
    const { html } = await get(`/workspace?id=${workspace.workspaceId}`);
    expect(rowsOf(html)).toHaveLength(8);
    expect(rowsOf((await get(linkOf(html, 'failed') ?? '')).html)).toEqual([failedId]);
    const wallets = await get(/<a href="(\/wallets[^"]*)"/.exec(html)?.[1] ?? '');
    const ids = [...wallets.html.matchAll(/href="\/wallet\?id=(\w+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(3);
    const wallet = await get(`/wallet?id=${ids[0] ?? ''}`);
    expect(rowsOf((await get(linkOf(wallet.html, 'failed') ?? '')).html)).toEqual([failedId]);
    expect((await get('/wallets?workspace=ws_1')).status).toBe(404);
  });
});
