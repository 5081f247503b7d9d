import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ConnectionError,
  createClient,
  UnexpectedAnswerError,
  type Client,
  type ClientOptions,
  type Repetition,
} from '../src/index.ts';
import { refuse, startServer, succeed, type TestServer } from './server.ts';

const transfer = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: '1.10', currency: 'USD' };

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  // No pause is longer than it has to be.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(() => server.close());

function connect(options: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl: server.baseUrl, apiKey: 'ak_1', apiSecret: 'the-secret-of-the-tests', ...options });
}

it('the bizId of a creation is known before it is sent, and onRetry is told of each repetition', async () => {
  const repetitions: Repetition[] = [];
  server.answer((res, index) => {
    if (index < 2) refuse(res, [503, 'SY5031'], { 'Retry-After': '0' });
    else succeed(res, { transferId: 'tr_1', status: 'PENDING' });
  });
  const creation = connect({ onRetry: (repetition) => void repetitions.push(repetition) }).transfer.create(transfer);
  expect(server.received).toEqual([]);
  await creation;
  const bizIds = server.received.map(({ body }) => (JSON.parse(body) as { bizId: string }).bizId);
  expect(bizIds).toEqual([creation.bizId, creation.bizId, creation.bizId]);
  const path = '/api/v1/transfer/command/create';
  expect(repetitions).toMatchObject(
    [1, 2].map((attempt) => ({ method: 'POST', path, attempt, error: { status: 503 } })),
  );
});

it('a call ends with the reason of its signal: before, while it is sent, and while it waits', async () => {
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

describe('an error', () => {
  it.each([
    ['a page', 502, '<html>bad gateway', /HTTP 502 with what is no envelope .*text\/html/],
    [
      'an envelope that contradicts its status',
      500,
      '{"timestamp":1,"success":true,"code":"","message":"","data":1}',
      /HTTP 500 with status and envelope that differ/,
    ],
    ['an answer without an end', 200, 'x'.repeat(5 * 1024 * 1024), /HTTP 200 with more than 4194304 bytes/],
  ])('says that %s came', async (_, status, text, message) => {
    server.answer((res) => {
      res.writeHead(status, { 'Content-Type': 'text/html' }).end(text);
    });
    const called = connect({ attemptsMax: 1 }).wallet.get('wa_1');
    await expect(called).rejects.toThrow(UnexpectedAnswerError);
    await expect(called).rejects.toThrow(message);
  });

  it('comes of a fetch that looks at no signal, too', async () => {
    const fetch = (): Promise<Response> => new Promise(() => undefined);
    const called = connect({ fetch, timeoutMs: 50, attemptsMax: 1 }).wallet.get('wa_1');
    await expect(called).rejects.toThrow(ConnectionError);
    await expect(called).rejects.toThrow('GET /api/v1/wallets/wa_1: no whole answer within 50 ms');
  });
});
