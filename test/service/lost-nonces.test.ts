import { Redis } from 'ioredis';
import { afterAll, describe, expect, it } from 'vitest';
import { orderTypes } from '../../src/orders/types.ts';
import { commandBodies, scheduledOrder, walletBodies } from '../support/command-bodies.ts';
import { operations } from '../support/described-api.ts';
import { commandsPath, ordersPath, totalOf } from '../support/orders.ts';
import { exchangeRaw, signedHeaders, type RawAnswer } from '../support/raw-http.ts';
import { serviceForTests } from '../support/service.ts';
import { allScopes, createWorkspace } from '../support/workspace.ts';

const service = await serviceForTests({ workers: 1, env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
/** A test workspace, which has every endpoint. */
const workspace = await createWorkspace(service, allScopes, '--test');
/** Made before the first test empties Redis: until its queues have their id again, no command of an operator works. */
const bodies = await commandBodies(workspace);
const scheduled = await scheduledOrder(workspace);
const ordersBefore = await totalOf(workspace, ordersPath, {});
const redis = new Redis(service.redisUrl);
afterAll(() => redis.quit());

interface Request {
  readonly path: string;
  readonly body?: object;
}

const command = (name: string, body = bodies[name]!): Request => ({ path: `${commandsPath}/${name}`, body });
const batch = (atomic: boolean): Request =>
  command('batch', { transfers: [bodies['create'], bodies['create']], atomic });
let urls = 0;
const webhook = () => ({ url: `http://127.0.0.1:9/${(urls += 1)}`, events: ['transfer.completed'] });
/** A request to something that is made for it. */
async function ofNew(path: string, made: object, verb: string, body?: object): Promise<Request> {
  const { id } = await workspace.post<{ id: string }>(path, made);
  return { path: `/api/v1/${path}/${id}/${verb}`, ...(body && { body }) };
}
const ofWallet = (verb: string) => () => ofNew('wallets', { currency: 'USD' }, verb, walletBodies[verb]);
const ofWebhook = (verb: string, body?: object) => () => ofNew('webhooks', webhook(), verb, body);

/** A request to each endpoint that changes something, by its operation. */
const changing: Record<string, () => Request | Promise<Request>> = {
  ...Object.fromEntries(
    orderTypes.flatMap(({ command: of }) => (of === undefined ? [] : [[of.operationId, () => command(of.name)]])),
  ),
  createTransfers: () => batch(false),
  cancelTransfer: () => command('cancel', { transferId: scheduled }),
  createWallet: () => ({ path: '/api/v1/wallets', body: walletBodies['wallets']! }),
  limitWallet: ofWallet('limit'),
  setLimits: ofWallet('limits'),
  setAlerts: ofWallet('alerts'),
  updateWallet: ofWallet('update'),
  freezeWallet: ofWallet('freeze'),
  unfreezeWallet: ofWallet('unfreeze'),
  closeWallet: ofWallet('close'),
  createWebhook: () => ({ path: '/api/v1/webhooks', body: webhook() }),
  enableWebhook: ofWebhook('enable'),
  disableWebhook: ofWebhook('disable'),
  rotateWebhookSecret: ofWebhook('rotate'),
  deleteWebhook: ofWebhook('delete'),
  advanceTestClock: () => ({ path: '/api/v1/test/clock', body: { advanceBy: 'PT1S' } }),
  testWebhook: ofWebhook('test'),
  replayWebhook: ofWebhook('replay', { since: new Date().toISOString() }),
};
const also: typeof changing = {
  'createTransfers, atomic': () => batch(true),
  'createTransfer with a bizId': () => command('create', { ...bodies['create'], bizId: 'paid-once' }),
};

/** Sends a request, has Redis lose its nonces, and sends it again, to the byte. @returns the codes of both answers. */
async function sentTwice({ path, body }: Request): Promise<unknown[]> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = signedHeaders(workspace, { method: 'POST', path, body: text });
  const type = text === '' ? [] : ['Content-Type: application/json'];
  const send = (): Promise<RawAnswer> =>
    exchangeRaw(service.baseUrl, { method: 'POST', target: path, headers: [...headers, ...type], body: text });
  const first = await send();
  await redis.flushdb();
  return [first, await send()].map(({ envelope }) => envelope?.code);
}

describe('a signed request, after Redis has lost its nonces,', () => {
  it('is tried here for every endpoint that changes something', () => {
    const described = operations.flatMap(([, method, { operationId }]) => (method === 'get' ? [] : operationId));
    expect([...Object.keys(changing), 'previewTransfer'].sort()).toEqual(described.sort());
  });

  // At once: it takes a second until a new webhook is known to every worker.
  it.concurrent.each(Object.entries({ ...changing, ...also }))(
    'is refused when it comes again: %s',
    async (_, request) => {
      expect(await sentTwice(await request())).toEqual(['2000', 'GA2013']);
    },
  );

  it('has made no order twice', async () => {
    const made = Object.keys(bodies).length + 2 * 2 + 1;
    expect(await totalOf(workspace, ordersPath, {})).toBe(ordersBefore + made);
  });

  it.each<[string, Request, string]>([
    ['a preview', command('preview', bodies['create']), '2000'],
    ['what is wrong with the whole of a batch', command('batch', { transfers: [] }), 'RQ4001'],
    ['a refusal without effect', { path: '/api/v1/webhooks/wh_unknown/rotate' }, 'WH4041'],
  ])('is not spent by %s', async (_, request, code) => {
    expect(await sentTwice(request)).toEqual([code, code]);
  });
});
