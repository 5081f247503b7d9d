import { expect, test, vi } from 'vitest';
import type { Acceptor } from '../../src/accepting/accept.ts';
import { Money } from '../../src/domain/money.ts';
import { newOrder } from '../../src/orders/order.ts';
import { createPresenter } from '../../src/orders/present.ts';
import type { ServiceError } from '../../src/errors.ts';
import { createOrderWaits } from '../../src/http/order-waits.ts';
import type { ApiRequest } from '../../src/http/routes.ts';
import { transferCommandRoutes } from '../../src/http/transfer-commands.ts';
import type { PostedNotices } from '../../src/queue/notices.ts';

const body = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: '0.12345677', currency: 'BTC', bizId: 'once' };
const { bizId: _bizId, ...withoutBizId } = body;
const order = newOrder({ ...body, type: 'TRANSFER', workspaceId: 'ws', amount: new Money(body.amount) });

/** Creates with these currencies, where an order was made with {@link body} before. */
async function create(currencies: Record<string, number>, asked: object) {
  const accept = vi.fn<Acceptor['accept']>(({ bizId }, _, refusal) => {
    if (refusal === undefined) return Promise.resolve({ order, isReplay: false });
    return bizId === 'once' ? Promise.resolve({ order, isReplay: true }) : Promise.reject(refusal);
  });
  const known = new Map(Object.entries(currencies));
  const acceptor: Pick<Acceptor, 'accept'> = { accept };
  const waits = createOrderWaits(() => Promise.resolve([]), {} as PostedNotices);
  const [route] = transferCommandRoutes(acceptor, waits, known, createPresenter(known));
  const request = { workspaceId: 'ws', body: asked, timeLeftMs: () => 1_000 } as unknown as ApiRequest;
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
