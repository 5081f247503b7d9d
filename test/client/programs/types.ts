// What the types of the installed package tell apart. It is compiled, and not run.
import {
  verifyWebhook,
  type Balance,
  type Client,
  type LaterOrder,
  type Order,
  type OrderLeg,
  type UnknownWebhookEvent,
  type Wallet,
  type WebhookEvent,
} from 'signed-wallet-client';

/** Fails to compile unless both are the same type. */
type Same<First, Second> = [First, Second] extends [Second, First] ? true : never;

export function told(event: WebhookEvent): Order | string | UnknownWebhookEvent {
  // @ts-expect-error Before its type is known, nothing is known of the data.
  console.log(event.data.transferId);
  switch (event.type) {
    case 'transfer.completed':
    case 'transfer.failed':
    case 'transfer.cancelled':
      return event.data;
    case 'wallet.alert':
      // @ts-expect-error An alert tells of a wallet.
      console.log(event.data.transferId);
      return `${event.data.walletId}: ${event.data.name}`;
    case 'webhook.test':
      // @ts-expect-error A test tells of no order.
      console.log(event.data satisfies Order);
      return 'a test';
    default:
      return event;
  }
}

/** The compiler says so where a type is not handled, also one of a later service. */
export function isKnown(event: WebhookEvent): boolean {
  if (event.type === 'transfer.completed' || event.type === 'transfer.failed') return true;
  if (event.type === 'transfer.cancelled' || event.type === 'webhook.test') return true;
  if (event.type === 'wallet.alert') return true;
  // @ts-expect-error A type of a later service is left.
  event satisfies never;
  const later: string = event.type;
  return later === 'transfer.returned';
}

/** An order's type tells what else it has. */
export function moved(order: Order): string | readonly OrderLeg[] | null | LaterOrder {
  // @ts-expect-error Not every order has an amount of its own.
  order.amount satisfies string;
  switch (order.type) {
    case 'TRANSFER':
    case 'DEPOSIT':
    case 'WITHDRAWAL':
      order.reversedAmount satisfies string;
      return order.amount;
    case 'JOURNAL':
      order.amount satisfies null;
      return order.legs;
    case 'REVERSAL':
      order.parentId satisfies string;
      return order.legs ?? order.amount;
    case 'CAPTURE':
      order.targetWalletId satisfies string | null;
      return order.legs ?? order.amount;
    case 'HOLD':
    case 'RELEASE':
      return order.hold?.captured ?? order.amount;
    default:
      return order;
  }
}

/** What makes an order may say its type, and then has what those of the type have. */
export async function made(client: Client): Promise<string> {
  const leg = { sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: '1', currency: 'USD' };
  const { targetWalletId: _, ...outside } = leg;
  client.transfer.batch([leg, { type: 'JOURNAL', legs: [leg, outside], executeAt: new Date() }]);
  // @ts-expect-error A journal has no amount of its own.
  client.transfer.batch([{ type: 'JOURNAL', legs: [leg], amount: '1' }]);
  // @ts-expect-error A deposit has no source.
  await client.transfer.preview({ type: 'DEPOSIT', ...outside, targetWalletId: 'wa_2', sourceWalletId: 'wa_1' });
  await client.transfer.preview({ type: 'CAPTURE', transferId: 'tr_1', legs: [{ amount: '1' }] });
  // @ts-expect-error It is the target that may be left out.
  await client.transfer.capture({ transferId: 'tr_1', legs: [{ targetWalletId: 'wa_2' }] });
  const { legs } = await client.transfer.journal({ legs: [leg] }).completed();
  const { amount } = await client.transfer.create(leg);
  return `${amount} ${legs.length}`;
}

/** What an answer says may be new; what a request asks for may not. */
export function later(client: Client, order: Order): void {
  'PARKED' satisfies Order['status'];
  // @ts-expect-error No text at all is none.
  null satisfies Order['type'];
  client.transfer.list({ status: 'FAILED' });
  // @ts-expect-error Only a known one can be asked for.
  client.transfer.list({ status: order.status });
}

export async function received(body: string, headers: Headers): Promise<Order | undefined> {
  const input = { body, headers, secret: 'whsec_AAAA' };
  // @ts-expect-error What an event holds is not the caller's to say.
  await verifyWebhook<Order>(input);
  const { type, data } = await verifyWebhook(input);
  return type === 'transfer.completed' ? data : undefined;
}

export async function advanced(client: Client): Promise<number> {
  // @ts-expect-error By a duration, or to a time.
  await client.test.clock.advance({ by: 'P1D', to: new Date() });
  return (await client.test.clock.advance({ to: new Date() })).expired;
}

export async function requests(client: Client, id: string): Promise<void> {
  const wallet = await client.request('GET', '/api/v1/wallets/{id}', { path: { id } });
  true satisfies Same<typeof wallet.data, Wallet>;
  const balance = await client.request('GET', '/api/v1/wallets/{id}/balance', {
    path: { id },
    query: { at: '2026-01-01' },
  });
  true satisfies Same<typeof balance.data, Balance>;
  await client.request('POST', '/api/v1/wallets', { body: { currency: 'USD' }, headers: { 'X-LOCALE': 'de' } });
  await client.request('POST', '/api/v1/wallets/{id}/freeze', { path: { id }, isRepeatable: true });
  await client.request('GET', '/api/v1/key');

  // @ts-expect-error There is no such path.
  await client.request('GET', '/api/v1/walets');
  // @ts-expect-error The path's variable parts are given beside it.
  await client.request('GET', `/api/v1/wallets/${id}`);
  // @ts-expect-error They are required.
  await client.request('GET', '/api/v1/wallets/{id}');
  // @ts-expect-error They have a name.
  await client.request('GET', '/api/v1/wallets/{id}', { path: { wallet: id } });
  // @ts-expect-error The path has no such method.
  await client.request('POST', '/api/v1/wallets/{id}', { path: { id } });
  // @ts-expect-error The API has no such method.
  await client.request('PUT', '/api/v1/wallets/{id}', { path: { id } });
  // @ts-expect-error A list has no such filter.
  await client.request('GET', '/api/v1/wallets', { query: { curency: 'EUR' } });
  // @ts-expect-error A wallet has no such status.
  await client.request('GET', '/api/v1/wallets', { query: { status: 'OPEN' } });
  // @ts-expect-error A wallet has a currency.
  await client.request('POST', '/api/v1/wallets', { body: {} });
  // @ts-expect-error A read has no body.
  await client.request('GET', '/api/v1/wallets', { body: {} });

  const later = await client.requestUntyped('GET', '/api/v1/reports', { query: { size: 1 } });
  // @ts-expect-error What it answers is not known.
  console.log(later.data.items);
}
