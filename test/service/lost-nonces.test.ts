import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { orderTypes } from '../../src/orders/types.ts';
import { apiDescription } from '../../script/docs/api-description.ts';
import { exchangeRaw, signedHeaders, type RawAnswer } from '../support/raw-http.ts';
import { serviceForTests } from '../support/service.ts';
import { commandBodies, scheduledOrder, walletBodies } from '../support/command-bodies.ts';
import { createWorkspace } from '../support/workspace.ts';

const commandsPath = '/api/v1/transfer/command';
const webhooksPath = '/api/v1/webhooks';
const walletsPath = '/api/v1/wallets';

const service = await serviceForTests({ workers: 1, env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
const workspace = await createWorkspace(service);
const wallets = { sourceWalletId: await workspace.wallet('1000'), targetWalletId: await workspace.wallet() };
/** Made before the first test empties Redis: until its queues have their id again, no command of an operator works. */
const bodies = await commandBodies(workspace);
const scheduled = await scheduledOrder(workspace);
const redis = new Redis(service.redisUrl);
afterAll(() => redis.quit());

/** A signed command that may be sent any number of times, to the byte. */
function signedCommand(command: string, values: object) {
  const [path, body] = [`${commandsPath}/${command}`, JSON.stringify(values)];
  const headers = signedHeaders(workspace, { method: 'POST', path, body });
  const request = { method: 'POST', target: path, headers: [...headers, 'Content-Type: application/json'], body };
  return (): Promise<RawAnswer> => exchangeRaw(service.baseUrl, request);
}
const signedCreate = (more: object = {}) =>
  signedCommand('create', { ...wallets, amount: '1', currency: 'USD', ...more });

async function orderCount(): Promise<number> {
  const answer = await workspace.client.request<{ total: number }>('GET', '/api/v1/transfer/query/orders');
  return answer.envelope!.data.total;
}

describe('a signed create after Redis has lost its nonces', () => {
  it.each([
    ['without a bizId', {}],
    ['with one', { bizId: 'paid-once' }],
  ])('is refused when it comes again, %s', async (_, more) => {
    const before = await orderCount();
    const send = signedCreate(more);
    expect((await send()).envelope?.code).toBe('2000');
    expect((await send()).envelope?.code).toBe('GA2013');
    await redis.flushdb();
    expect((await send()).envelope?.code).toBe('GA2013');
    expect(await orderCount()).toBe(before + 1);
  });
});

describe('a signed command that makes an order, after Redis has lost its nonces', () => {
  it('is refused when it comes again, whatever its type', async () => {
    expect(Object.keys(bodies).length).toBeGreaterThanOrEqual(7);
    for (const [command, body] of Object.entries(bodies)) {
      const send = signedCommand(command, body);
      const before = await orderCount();
      expect([command, (await send()).envelope?.code]).toEqual([command, '2000']);
      await redis.flushdb();
      expect([command, (await send()).envelope?.code]).toEqual([command, 'GA2013']);
      expect(await orderCount()).toBe(before + 1);
    }
  });
});

it('a signed cancel is refused when it comes again, after Redis has lost its nonces', async () => {
  const send = signedCommand('cancel', { transferId: scheduled });
  expect((await send()).envelope?.code).toBe('2000');
  await redis.flushdb();
  expect((await send()).envelope?.code).toBe('GA2013');
});

describe('a signed batch, after Redis has lost its nonces', () => {
  const line = () => ({ ...wallets, amount: '1', currency: 'USD' });

  it.each([false, true])('is refused when it comes again, with atomic %s', async (atomic) => {
    const before = await orderCount();
    const send = signedCommand('batch', { transfers: [line(), line()], atomic });
    expect((await send()).envelope?.code).toBe('2000');
    await redis.flushdb();
    expect((await send()).envelope?.code).toBe('GA2013');
    expect(await orderCount()).toBe(before + 2);
  });

  it('is not spent by what is wrong with the whole', async () => {
    const send = signedCommand('batch', { transfers: [] });
    expect((await send()).envelope?.code).toBe('RQ4001');
    await redis.flushdb();
    expect((await send()).envelope?.code).toBe('RQ4001');
  });
});

it('a signed preview that comes again after Redis has lost its nonces changes nothing', async () => {
  const before = await orderCount();
  const send = signedCommand('preview', { ...wallets, amount: '1', currency: 'USD' });
  expect((await send()).envelope?.code).toBe('2000');
  await redis.flushdb();
  expect((await send()).envelope?.code).toBe('2000');
  expect(await orderCount()).toBe(before);
});

describe('a signed request that changes a webhook or a wallet, after Redis has lost its nonces', () => {
  const ofWallets: Record<string, (id: string) => { rest: string; body?: object }> = {
    createWallet: () => ({ rest: '', body: walletBodies['wallets']! }),
    limitWallet: (id) => ({ rest: `/${id}/limit`, body: walletBodies['limit']! }),
    freezeWallet: (id) => ({ rest: `/${id}/freeze` }),
    unfreezeWallet: (id) => ({ rest: `/${id}/unfreeze`, body: {} }),
    closeWallet: (id) => ({ rest: `/${id}/close` }),
  };
  const changing: Record<string, (id: string) => { rest: string; body?: object }> = {
    createWebhook: () => ({ rest: '', body: endpointBody() }),
    enableWebhook: (id) => ({ rest: `/${id}/enable` }),
    disableWebhook: (id) => ({ rest: `/${id}/disable` }),
    rotateWebhookSecret: (id) => ({ rest: `/${id}/rotate` }),
    deleteWebhook: (id) => ({ rest: `/${id}/delete` }),
    testWebhook: (id) => ({ rest: `/${id}/test` }),
    replayWebhook: (id) => ({ rest: `/${id}/replay`, body: { since: new Date().toISOString() } }),
  };

  let made = 0;
  const endpointBody = () => ({ url: `http://127.0.0.1:9/${(made += 1)}`, events: ['transfer.completed'] });

  async function endpoint(): Promise<string> {
    const { envelope } = await workspace.client.request<{ id: string }>('POST', webhooksPath, { body: endpointBody() });
    return envelope?.data.id ?? '';
  }

  async function remove(id: string): Promise<void> {
    await workspace.client.request('POST', `${webhooksPath}/${id}/delete`);
  }

  /** A signed request that may be sent any number of times, to the byte. */
  function signed({ rest, body }: { rest: string; body?: object }, path = webhooksPath) {
    const [target, text] = [path + rest, body === undefined ? '' : JSON.stringify(body)];
    const headers = signedHeaders(workspace, { method: 'POST', path: target, body: text });
    const type = text === '' ? [] : ['Content-Type: application/json'];
    const request = { method: 'POST', target, headers: [...headers, ...type], body: text };
    return (baseUrl = service.baseUrl): Promise<RawAnswer> => exchangeRaw(baseUrl, request);
  }

  it('is tried here for every endpoint that changes something', () => {
    const { paths } = apiDescription() as { paths: Record<string, Record<string, { operationId: string }>> };
    const operations = Object.values(paths).flatMap((methods) =>
      Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : operationId)),
    );
    const orders = orderTypes.flatMap(({ command }) => command?.operationId ?? []);
    const others = ['cancelTransfer', 'createTransfers', 'previewTransfer'];
    expect([...Object.keys(changing), ...Object.keys(ofWallets), ...orders, ...others].sort()).toEqual(
      operations.sort(),
    );
  });

  // At once: it takes a second until a new endpoint is known to every worker.
  it.concurrent.each(Object.entries(changing))('is refused when it comes again: %s', async (_, requestOf) => {
    const id = await endpoint();
    const send = signed(requestOf(id));
    const first = await send();
    expect(first.envelope?.code).toBe('2000');
    await redis.flushdb();
    const again = await send();
    expect({ status: again.status, code: again.envelope?.code }).toEqual({ status: 401, code: 'GA2013' });
    await remove(id);
    await remove((first.envelope?.data as { id?: string }).id ?? id);
  });

  it.each(Object.entries(ofWallets))('is refused when it comes again: %s', async (_, requestOf) => {
    const made = await workspace.client.request<{ id: string }>('POST', walletsPath, { body: { currency: 'USD' } });
    const send = signed(requestOf(made.envelope!.data.id), walletsPath);
    expect((await send()).envelope?.code).toBe('2000');
    await redis.flushdb();
    expect((await send()).envelope?.code).toBe('GA2013');
  });

  it('is not spent by a refusal without effect', async () => {
    const send = signed({ rest: '/wh_unknown/rotate' });
    expect((await send()).envelope?.code).toBe('WH4041');
    await redis.flushdb();
    expect((await send()).envelope?.code).toBe('WH4041');
  });
});
