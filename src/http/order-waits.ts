import { isTerminal, type Order } from '../orders/order.ts';
import { waitForTerminal } from '../accepting/wait-for-terminal.ts';
import type { PostedNotices } from '../queue/notices.ts';
import { createPlaces, type PlaceLimits } from '../places.ts';
import type { Orders } from '../storage/orders/orders.ts';
import { listElements } from './headers.ts';
import type { ApiRequest } from './routes.ts';

/** How long a client may ask an answer to wait for the order's terminal state. */
const waitSecondsMax = 10;
/** The time that a wait leaves to read the order and to answer. */
const answerMarginMs = 1_500;

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

  /** @returns the order after its wait; undefined if there was no place, or it was lost. */
  async function wait(order: Order, timeoutMs: number, gone: AbortSignal): Promise<Order | undefined> {
    const lost = new AbortController();
    const leave = places.take(order.workspaceId, () => {
      lost.abort();
    });
    if (leave === undefined) return undefined;
    try {
      const waited = await waitForTerminal(order, timeoutMs, {
        orders,
        notices,
        gone: AbortSignal.any([gone, lost.signal]),
      });
      return lost.signal.aborted && !isTerminal(waited.status) ? undefined : waited;
    } finally {
      leave();
    }
  }

  /** @returns the order as it stands once it has ended, or after the time that the request prefers to wait. */
  return async (order: Order, request: Pick<ApiRequest, 'prefer' | 'timeLeftMs' | 'gone'>): Promise<Awaited> => {
    const waitSeconds = parseWait(request.prefer);
    if (waitSeconds === 0) return { order, headers: {} };
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
