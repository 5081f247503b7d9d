import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { Order } from '../../src/http/transfers/order.ts';
import type { Answer, Client, RequestOptions } from './api-client.ts';

export type OrderData = z.output<typeof Order>;

export interface BatchData {
  batchId: string;
  items: ({ order: OrderData } | { code: string })[];
}

interface ThroughClient {
  readonly client: Client;
}

export const commandsPath = '/api/v1/transfer/command';
export const ordersPath = '/api/v1/transfer/query/orders';
/** Has a command be answered once its orders have ended. */
export const patient = { Prefer: 'wait=10' };
const retryMs = 200;
const pollMs = 50;
const orderMaxMs = 180_000;

/** Sends a command, which by default is answered once its order has ended. */
export const sendCommand = (
  { client }: ThroughClient,
  name: string,
  body: object,
  headers: Record<string, string> = patient,
): Promise<Answer<OrderData>> => client.request('POST', `${commandsPath}/${name}`, { body, headers });

/** Sends a request until it is answered: its bizId makes that safe. @returns how often, too. */
export async function untilAnswered<T>(
  { client }: ThroughClient,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer<T> & { times: number }> {
  for (let times = 1; ; times += 1) {
    const answer = await client.request<T>(method, path, options).catch(() => undefined);
    if (answer !== undefined && answer.status < 500) return { ...answer, times };
    await delay(retryMs);
  }
}

export async function findOrder(through: ThroughClient, idOrBizId: string): Promise<OrderData> {
  return (await untilAnswered<OrderData>(through, 'GET', `${ordersPath}/${idOrBizId}`)).envelope!.data;
}

/** Waits for an order until it is as is asked for. @throws after three minutes, which no fault of a test lasts. */
export async function untilOrder(
  through: ThroughClient,
  idOrBizId: string,
  is: (order: OrderData) => boolean,
): Promise<OrderData> {
  const deadline = performance.now() + orderMaxMs;
  for (;;) {
    const order = await findOrder(through, idOrBizId);
    if (is(order)) return order;
    if (performance.now() > deadline) throw new Error(`${idOrBizId} is ${order.status} after ${orderMaxMs} ms`);
    await delay(pollMs);
  }
}

export const hasEnded = ({ status }: OrderData): boolean => status !== 'PENDING' && status !== 'SCHEDULED';

export const ordersIn = ({ items }: BatchData): OrderData[] =>
  items.flatMap((item) => ('order' in item ? [item.order] : []));

/** How many orders a list has in all. */
export async function totalOf(through: ThroughClient, path: string, query: Record<string, string>): Promise<number> {
  const answer = await untilAnswered<{ total: number }>(through, 'GET', path, { query: { ...query, size: '1' } });
  return answer.envelope!.data.total;
}

/** @param service whose books are all right, as `admin verify` has it. */
export async function expectSoundBooks(service: { admin<Result>(...args: string[]): Promise<Result> }): Promise<void> {
  expect((await service.admin<{ breaches: number }>('verify')).breaches).toBe(0);
}
