import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, UsageError, type BatchLine, type Client, type NewTransfer } from '../src/index.ts';
import { startServer, succeed, type Received, type TestServer } from './server.ts';

const transfer = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: '1.10', currency: 'USD' };

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startServer();
  client = createClient({ baseUrl: server.baseUrl, apiKey: 'ak_1', apiSecret: 'secret' });
});
afterAll(() => server.close());

function linesOf({ body }: Received): NewTransfer[] {
  return (JSON.parse(body) as { transfers: NewTransfer[] }).transfers;
}
/** An order for each line. */
function accept(response: ServerResponse, request: Received): void {
  const items = linesOf(request).map((line) => ({ order: { ...line, transferId: 'tr_1', status: 'PENDING' } }));
  succeed(response, { batchId: 'ba_1', items });
}

describe('a batch', () => {
  it('takes what is made while it is sent, and reads no further than its results are taken', async () => {
    server.answer((res, _, request) => {
      accept(res, request);
    });
    let read = 0;
    let isClosed = false;
    async function* given(): AsyncGenerator<NewTransfer> {
      try {
        for (; read < 5_000; read += 1) yield await Promise.resolve(transfer);
      } finally {
        isClosed = true;
      }
    }
    for await (const { line } of client.transfer.batch(given())) if (line === 500) break;
    expect(server.received).toHaveLength(1);
    expect(read).toBeLessThanOrEqual(501);
    expect(isClosed).toBe(true);
  });

  it('waits for whoever is told the bizIds of a request, before it is sent', async () => {
    const told: BatchLine[] = [];
    server.answer((res, _, request) => {
      expect(told.map(({ bizId }) => bizId)).toEqual(linesOf(request).map(({ bizId }) => bizId));
      accept(res, request);
    });
    const onSend = async (lines: readonly BatchLine[]): Promise<void> => {
      await new Promise(setImmediate);
      told.push(...lines);
    };
    const results = await Array.fromAsync(
      client.transfer.batch([{ ...transfer, bizId: 'mine' }, transfer], { onSend }),
    );
    expect(told).toEqual(results.map(({ line, bizId }) => ({ line, bizId })));
    expect(told[0]).toEqual({ line: 1, bizId: 'mine' });
  });

  it.each([
    ['no list', 5, {}, /must be an iterable of orders/],
    ['a text', 'abc', {}, /must be an iterable of orders/],
    ['what JSON cannot hold', [{ ...transfer, metadata: { a: () => 1 } }], {}, /"a" cannot be written as JSON/],
    ['an unknown option', [transfer], { wait: 1 }, /has no "wait"/],
    ['atomic that is no boolean', [transfer], { atomic: 'yes' }, /atomic must be true or false/],
  ])('refuses %s, and sends nothing', async (_, given, options, message) => {
    server.answer(() => expect.unreachable());
    const results = Array.fromAsync(client.transfer.batch(given as never, options as never));
    await expect(results).rejects.toThrow(UsageError);
    await expect(results).rejects.toThrow(message);
    expect(server.received).toHaveLength(0);
  });
});
