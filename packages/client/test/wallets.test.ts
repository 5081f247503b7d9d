import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, createClient, UnexpectedAnswerError, UsageError, type Client } from '../src/index.ts';
import { refuse, startServer, succeed, type TestServer } from './server.ts';

const path = '/api/v1/wallets';
const wallet = { currency: 'USD', name: 'Alice', metadata: { plan: 'basic' }, creditLimit: '0' };

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startServer();
  client = createClient({ baseUrl: server.baseUrl, apiKey: 'ak_1', apiSecret: 'secret', attemptsMax: 2 });
});
beforeEach(() => {
  // No pause is longer than it has to be.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(() => server.close());

const sent = (): unknown[][] =>
  server.received.map(({ method, url, body }) => [method, url, body === '' ? '' : (JSON.parse(body) as unknown)]);

describe('what makes or changes a wallet', () => {
  const withReference = { ...wallet, reference: 'user-7' };
  const repeated: [string, () => Promise<unknown>, string, unknown][] = [
    ['create with a reference', () => client.wallet.create(withReference), '', withReference],
    ['freeze', () => client.wallet.freeze('wa_1'), '/wa_1/freeze', ''],
    ['unfreeze', () => client.wallet.unfreeze('wa_1'), '/wa_1/unfreeze', ''],
    ['close', () => client.wallet.close('wa_1'), '/wa_1/close', ''],
    ['limit', () => client.wallet.limit('wa_1', '250.00'), '/wa_1/limit', { creditLimit: '250.00' }],
  ];

  it.each(repeated)('%s is sent again after a broken connection', async (_, call, rest, body) => {
    server.answer((res, index) => {
      if (index === 0) res.destroy();
      else succeed(res, { id: 'wa_1' });
    });
    expect(await call()).toEqual({ id: 'wa_1' });
    expect(sent()).toEqual([
      ['POST', path + rest, body],
      ['POST', path + rest, body],
    ]);
  });

  it('create without a reference is sent again only where it surely was not done', async () => {
    server.answer((res, index) => {
      if (index === 0) refuse(res, [429, 'RQ4291'], { 'Retry-After': '0' });
      else res.destroy();
    });
    await expect(client.wallet.create(wallet)).rejects.toThrow('the connection failed');
    expect(sent()).toEqual([
      ['POST', path, wallet],
      ['POST', path, wallet],
    ]);
    server.answer((res) => res.destroy());
    await expect(client.wallet.create(wallet)).rejects.toThrow('the connection failed');
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['a currency that is missing', () => client.wallet.create({ name: 'x' } as never), /currency is required/],
    ['a field that a wallet has not', () => client.wallet.create({ ...wallet, balance: '1' } as never), /no "balance"/],
    ['an empty reference', () => client.wallet.create({ ...wallet, reference: '' }), /reference is required/],
    [
      'a credit limit that is a number',
      () => client.wallet.create({ ...wallet, creditLimit: 1 } as never),
      /decimal text/,
    ],
    ['a limit that is a number', () => client.wallet.limit('wa_1', 250 as never), /creditLimit must be a decimal text/],
    ['a limit that is missing', () => client.wallet.limit('wa_1', undefined as never), /creditLimit is required/],
    ['an unknown option', () => client.wallet.freeze('wa_1', { at: 'now' } as never), /has no "at"/],
  ])('is refused with %s, and nothing is sent', async (_, call, message) => {
    server.answer((res) => {
      succeed(res, {});
    });
    const called = call();
    await expect(called).rejects.toThrow(UsageError);
    await expect(called).rejects.toThrow(message);
    expect(server.received).toEqual([]);
  });
});

describe('reads', () => {
  it('a list takes a reference, and a balance a moment', async () => {
    server.answer((res) => {
      succeed(res, { items: [], nextCursor: null, balance: '1.10' });
    });
    await Array.fromAsync(client.wallet.list({ reference: 'user-7' }));
    await client.wallet.balance('wa_1');
    expect(await client.wallet.balance('wa_1', { at: '2026-01-01T00:00:00+01:00' })).toMatchObject({ balance: '1.10' });
    expect(server.received.map(({ url }) => url)).toEqual([
      `${path}?reference=user-7&size=100`,
      `${path}/wa_1/balance`,
      `${path}/wa_1/balance?at=2026-01-01T00%3A00%3A00%2B01%3A00`,
    ]);
  });
});

describe('a statement', () => {
  const range = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', size: 1 };
  const totals = { walletId: 'wa_1', openingBalance: '0.00', closingBalance: '3.00', count: 3, settledUntil: range.to };
  const pages = () => {
    server.answer((res, _, { url }) => {
      const after = Number(/cursor=(\d)/.exec(url)?.[1] ?? 0);
      const items = [{ sequence: after + 1 }];
      succeed(res, { ...totals, items, nextCursor: after < 2 ? String(after + 1) : null });
    });
  };
  const queries = () => server.received.map(({ url }) => url.split('?')[1]);
  const query = 'from=2026-01-01T00%3A00%3A00Z&to=2026-02-01T00%3A00%3A00Z&size=1';

  it('has the figures of its range, and the entries of all pages, and asks once for the first', async () => {
    pages();
    const statement = client.wallet.statement('wa_1', range);
    expect(server.received).toEqual([]);
    expect(await statement.totals()).toEqual(totals);
    const sequences = (await Array.fromAsync(statement)).map(({ sequence }) => sequence);
    expect(sequences).toEqual([1, 2, 3]);
    expect(await statement.totals()).toEqual(totals);
    expect(queries()).toEqual([query, 'cursor=1&size=1', 'cursor=2&size=1']);
    expect(server.received[0]!.url).toBe(`${path}/wa_1/statement?${query}`);
  });

  it('is fetched once where both are asked for at once, and can be walked again', async () => {
    pages();
    const statement = client.wallet.statement('wa_1', range);
    const [figures, entries] = await Promise.all([statement.totals(), Array.fromAsync(statement)]);
    expect([figures.count, entries.length]).toEqual([3, 3]);
    expect(queries()).toHaveLength(3);
    expect(await Array.fromAsync(statement)).toEqual(entries);
    expect(queries()).toHaveLength(5);
  });

  it('asks again for a first page that it did not get', async () => {
    server.answer((res) => {
      refuse(res, [404, 'WA4041']);
    });
    const statement = client.wallet.statement('wa_1', range);
    await expect(statement.totals()).rejects.toThrow(ApiError);
    pages();
    expect(await Array.fromAsync(statement)).toHaveLength(3);
  });

  it('ends with its signal', async () => {
    pages();
    const reason = new Error('changed my mind');
    const statement = client.wallet.statement('wa_1', range, { signal: AbortSignal.abort(reason) });
    await expect(statement.totals()).rejects.toBe(reason);
  });

  it('that is no page is an error', async () => {
    server.answer((res) => {
      succeed(res, totals);
    });
    await expect(client.wallet.statement('wa_1', range).totals()).rejects.toThrow(UnexpectedAnswerError);
  });

  it.each([
    ['no range', undefined, /The range of a statement must be an object/],
    ['no end', { from: range.from }, /to is required/],
    ['a cursor', { ...range, cursor: '1' }, /has no "cursor"/],
  ])('of %s is refused, and nothing is sent', async (_, given, message) => {
    pages();
    const statement = client.wallet.statement('wa_1', given as never);
    await expect(statement.totals()).rejects.toThrow(UsageError);
    await expect(Array.fromAsync(statement)).rejects.toThrow(message);
    expect(server.received).toEqual([]);
  });
});
