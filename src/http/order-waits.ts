import pTimeout from 'p-timeout';
import { isTerminal, type Order } from '../orders/order.ts';
import type { PostedNotices } from '../queue/notices.ts';
import { createPlaces, type PlaceLimits } from '../places.ts';
import type { Orders } from '../storage/orders/orders.ts';
import { listElements } from './headers.ts';
import type { ApiRequest } from './routes.ts';

/** How long a client may ask an answer to wait for the order's terminal state. */
const waitSecondsMax = 10;
/** The time that a wait leaves to read the order and to answer. */
const answerMarginMs = 1_500;
/** The longest wait for a read. The order is recorded, and its client should not wait longer to hear it. */
const readMaxMs = 1_000;

/** How many requests may wait in this process, and how many of those of one workspace. Each costs some 10 kB. */
const defaultLimits: PlaceLimits = { max: 8_192, ofOneMax: 2_048 };

/** What the description of the API says of an endpoint that waits. */
export const waitHeaders = {
  headers: { Prefer: `\`wait=N\`: answer once the order has ended, or after N seconds, ${waitSecondsMax} at most.` },
  answerHeaders: { 'Preference-Applied': 'The wait that was applied, where one was asked for.' },
};

interface Awaited {
  readonly order: Order;
  /** Says what was applied. */
  readonly headers: Readonly<Record<string, string>>;
}

export type OrderWaits = ReturnType<typeof createOrderWaits>;

/**
 * Lets a limited number of requests wait for the end of an order. One that gets no place is answered at once, with the order
 * as it stands, and without saying that its preference was applied, which RFC 7240 allows; so is one whose place goes to a
 * workspace that has fewer. If a client goes away, its wait ends.
 */
export function createOrderWaits(orders: Pick<Orders, 'find'>, notices: PostedNotices, limits = defaultLimits) {
  const places = createPlaces(limits);

  /** @returns the order as it is now, or as it is known if it cannot be read in time. */
  async function read(known: Order, endsAt: number): Promise<Order> {
    const found = orders.find(known.workspaceId, known.id).catch(() => undefined);
    const leftMs = Math.max(1, Math.min(readMaxMs, endsAt - performance.now()));
    return (await pTimeout(found, { milliseconds: leftMs, fallback: () => undefined })) ?? known;
  }

  /**
   * Waits until an order is terminal or the time is over; it may take a second more. A lost notice costs the client time, but
   * the answer is still right.
   * @returns the order as it then stands; undefined if there was no place, or it was lost.
   */
  async function wait(order: Order, timeoutMs: number, gone: AbortSignal): Promise<Order | undefined> {
    const over = new AbortController();
    const leave = places.take(order.workspaceId, () => {
      over.abort();
    });
    if (leave === undefined) return undefined;
    const endsAt = performance.now() + timeoutMs + readMaxMs;
    // It listens before it reads, so that no notice is missed.
    const noticed = notices.wait(order.id, timeoutMs, AbortSignal.any([gone, over.signal]));
    try {
      const now = await read(order, endsAt);
      if (isTerminal(now.status)) return now;
      await noticed;
      if (over.signal.aborted) return undefined;
      return gone.aborted ? now : await read(now, endsAt);
    } finally {
      over.abort();
      leave();
    }
  }

  /** @returns the order as it stands once it has ended, or after the time that the request prefers to wait. */
  return async (order: Order, request: Pick<ApiRequest, 'prefer' | 'timeLeftMs' | 'gone'>): Promise<Awaited> => {
    const waitSeconds = parseWait(request.prefer);
    // What is for a later time is not waited for.
    if (waitSeconds === 0 || order.status === 'SCHEDULED') return { order, headers: {} };
    const headers = { 'Preference-Applied': `wait=${waitSeconds}` };
    const waitMs = Math.min(waitSeconds * 1000, request.timeLeftMs() - answerMarginMs);
    if (isTerminal(order.status) || waitMs <= 0) return { order, headers };
    const waited = await wait(order, waitMs, request.gone());
    return waited === undefined ? { order, headers: {} } : { order: waited, headers };
  };
}

/** Seconds of the first well-formed `wait` preference, capped; 0 if there is none. Source: RFC 7240, parts 2 and 4.3. */
export function parseWait(prefer: string | undefined): number {
  if (prefer === undefined) return 0;
  for (const preference of listElements(prefer)) {
    const seconds = /^wait\s*=\s*("?)(\d+)\1\s*(?:;|$)/i.exec(preference)?.[2];
    if (seconds !== undefined) return Math.min(Number(seconds), waitSecondsMax);
  }
  return 0;
}
