import { expect, test, vi } from 'vitest';
import type { Acceptor } from '../../../src/accepting/accept.ts';
import { Money } from '../../../src/domain/money.ts';
import type { Wallet } from '../../../src/domain/wallet.ts';
import { newOrder } from '../../../src/orders/order.ts';
import { createPresenter } from '../../../src/orders/present.ts';
import type { ServiceError } from '../../../src/errors.ts';
import { createOrderWaits } from '../../../src/http/transfers/waits.ts';
import type { RouteParts } from '../../../src/http/parts.ts';
import type { ApiRequest } from '../../../src/http/route.ts';
import { createCommandBodies } from '../../../src/http/transfers/command-body.ts';
import { commandRoutes } from '../../../src/http/transfers/create.ts';
import { createSimulations } from '../../../src/http/transfers/simulations.ts';
import { createWalletRoute } from '../../../src/http/wallets/create.ts';
import type { PostedNotices } from '../../../src/queue/notices.ts';

const body = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: '0.12345677', currency: 'BTC', bizId: 'once' };
const { bizId: _bizId, ...withoutBizId } = body;
const order = newOrder({ ...body, type: 'TRANSFER', workspaceId: 'ws', amount: body.amount });

/** Creates with these currencies, where an order was made with {@link body} before. */
async function create(currencies: Record<string, number>, asked: object) {
  const accept = vi.fn<Acceptor['accept']>(({ bizId }, _, refusal) => {
    if (refusal === undefined) return Promise.resolve({ order, isReplay: false });
    return bizId === 'once' ? Promise.resolve({ order, isReplay: true }) : Promise.reject(refusal);
  });
  const known = new Map(Object.entries(currencies));
  const acceptor: Pick<Acceptor, 'accept'> = { accept };
  const waits = createOrderWaits(() => Promise.resolve([]), {} as PostedNotices);
  const [route] = commandRoutes({
    acceptor,
    waits,
    commandBodies: createCommandBodies(known),
    simulations: createSimulations(() => Promise.resolve(true)),
    present: createPresenter(known),
  } as unknown as RouteParts);
  const signed = { signedRequest: { keyId: 'ak_1', timestamp: 0, nonce: 'n' }, timeLeftMs: () => 1_000 };
  const request = { workspaceId: 'ws', body: asked, ...signed } as unknown as ApiRequest;
  if (route === undefined || !('handle' in route)) throw new Error('there is no create');
  const answer = await route.handle(request).catch((error: unknown) => (error as ServiceError).errorName);
  return { answer, looked: accept.mock.calls.map(([, , refusal]) => refusal !== undefined) };
}

test.each([
  ['has fewer decimals by now', { BTC: 4 }],
  ['is unknown by now', {}],
])('a create repeated once its currency %s is answered with its order, with every digit', async (_, currencies) => {
  const { answer, looked } = await create(currencies, body);
  expect(answer).toMatchObject({
    data: { transferId: order.id, amount: '0.12345677' },
    headers: { 'Idempotent-Replayed': 'true' },
  });
  expect(looked).toEqual([true]);
});

test.each([
  ['its bizId is new', { BTC: 4 }, { ...body, bizId: 'twice' }, 'TOO_MANY_DECIMALS', 1],
  ['its currency is unknown, and its bizId is new', {}, { ...body, bizId: 'twice' }, 'CURRENCY_UNKNOWN', 1],
  ['it has no bizId', {}, withoutBizId, 'CURRENCY_UNKNOWN', 0],
  ['its amount is malformed', {}, { ...body, amount: '1e3' }, 'CURRENCY_UNKNOWN', 0],
  ['a field is unknown', { BTC: 4 }, { ...body, more: 1 }, 'FIELD_UNKNOWN', 0],
])('it is refused, and looked up only if it may be known, where %s', async (_, currencies, asked, reason, lookUps) => {
  const { answer, looked } = await create(currencies, asked);
  expect(answer).toBe(reason);
  expect(looked).toEqual(Array.from({ length: lookUps }, () => true));
});

test('one that can be made is accepted without a look-up', async () => {
  const { looked } = await create({ BTC: 8 }, body);
  expect(looked).toEqual([false]);
});

/** Makes a wallet with these currencies, where one has the reference `once`. */
async function makeWallet(currencies: Record<string, number>, asked: object) {
  const known = new Map(Object.entries(currencies));
  const amounts = { balance: new Money('0.12345677'), held: new Money(0), creditLimit: new Money(0) };
  const dates = { createdAt: new Date(0), updatedAt: new Date(0) };
  const wallet = { id: 'wa_1', reference: 'once', currency: 'BTC', ...amounts, ...dates } as unknown as Wallet;
  const findReferred = ({ reference }: { reference: string }) =>
    Promise.resolve(reference === 'once' ? wallet : undefined);
  const changes = { make: vi.fn<() => never>() };
  const route = createWalletRoute({
    findReferred,
    changes,
    currencies: known,
    present: createPresenter(known),
  } as unknown as RouteParts);
  const scopes = new Set(['transfer:fund']);
  const request = { workspaceId: 'ws', body: asked, scopes, timeLeftMs: () => 1_000 } as unknown as ApiRequest;
  try {
    const change = await route.prepare(request);
    return await change();
  } catch (error) {
    return (error as ServiceError).errorName;
  }
}

const wallet = { currency: 'BTC', reference: 'once', creditLimit: '0.12345677' };

test('a wallet asked for again by its reference once its currency has fewer decimals, or is unknown, is answered', async () => {
  for (const currencies of [{ BTC: 4 }, {}])
    expect(await makeWallet(currencies, wallet)).toMatchObject({
      data: { id: 'wa_1', balance: '0.12345677' },
      headers: { 'Idempotent-Replayed': 'true' },
    });
});

test.each([
  ['its reference is new', { BTC: 4 }, { ...wallet, reference: 'twice' }, 'TOO_MANY_DECIMALS'],
  ['its currency is unknown, and its reference is new', {}, { ...wallet, reference: 'twice' }, 'CURRENCY_UNKNOWN'],
  ['it has no reference', {}, { currency: 'BTC' }, 'CURRENCY_UNKNOWN'],
  ['its credit limit is malformed', { BTC: 4 }, { ...wallet, creditLimit: '1e3' }, 'AMOUNT_MALFORMED'],
  ['its reference is that of another currency', {}, { ...wallet, currency: 'ETH' }, 'WALLET_REFERENCE_CONFLICT'],
])('a wallet is refused where %s', async (_, currencies, asked, reason) => {
  expect(await makeWallet(currencies, asked)).toBe(reason);
});
