import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ApiError,
  createClient,
  TransferCancelledError,
  UnexpectedAnswerError,
  UsageError,
  type BatchLine,
  type BatchOptions,
  type BatchResult,
  type Client,
  type NewTransfer,
} from '../src/index.ts';
import { refuse, startServer, succeed, type Received, type TestServer } from './server.ts';

const transfer = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: '1.10', currency: 'USD' };
const order = { ...transfer, transferId: 'tr_1', bizId: 'b', status: 'SCHEDULED', executeAt: null, failure: null };
const again = { 'Retry-After': '0' };
const refusedLine = { code: 'WA4041', message: 'NO', reason: 'WALLET_NOT_FOUND', field: 'targetWalletId' };

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startServer();
  client = createClient({ baseUrl: server.baseUrl, apiKey: 'ak_1', apiSecret: 'secret' });
});
beforeEach(() => {
  // No pause is longer than it has to be.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(() => server.close());

function linesOf({ body }: Received): NewTransfer[] {
  return (JSON.parse(body) as { transfers: NewTransfer[] }).transfers;
}
const bizIdsOf = (request: Received) => linesOf(request).map(({ bizId }) => bizId);
/** An order for each line. */
function accept(response: ServerResponse, request: Received): void {
  const items = linesOf(request).map((line) => ({ order: { ...order, ...line } }));
  succeed(response, { batchId: 'ba_1', items });
}
function* transfers(count: number, onLine?: (line: number) => void): Generator<NewTransfer> {
  for (let line = 1; line <= count; line += 1) {
    onLine?.(line);
    yield transfer;
  }
}
const all = (given: Parameters<Client['transfer']['batch']>[0], options?: BatchOptions): Promise<BatchResult[]> =>
  Array.fromAsync(client.transfer.batch(given, options));

describe('a batch', () => {
  it('of any length is sent in requests of 500 lines, and tells of each line in order', async () => {
    server.answer((res, _, request) => {
      accept(res, request);
    });
    const results = await all(transfers(1_201));
    expect(server.received.map((request) => linesOf(request).length)).toEqual([500, 500, 201]);
    expect(server.received[0]!.url).toBe('/api/v1/transfer/command/batch');
    expect(results.map(({ line }) => line)).toEqual(Array.from({ length: 1_201 }, (_, index) => index + 1));
    const sent = server.received.flatMap(bizIdsOf);
    expect(results.map(({ bizId }) => bizId)).toEqual(sent);
    expect(new Set(sent).size).toBe(1_201);
  });

  it('keeps each request within 512 KiB', async () => {
    server.answer((res, _, request) => {
      accept(res, request);
    });
    const metadata = { note: 'ä'.repeat(500), other: 'x'.repeat(500) };
    const noted = Array.from({ length: 700 }, (_, index) => ({ ...transfer, metadata, bizId: `line-${index}` }));
    await all(noted);
    const sizes = server.received.map(({ body }) => Buffer.byteLength(body));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(512 * 1024);
    // None is shorter than it has to be.
    expect(sizes.length).toBe(Math.ceil(sizes.reduce((sum, size) => sum + size) / (512 * 1024)));
    expect(server.received.flatMap(bizIdsOf)).toEqual(noted.map(({ bizId }) => bizId));
  });

  it('takes what is made while it is sent, and reads no further than its results are taken', async () => {
    server.answer((res, _, request) => {
      accept(res, request);
    });
    let read = 0;
    let isClosed = false;
    async function* given(): AsyncGenerator<NewTransfer> {
      try {
        for (const line of transfers(5_000)) {
          read += 1;
          yield await Promise.resolve(line);
        }
      } finally {
        isClosed = true;
      }
    }
    for await (const { line } of client.transfer.batch(given())) if (line === 500) break;
    expect(server.received).toHaveLength(1);
    expect(read).toBeLessThanOrEqual(501);
    expect(isClosed).toBe(true);
  });

  it('is repeated with the same bizIds after 503, 429 and a lost answer', async () => {
    server.answer((res, index, request) => {
      if (index === 0) refuse(res, [503, 'SY5031'], again);
      else if (index === 1) refuse(res, [429, 'RQ4291'], again);
      else if (index === 2) res.destroy();
      else accept(res, request);
    });
    const results = await all(transfers(3));
    expect(server.received).toHaveLength(4);
    expect(new Set(server.received.map(({ body }) => body)).size).toBe(1);
    expect(results.map(({ bizId }) => bizId)).toEqual(bizIdsOf(server.received[0]!));
  });

  it('tells the bizIds of a request before it is sent', async () => {
    const told: BatchLine[] = [];
    server.answer((res, _, request) => {
      expect(told.map(({ bizId }) => bizId)).toEqual(expect.arrayContaining(bizIdsOf(request)));
      accept(res, request);
    });
    const onSend = async (lines: readonly BatchLine[]): Promise<void> => {
      await new Promise(setImmediate);
      told.push(...lines);
    };
    const results = await all([{ ...transfer, bizId: 'mine' }, transfer], { onSend });
    expect(told).toEqual(results.map(({ line, bizId }) => ({ line, bizId })));
    expect(told[0]).toEqual({ line: 1, bizId: 'mine' });
  });

  it('tells why a line was refused, beside the orders of the others', async () => {
    server.answer((res) => {
      succeed(res, { batchId: 'ba_1', items: [{ order }, refusedLine, { order }] });
    });
    const bizIds = ['a', 'b', 'c'];
    const results = await all(bizIds.map((bizId) => ({ ...transfer, bizId })));
    expect(results).toEqual([
      { line: 1, bizId: 'a', order },
      { line: 2, bizId: 'b', error: refusedLine },
      { line: 3, bizId: 'c', order },
    ]);
  });

  it('that is atomic is one request, and waits if that is asked for', async () => {
    server.answer((res, _, request) => {
      accept(res, request);
    });
    expect(await all(transfers(100), { atomic: true, waitSeconds: 3 })).toHaveLength(100);
    expect(server.received).toHaveLength(1);
    const [{ headers, body } = expect.unreachable()] = server.received;
    expect(headers['prefer']).toBe('wait=3');
    expect(JSON.parse(body)).toMatchObject({ atomic: true });
  });

  it('of nothing sends nothing', async () => {
    server.answer(() => expect.unreachable());
    expect([await all([]), await all([], { atomic: true })]).toEqual([[], []]);
    expect(server.received).toHaveLength(0);
  });

  it.each([
    [
      'more lines than an atomic one has',
      transfers(101),
      { atomic: true },
      /Line 101 is one too many: an atomic batch/,
    ],
    ['an atomic one too large', largeLines(50), { atomic: true }, /is one too many/],
    ['a line too large', largeLines(1, 600), {}, /Line 1 is larger than a whole request/],
    ['no list', 5, {}, /must be an iterable of transfers/],
    ['a text', 'abc', {}, /must be an iterable of transfers/],
    ['a line that is none', [transfer, 'x'], {}, /Line 2 must be an object/],
    ['an amount that is a number', [{ ...transfer, amount: 1 }], {}, /Line 1: amount must be a decimal text/],
    ['a bizId that is a number', [{ ...transfer, bizId: 1 }], {}, /Line 1: bizId must be a text/],
    ['what JSON cannot hold', [{ ...transfer, metadata: { a: () => 1 } }], {}, /"a" cannot be written as JSON/],
    ['an unknown option', [transfer], { wait: 1 }, /has no "wait"/],
    ['too long a wait', [transfer], { waitSeconds: 11 }, /waitSeconds must be a whole number from 0 to 10/],
    ['atomic that is no boolean', [transfer], { atomic: 'yes' }, /atomic must be true or false/],
  ])('refuses %s, and sends nothing', async (_, given, options, message) => {
    server.answer(() => expect.unreachable());
    const results = all(given as never, options as never);
    await expect(results).rejects.toThrow(UsageError);
    await expect(results).rejects.toThrow(message);
    expect(server.received).toHaveLength(0);
  });

  it('ends with the error of its request, after the results before it', async () => {
    server.answer((res, index, request) => {
      if (index === 0) accept(res, request);
      else refuse(res, [401, 'GA2011']);
    });
    const seen: number[] = [];
    const walk = async (): Promise<void> => {
      for await (const { line } of client.transfer.batch(transfers(501))) seen.push(line);
    };
    await expect(walk()).rejects.toThrow(ApiError);
    expect(seen).toHaveLength(500);
  });

  it.each([{ items: [{ order }] }, { items: [{ order }, {}] }, { items: 'x' }, null])(
    'takes no answer that has not an item for each line: %j',
    async (data) => {
      server.answer((res) => {
        succeed(res, data);
      });
      await expect(all(transfers(2))).rejects.toThrow(UnexpectedAnswerError);
    },
  );
});

function largeLines(count: number, values = 20): NewTransfer[] {
  const metadata = Object.fromEntries(Array.from({ length: values }, (_, key) => [`k${key}`, 'x'.repeat(1_000)]));
  return Array.from({ length: count }, () => ({ ...transfer, metadata }));
}

describe('an order for later', () => {
  const executeAt = '2026-02-01T09:00:00Z';

  it('is created, and cancelled as often as it takes', async () => {
    server.answer((res, index, { url }) => {
      if (url.endsWith('/create')) succeed(res, order);
      else if (index === 1) res.destroy();
      else succeed(res, { ...order, status: 'CANCELLED' });
    });
    await client.transfer.create({ ...transfer, executeAt });
    expect(JSON.parse(server.received[0]!.body)).toMatchObject({ executeAt });
    expect(await client.transfer.cancel('tr_1')).toMatchObject({ status: 'CANCELLED' });
    expect(server.received.slice(1).map(({ url, body }) => [url, body])).toEqual(
      Array.from({ length: 2 }, () => ['/api/v1/transfer/command/cancel', '{"transferId":"tr_1"}']),
    );
    await expect(client.transfer.cancel('')).rejects.toThrow(UsageError);
  });

  it('is waited for until it has its end, also if that is its cancel', async () => {
    const soon = new Date(Date.now() + 800).toISOString();
    server.answer((res, index) => {
      succeed(res, { ...order, executeAt: soon, status: index === 0 ? 'SCHEDULED' : 'CANCELLED' });
    });
    const waited = client.transfer.completed('tr_1');
    await expect(waited).rejects.toThrow(TransferCancelledError);
    await expect(waited).rejects.toMatchObject({ order: { transferId: 'tr_1' } });
    expect(server.received).toHaveLength(2);
  });
});

it('a preview tells how a transfer would end, and makes no bizId', async () => {
  const end = { status: 'FAILED', failure: { code: 'TR4223' }, source: { balance: '1', available: '0' } };
  server.answer((res, index) => {
    if (index === 0) refuse(res, [503, 'SY5031'], again);
    else succeed(res, end);
  });
  expect(await client.transfer.preview(transfer)).toEqual(end);
  expect(server.received[1]!.url).toBe('/api/v1/transfer/command/preview');
  expect(JSON.parse(server.received[1]!.body)).toEqual(transfer);
  await expect(client.transfer.preview({ ...transfer, amount: 1 } as never)).rejects.toThrow(UsageError);
});

it('orders are listed by batch', async () => {
  server.answer((res) => {
    succeed(res, { items: [], nextCursor: null });
  });
  await Array.fromAsync(client.transfer.list({ batchId: 'ba_1', status: 'SCHEDULED' }));
  expect(server.received[0]!.url).toContain('batchId=ba_1&status=SCHEDULED');
});
