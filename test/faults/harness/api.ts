import { createClient, type Answer, type Client } from '../../support/api-client.ts';
import { signingHeaders } from '../../support/signing.ts';
import type { PreparedBooks } from './books.ts';
import type { Member } from './member.ts';
import type { Command, OrderData, Told } from './sent.ts';

/** What became of each line of a batch. */
export interface BatchData {
  items: ({ order: OrderData } | { order?: undefined; code: string })[];
}

interface Remembered<Data> extends Answer<Data> {
  /** What it told, where it is 200. */
  told?: Told;
}

/**
 * A client of one workspace and its way to the API; which process answers is chosen for each request, as a load balancer would.
 * It remembers whatever it is told.
 */
export interface Api {
  /** Rejects on a broken connection. @param waitSeconds asks to wait for the terminal state; 0 does not. */
  create(web: Member, command: Command, waitSeconds: number): Promise<Answer<OrderData | null>>;
  /** As `create`, of several commands in one request. */
  createBatch(web: Member, lines: readonly Command[], waitSeconds: number): Promise<Answer<BatchData | null>>;
  find(web: Member, idOrBizId: string): Promise<Answer<OrderData | null>>;
  /** @param follows where it asks by a cursor, the page that had it. */
  get<Data>(web: Member, path: string, query?: Record<string, string>, follows?: Told): Promise<Remembered<Data>>;
  close(): void;
}

const commandsPath = '/api/v1/transfer/command';
const ordersPath = '/api/v1/transfer/query/orders';

/** @param told gets what every answer of 200 said. @param clockOffsetMs how far the client's clock is off. */
export function createApi(books: PreparedBooks, told: Told[], clockOffsetMs = 0): Api {
  const clients = new Map<string, Client>();
  const clientOf = (web: Member): Client => {
    const baseUrl = web.baseUrl();
    const client = clients.get(baseUrl) ?? createClient({ baseUrl, ...books });
    clients.set(baseUrl, client);
    return client;
  };
  const signed = (parts: { method: string; path: string; body?: string }) => {
    const timestamp = String(Math.floor((Date.now() + clockOffsetMs) / 1000));
    return signingHeaders(books, { ...parts, timestamp });
  };
  async function remembered<Data>(
    asked: Pick<Told, 'method' | 'path' | 'query' | 'command' | 'lines' | 'follows'>,
    request: () => Promise<Answer<Data>>,
  ): Promise<Remembered<Data>> {
    const askedAtMs = performance.now();
    const answer = await request();
    const { status, headers, envelope } = answer;
    if (status !== 200) return answer;
    const isReplay = headers['idempotent-replayed'] === 'true';
    const times = { askedAtMs, toldAtMs: performance.now() };
    const each: Told = { workspaceId: books.workspaceId, ...asked, ...times, isReplay, data: envelope?.data };
    told.push(each);
    return { ...answer, told: each };
  }
  function get<Data>(web: Member, path: string, query: Record<string, string> = {}, follows?: Told) {
    const options = { query, headers: signed({ method: 'GET', path }) };
    const asked = { method: 'GET', path, query, follows } as const;
    return remembered(asked, () => clientOf(web).request<Data>('GET', path, options));
  }
  function post<Data>(
    web: Member,
    name: string,
    { waitSeconds, body, ...of }: Pick<Told, 'command' | 'lines'> & { waitSeconds: number; body: object },
  ): Promise<Answer<Data>> {
    const text = JSON.stringify(body);
    const path = `${commandsPath}/${name}`;
    const headers = signed({ method: 'POST', path, body: text });
    if (waitSeconds > 0) headers['Prefer'] = `wait=${waitSeconds}`;
    const asked = { method: 'POST', path, query: {}, ...of } as const;
    return remembered(asked, () => clientOf(web).request('POST', path, { body: text, headers }));
  }
  return {
    get,
    create: (web, command, waitSeconds) => post(web, command.name, { body: command.body, command, waitSeconds }),
    createBatch(web, lines, waitSeconds) {
      const transfers = lines.map(({ body, means: { type } }) => ({ type, ...body }));
      return post(web, 'batch', { body: { transfers }, lines, waitSeconds });
    },
    find: (web, idOrBizId) => get(web, `${ordersPath}/${idOrBizId}`),
    close() {
      for (const client of clients.values()) client.close();
    },
  };
}
