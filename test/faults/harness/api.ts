import { randomUUID } from 'node:crypto';
import { createClient, type Answer, type Client } from '../../../client/client.ts';
import { sign } from '../../../client/sign.ts';
import type { PreparedBooks } from './books.ts';
import type { Member } from './member.ts';
import type { OrderData, TransferBody } from './sent.ts';

/** A client of one workspace and its way to the API; which process answers is chosen for each request, as a load balancer would. */
export interface Api {
  /** Rejects on a broken connection. @param waitSeconds asks to wait for the terminal state; 0 does not. */
  create(web: Member, body: TransferBody, waitSeconds: number): Promise<Answer<OrderData | null>>;
  find(web: Member, idOrBizId: string): Promise<Answer<OrderData | null>>;
  get<Data>(web: Member, path: string): Promise<Answer<Data>>;
  close(): void;
}

export const createPath = '/api/v1/transfer/command/create';
const ordersPath = '/api/v1/transfer/query/orders';

/** @param socketsMax connections to each process at the most; further requests wait for one. */
export function createApi(books: PreparedBooks, socketsMax = 256): Api {
  const clients = new Map<string, Client>();
  const clientOf = (web: Member): Client => {
    const baseUrl = web.baseUrl();
    const client = clients.get(baseUrl) ?? createClient({ baseUrl, socketsMax, ...books });
    clients.set(baseUrl, client);
    return client;
  };
  function get<Data>(web: Member, path: string): Promise<Answer<Data>> {
    const headers = signedBy(web, { method: 'GET', path, body: '' }, books.apiSecret);
    return clientOf(web).request('GET', path, { headers });
  }
  return {
    get,
    create(web, body, waitSeconds) {
      const text = JSON.stringify(body);
      const prefer = waitSeconds === 0 ? {} : { Prefer: `wait=${waitSeconds}` };
      const headers = {
        ...prefer,
        ...signedBy(web, { method: 'POST', path: createPath, body: text }, books.apiSecret),
      };
      return clientOf(web).request('POST', createPath, {
        body: text,
        headers: { ...headers, 'Content-Type': 'application/json' },
      });
    },
    find: (web, idOrBizId) => get(web, `${ordersPath}/${idOrBizId}`),
    close() {
      for (const client of clients.values()) client.close();
    },
  };
}

/** A client whose clock is off by as much as the server's; nothing where the clock is right. */
function signedBy(web: Member, request: { method: string; path: string; body: string }, secret: string) {
  const offsetMs = web.clockOffsetMs();
  if (offsetMs === 0) return {};
  const timestamp = String(Math.floor((Date.now() + offsetMs) / 1000));
  const nonce = randomUUID();
  const { signature } = sign({ ...request, timestamp, nonce }, secret);
  return { 'X-Timestamp': timestamp, 'X-Nonce': nonce, 'X-Signature': signature };
}
