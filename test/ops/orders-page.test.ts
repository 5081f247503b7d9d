import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { startService, type RunningService } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

describe('the list of orders', () => {
  let service: RunningService;
  let workspace: TestWorkspace;
  let walletId: string;
  let failedId: string;
  let manyIds: string[];
  const count = 52;

  beforeAll(async () => {
    service = await startService({ workers: 1 });
    workspace = await createWorkspace(service);
    walletId = await workspace.wallet('100');
    const targetWalletId = await workspace.wallet();
    const create = async (amount: string) => {
      const body = { sourceWalletId: walletId, targetWalletId, amount, currency: 'USD' };
      const path = '/api/v1/transfer/command/create';
      const { envelope } = await workspace.client.request<{ transferId: string; status: string }>('POST', path, {
        body,
        headers: { Prefer: 'wait=10' },
      });
      return envelope!.data.transferId;
    };
    failedId = await create('1000');
    manyIds = await Promise.all(Array.from({ length: count }, () => create('2000')));
  });
  afterAll(() => service.stop());

  const get = async (path: string) => {
    const answer = await fetch(service.opsUrl + path);
    return { status: answer.status, html: await answer.text() };
  };
  /** The ids of the rows, and where the link of a name leads. */
  const rowsOf = (html: string) =>
    [...html.matchAll(/<td data-column="order"><a href="\/search\?id=(tr_\w+)"/g)].map(([, id = '']) => id);
  const linkOf = (html: string, name: string) => {
    const [, path] = new RegExp(`<a href="(/orders[^"]*)">${name}</a>`).exec(html) ?? [];
    return path?.replaceAll('&amp;', '&');
  };

  it('pages through what a support ticket names, each order once', async () => {
    const asked = `wallet=${walletId}&amount=2000.00`;
    const first = await get(`/orders?${asked}`);
    expect(first.status).toBe(200);
    expect(rowsOf(first.html)).toHaveLength(50);
    const second = await get(linkOf(first.html, 'older') ?? '');
    expect([...rowsOf(first.html), ...rowsOf(second.html)]).toEqual(manyIds.toSorted().toReversed());
    expect(linkOf(second.html, 'older')).toBeUndefined();
    expect(linkOf(second.html, 'newest')).toBeDefined();
  });

  it('finds a failure in all workspaces, which its page says in words, and lists no other', async () => {
    const { html: list } = await get('/orders?amount=1000');
    expect(rowsOf(list)).toEqual([failedId]);
    expect(list).toContain(`/search?id=${workspace.workspaceId}`);
    const { html } = await get(`/search?id=${failedId}`);
    expect(html).toContain('The balance of the source wallet is too low.');
    expect(html.replaceAll(/<[^>]*>/g, '')).toContain(`asked for by key ${workspace.apiKey}`);
    expect(html).toContain(`/search?id=${workspace.apiKey}`);
  });

  it('shows the legs of an order, what became of each, and the one at fault', async () => {
    const [seller, tax] = [await workspace.wallet(), await workspace.wallet()];
    type Made = { transferId: string };
    const make = (command: string, body: object) => workspace.post<Made>(`transfer/command/${command}`, body);
    const ended = async (command: string, body: object): Promise<string> => {
      const { transferId } = await make(command, body);
      await workspace.client.request('GET', `/api/v1/transfer/query/orders/${transferId}`, {
        headers: { Prefer: 'wait=10' },
      });
      return transferId;
    };
    /** What each cell of the page's legs reads, row by row; EXTERNAL ids, which no client knows, by their kind. */
    const legsOf = async (id: string) => {
      const { html } = await get(`/search?id=${id}`);
      const [, legs = ''] = /<table id="legs">([^]*?)<\/table>/.exec(html) ?? [];
      const text = (cell: string) => cell.replaceAll(/<[^>]*>/g, '').replace(/^ex_\w+$/, 'EXTERNAL');
      const rows = legs.split('<tr>').slice(2);
      return rows.map((row) => [...row.matchAll(/<td [^>]*>([^]*?)<\/td>/g)].map(([, cell = '']) => text(cell)));
    };
    const sides = { sourceWalletId: walletId, currency: 'USD' };
    const legs = [
      { ...sides, targetWalletId: seller, amount: '5' },
      { ...sides, amount: '2.5', description: 'Fee <b>' },
    ];
    const sale = await ended('journal', { legs });
    const refund = await ended('reverse', { transferId: sale, legs: [{ leg: 1, amount: '1' }, { leg: 0 }] });
    const hold = await ended('hold', { ...sides, targetWalletId: seller, amount: '4' });
    const capture = await ended('capture', {
      transferId: hold,
      legs: [{ amount: '3' }, { targetWalletId: tax, amount: '1', description: 'Tax' }],
    });
    const lastLeg = { sourceWalletId: tax, targetWalletId: seller, amount: '777', currency: 'USD' };
    const failed = await ended('journal', { legs: [...legs, lastLeg] });

    expect(await legsOf(sale)).toEqual([
      ['0', '5.00 USD', walletId, seller, '5.00', ''],
      ['1', '2.50 USD', walletId, 'EXTERNAL', '1.00', 'Fee &lt;b&gt;'],
    ]);
    expect(await legsOf(refund)).toEqual([
      ['0', '1.00 USD', 'EXTERNAL', walletId, '1', ''],
      ['1', '5.00 USD', seller, walletId, '0', ''],
    ]);
    expect(await legsOf(capture)).toEqual([
      ['0', '3.00 USD', walletId, seller, '0.00', ''],
      ['1', '1.00 USD', walletId, tax, '0.00', 'Tax'],
    ]);
    const { html } = await get(`/search?id=${failed}`);
    expect(html).toMatch(/<dt>leg at fault<\/dt>\s*<dd>2<\/dd>/);
    expect(html).toContain('<b class="status FAILED">2</b>');

    const { html: list } = await get('/orders?amount=777');
    expect(rowsOf(list)).toEqual([failed]);
    expect(list).toContain('<td data-column="amount">3 legs</td>');
    expect(list).toContain('<td data-column="from">2 wallets</td>');
  });

  it('has those set aside with their reason', async () => {
    const client = await MongoClient.connect(service.mongodbUri);
    try {
      const orders = client.db().collection<Document & { _id: string }>('orders');
      const sound = await orders.findOne({ _id: failedId }, { projection: { request: 0 } });
      const setAsideId = newId('order');
      const reason = 'currency <XAU> is not configured';
      const at = new Date();
      await orders.insertOne({
        ...{ ...sound, _id: setAsideId, bizId: setAsideId, status: 'SET_ASIDE', failure: null, stuckSince: at },
        fault: { attempts: 4, reason, at },
      });
      const { html } = await get('/orders?status=SET_ASIDE');
      expect(rowsOf(html)).toEqual([setAsideId]);
      expect(html).toContain('currency &lt;XAU&gt; is not configured');
      expect(html).not.toContain('<XAU>');
      await orders.deleteOne({ _id: setAsideId });
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
        /<dt>made by<\/dt>\s*<dd>([^<]*)/.exec((await get(`/search?id=${id}`)).html)?.[1];
      expect(await madeBy(expired)).toBe('the service, because the hold expired');
      expect(await madeBy(byHand)).toBe('an operator');
      await orders.deleteMany({ _id: { $in: [expired, byHand] } });
    } finally {
      await client.close();
    }
  });

  it.each([
    ['workspace=%22%3E%3Cscript%3Ealert(1)%3C/script%3E', 'workspace has to be an id'],
    ['status=LOST', 'status has to be FAILED or SET_ASIDE'],
    ['status=%ff', 'status has to be'],
    ['amount=1e9', 'amount has to be a decimal'],
    ['wallet=wa_1', 'wallet has to be an id'],
    ['below=tr_1', 'below has to be the id'],
  ])('says what is wrong with a request, and shows it escaped: %s', async (query, why) => {
    const { status, html } = await get(`/orders?${query}`);
    expect(status).toBe(400);
    expect(html).toContain(why);
    expect(html).not.toContain('<script>alert');
  });

  it('says that there is no such wallet', async () => {
    expect((await get(`/orders?wallet=${newId('wallet')}`)).html).toContain('There is no such wallet.');
  });

  it('is reached from the pages of a workspace and of a wallet', async () => {
    for (const path of [`/search?id=${workspace.workspaceId}`, `/search?id=${walletId}`]) {
      const { html } = await get(path);
      const list = linkOf(html, 'failed') ?? '';
      expect(rowsOf((await get(`${list}&amount=1000`)).html)).toEqual([failedId]);
    }
  });
});
