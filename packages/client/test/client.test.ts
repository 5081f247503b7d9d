import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ApiError,
  ConnectionError,
  createClient,
  StillPendingError,
  TransferFailedError,
  UnexpectedAnswerError,
  type Client,
  type ClientOptions,
  type Repetition,
} from '../src/index.ts';
import { refuse, startServer, succeed, type Received, type TestServer } from './server.ts';

const apiSecret = 'the-secret-of-the-tests';
const transfer = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: '1.10', currency: 'USD' };
const order = { ...transfer, transferId: 'tr_1', bizId: 'b', status: 'COMPLETED', failure: null };
const again = { 'Retry-After': '0' };

let server: TestServer;
let repetitions: Repetition[];

beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  // No pause is longer than it has to be.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(() => server.close());

function connect(options: Partial<ClientOptions> = {}): Client {
  repetitions = [];
  const onRetry = (repetition: Repetition): void => void repetitions.push(repetition);
  return createClient({ baseUrl: server.baseUrl, apiKey: 'ak_1', apiSecret, onRetry, ...options });
}

/** What a service computes, from what came. */
function rightSignature({ method, url, headers, body }: Received): string {
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const message = [method, url.split('?')[0], headers['x-timestamp'], headers['x-nonce'], bodyHash].join('\n');
  return createHmac('sha256', apiSecret).update(message).digest('base64');
}

async function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it must fail'),
    (error: unknown) => error,
  );
}

describe('a request', () => {
  it('is signed as it is sent, without its query', async () => {
    server.answer((res) => {
      succeed(res, { transferId: 'tr_1', status: 'PENDING', items: [], nextCursor: null });
    });
    const client = connect({ locale: 'de-DE' });
    await client.transfer.create({ ...transfer, bizId: 'invoice-42' });
    await Array.fromAsync(client.transfer.list({ status: 'FAILED', from: '2026-01-01T00:00:00+01:00' }));
    expect(server.received.map(({ headers }) => headers['x-signature'])).toEqual(server.received.map(rightSignature));
    expect(server.received[0]!.headers).toMatchObject({ 'x-api-key': 'ak_1', 'x-locale': 'de-DE' });
    expect(new URL(server.received[1]!.url, server.baseUrl).searchParams.get('from')).toBe('2026-01-01T00:00:00+01:00');
  });

  it('is repeated after 503, 429 and a broken connection: the same bizId, signed anew', async () => {
    server.answer((res, index) => {
      if (index === 0) refuse(res, [503, 'SY5031'], again);
      else if (index === 1) refuse(res, [429, 'RQ4291'], again);
      else if (index === 2) res.destroy();
      else if (index === 3) res.writeHead(200, { 'Content-Length': '1000' }).write('{"half":', () => res.destroy());
      else succeed(res, order);
    });
    const creation = connect().transfer.create(transfer);
    expect(await creation).toMatchObject({ transferId: 'tr_1' });
    const bodies = new Set(server.received.map(({ body }) => body));
    expect([...bodies].map((body) => (JSON.parse(body) as { bizId: string }).bizId)).toEqual([creation.bizId]);
    expect(new Set(server.received.map(({ headers }) => headers['x-nonce'])).size).toBe(5);
    expect(server.received.map(({ headers }) => headers['x-signature'])).toEqual(server.received.map(rightSignature));
    expect(repetitions.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
  });

  it('that may have been done is not repeated, unless it may be', async () => {
    server.answer((res) => res.destroy());
    const client = connect({ attemptsMax: 2 });
    await expect(client.request('POST', '/api/v1/x', { body: {} })).rejects.toThrow(ConnectionError);
    expect(server.received).toHaveLength(1);
    await expect(client.request('POST', '/api/v1/x', { body: {}, isRepeatable: true })).rejects.toThrow(
      ConnectionError,
    );
    expect(server.received).toHaveLength(3);
  });

  it('learns the clock of the server, once, for all that follow', async () => {
    const offMs = 3 * 60 * 60_000;
    server.answer((res, _, { headers }) => {
      const isRight = Math.abs(Number(headers['x-timestamp']) - (Date.now() + offMs) / 1000) < 60;
      if (isRight) succeed(res, { balance: '1' });
      else refuse(res, [401, 'GA2013'], {}, Date.now() + offMs);
    });
    const client = connect();
    await client.wallet.balance('wa_1');
    await client.wallet.balance('wa_1');
    expect(server.received).toHaveLength(3);
    expect(repetitions).toMatchObject([{ waitMs: 0 }]);
  });

  it('learns the clock also where several are under way', async () => {
    const offMs = 3 * 60 * 60_000;
    server.answer((res, index, { headers }) => {
      const isRight = Math.abs(Number(headers['x-timestamp']) - (Date.now() + offMs) / 1000) < 60;
      if (isRight) {
        succeed(res, { balance: '1' });
        return;
      }
      // The second refusal comes after the first was heeded.
      const isTurn = () => {
        expect(index === 0 || server.received.length > 2).toBe(true);
      };
      void vi.waitFor(isTurn).then(() => {
        refuse(res, [401, 'GA2013'], {}, Date.now() + offMs);
      });
    });
    const client = connect();
    await Promise.all([client.wallet.balance('wa_1'), client.wallet.balance('wa_2')]);
    expect(server.received).toHaveLength(4);
  });

  it('that may have been done is not repeated because its nonce was used, even if the clock is off', async () => {
    server.answer((res) => {
      refuse(res, [401, 'GA2013'], { 'X-Error-Reason': 'NONCE_REUSED' }, Date.now() + 30_000);
    });
    await expect(connect().request('POST', '/api/v1/x', { body: {} })).rejects.toMatchObject({
      reason: 'NONCE_REUSED',
    });
    expect(server.received).toHaveLength(1);
  });

  it('that is refused for its nonce alone is an error, not a loop', async () => {
    server.answer((res) => {
      refuse(res, [401, 'GA2013'], { 'X-Error-Reason': 'NONCE_TOO_LONG' });
    });
    await expect(connect().wallet.get('wa_1')).rejects.toMatchObject({ code: 'GA2013', reason: 'NONCE_TOO_LONG' });
    expect(server.received).toHaveLength(1);
  });

  it('ends at once where its signal is aborted: before, while it is sent, and while it waits', async () => {
    const client = connect();
    const reason = new Error('changed my mind');
    await expect(client.wallet.get('wa_1', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);

    const sending = new AbortController();
    server.answer(() => {
      sending.abort(reason);
    });
    await expect(client.wallet.get('wa_1', { signal: sending.signal })).rejects.toBe(reason);

    const waiting = new AbortController();
    server.answer((res) => {
      refuse(res, [503, 'SY5031'], { 'Retry-After': '50' });
    });
    const onRetry = (): void =>
      void setImmediate(() => {
        waiting.abort(reason);
      });
    await expect(connect({ onRetry }).wallet.get('wa_1', { signal: waiting.signal })).rejects.toBe(reason);
  });
});

describe('an order of another type', () => {
  it.each([
    ['deposit', { targetWalletId: 'wa_1', amount: '1', currency: 'USD' }],
    ['withdraw', { sourceWalletId: 'wa_1', amount: '1', currency: 'USD' }],
    ['reverse', { transferId: 'tr_0' }],
    ['hold', { sourceWalletId: 'wa_1', amount: '1', currency: 'USD', expiresAt: '2026-01-01T00:00:00Z' }],
    ['capture', { transferId: 'tr_0', amount: '1', final: false }],
    ['release', { transferId: 'tr_0', amount: '1' }],
  ] as const)('is made by %s, with a bizId, however often it is sent', async (command, body) => {
    server.answer((res, index) => {
      if (index === 0) refuse(res, [503, 'SY5031'], again);
      else succeed(res, order);
    });
    const made = connect().transfer[command](body as never);
    expect(await made).toMatchObject({ transferId: 'tr_1' });
    const [first, second] = server.received;
    expect(first?.url).toBe(`/api/v1/transfer/command/${command}`);
    expect(JSON.parse(first!.body)).toEqual({ ...body, bizId: made.bizId });
    expect(second?.body).toBe(first?.body);
  });
});

describe('an error', () => {
  it('has code, reason, field and value, known or of a later server, and no secret', async () => {
    const headers = { 'X-Error-Reason': 'MOON_IN_THE_WAY', 'X-Error-Field': 'am%C3%B6unt', 'X-Error-Value': '2' };
    server.answer((res) => {
      refuse(res, [418, 'ZZ9999'], { ...headers, 'X-Request-Id': 'r-1' });
    });
    const error = await caught(connect().transfer.create(transfer));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 418,
      code: 'ZZ9999',
      reason: 'MOON_IN_THE_WAY',
      field: 'amöunt',
      value: '2',
    });
    expect(error).toMatchObject({ requestId: 'r-1', serverMessage: 'NO' });
    expect(JSON.stringify(error) + String(error)).not.toContain(apiSecret);
  });

  it.each([
    ['a page', 502, '<html>bad gateway', /HTTP 502 with what is no envelope .*text\/html/],
    ['other JSON', 200, '{"hello":"world"}', /HTTP 200 with what is no envelope/],
    ['nothing', 204, '', /HTTP 204 with what is no envelope/],
    ['a redirect', 302, 'elsewhere', /HTTP 302 with what is no envelope/],
    [
      'an envelope that contradicts its status',
      500,
      '{"timestamp":1,"success":true,"code":"","message":"","data":1}',
      /differ/,
    ],
    ['an answer without an end', 200, 'x'.repeat(5 * 1024 * 1024), /more than 4194304 bytes/],
  ])('tells of %s what was received', async (_, status, text, message) => {
    server.answer((res) => {
      const location = status === 302 ? { Location: `${server.baseUrl}/elsewhere` } : {};
      res.writeHead(status, { 'Content-Type': 'text/html', ...location }).end(text);
    });
    const error = await caught(connect({ attemptsMax: 1 }).wallet.get('wa_1'));
    expect(error).toBeInstanceOf(UnexpectedAnswerError);
    expect(error).toMatchObject({ status, received: text.slice(0, 500) });
    expect((error as Error).message).toMatch(message);
    expect(server.received).toHaveLength(1);
  });

  it.each(['before its head', 'within its body'])('comes of an answer that never ends, %s', async (when) => {
    server.answer((res) => {
      if (when === 'within its body') res.writeHead(200).write('{"version"');
    });
    const error = await caught(connect({ timeoutMs: 100, attemptsMax: 1 }).wallet.get('wa_1'));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      isTimeout: true,
      message: 'GET /api/v1/wallets/wa_1: no whole answer within 100 ms',
    });
  });

  it('comes of a fetch that looks at no signal, too', async () => {
    const fetch = (): Promise<Response> => new Promise(() => undefined);
    await expect(connect({ fetch, timeoutMs: 50, attemptsMax: 1 }).wallet.get('wa_1')).rejects.toThrow(ConnectionError);
  });
});

describe('completed()', () => {
  it('begins no further try once its time is over, and tells why it does not know', async () => {
    server.answer((res) => {
      refuse(res, [503, 'SY5031'], { 'Retry-After': '1' });
    });
    const told = await caught(connect().transfer.completed('tr_1', { timeoutMs: 1_500 }));
    expect(told).toMatchObject({ name: 'ApiError', status: 503 });
    expect(server.received.length).toBeLessThanOrEqual(2);
  });

  it('asks by long-poll until the order has its end', async () => {
    server.answer((res, index, { method }) => {
      succeed(res, { ...order, status: method === 'POST' || index === 1 ? 'PENDING' : 'COMPLETED' });
    });
    expect(await connect().transfer.create(transfer).completed()).toMatchObject({ status: 'COMPLETED' });
    expect(server.received.map(({ headers }) => headers['prefer'])).toEqual([undefined, 'wait=10', 'wait=10']);
  });

  it('tells why an order failed, and that one has no end yet', async () => {
    const failure = { code: 'TR4223', message: 'INSUFFICIENT_BALANCE' };
    server.answer((res) => {
      succeed(res, { ...order, status: 'FAILED', failure });
    });
    const failed = await caught(connect().transfer.create(transfer).completed());
    expect(failed).toBeInstanceOf(TransferFailedError);
    expect(failed).toMatchObject({ code: 'TR4223', order: { failure } });

    server.answer((res) => {
      succeed(res, { ...order, status: 'PENDING' });
    });
    const pending = await caught(connect().transfer.completed('tr_1', { timeoutMs: 10 }));
    expect(pending).toBeInstanceOf(StillPendingError);
  });

  it('fails as its create does, once', async () => {
    server.answer((res) => {
      refuse(res, [422, 'TR4221']);
    });
    await expect(connect().transfer.create(transfer).completed()).rejects.toMatchObject({ code: 'TR4221' });
  });
});

describe('a list', () => {
  it('is walked by cursor to its end, with its filters asked once', async () => {
    server.answer((res, index) => {
      succeed(res, { items: [{ transferId: `tr_${index}` }], nextCursor: index < 2 ? `c${index}` : null });
    });
    const orders = await Array.fromAsync(connect().transfer.listOfWallet('wa_1', { status: 'FAILED', size: 1 }));
    const ids = orders.map(({ transferId }) => transferId);
    expect(ids).toEqual(['tr_0', 'tr_1', 'tr_2']);
    const queries = server.received.map(({ url }) => url.split('?')[1]);
    expect(queries).toEqual(['status=FAILED&size=1', 'cursor=c0&size=1', 'cursor=c1&size=1']);
  });

  it.each([
    ['no page', { orders: [] }],
    ['a cursor that leads to itself', { items: [], nextCursor: 'same' }],
  ])('that is %s is an error', async (_, data) => {
    server.answer((res) => {
      succeed(res, data);
    });
    await expect(Array.fromAsync(connect().wallet.list())).rejects.toThrow(UnexpectedAnswerError);
  });
});
