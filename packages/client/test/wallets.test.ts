import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client } from '../src/index.ts';
import { startServer, succeed, type TestServer } from './server.ts';

const path = '/api/v1/wallets';

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startServer();
  client = createClient({ baseUrl: server.baseUrl, apiKey: 'ak_1', apiSecret: 'secret', attemptsMax: 2 });
});
afterAll(() => server.close());

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
    const statement = await client.wallet.statement('wa_1', range);
    expect(statement).toMatchObject(totals);
    const sequences = (await Array.fromAsync(statement)).map(({ sequence }) => sequence);
    expect(sequences).toEqual([1, 2, 3]);
    expect(queries()).toEqual([query, 'cursor=1&size=1', 'cursor=2&size=1']);
    expect(server.received[0]!.url).toBe(`${path}/wa_1/statement?${query}`);
  });

  it('can be walked again', async () => {
    pages();
    const statement = await client.wallet.statement('wa_1', range);
    const entries = await Array.fromAsync(statement);
    expect(await Array.fromAsync(statement)).toEqual(entries);
    expect(queries()).toHaveLength(5);
  });

  it('ends with its signal', async () => {
    pages();
    const reason = new Error('changed my mind');
    const asked = client.wallet.statement('wa_1', range, { signal: AbortSignal.abort(reason) });
    await expect(asked).rejects.toBe(reason);
  });
});
