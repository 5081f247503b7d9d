import { isTerminal, type Order } from '../domain/order.ts';
import { waitForTerminal } from '../accepting/wait-for-terminal.ts';
import type { PostedNotices } from '../queue/notices.ts';
import type { Orders } from '../storage/orders.ts';
import { listElements } from './headers.ts';
import type { ApiRequest } from './routes.ts';

/** How long a client may ask an answer to wait for the order's terminal state. */
const waitSecondsMax = 10;
/** The time that a wait leaves to read the order and to answer. */
const answerMarginMs = 1_500;

/** How many requests may wait in this process, and how many of those of one workspace. Each costs some 10 kB. */
const defaultLimits = { waitingMax: 8_192, waitingOfWorkspaceMax: 2_048 };

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
 * Lets a limited number of requests wait for the end of an order. Beyond the limit a request is answered at once, with the
 * order as it stands, and without saying that its preference was applied, which RFC 7240 allows. If a client goes away, its
 * wait ends.
 */
export function createOrderWaits(orders: Orders, notices: PostedNotices, limits = defaultLimits) {
  const waiting = new Map<string, number>();
  let waitingInAll = 0;

  async function wait(order: Order, timeoutMs: number, gone: AbortSignal): Promise<Order> {
    const { workspaceId } = order;
    waitingInAll += 1;
    waiting.set(workspaceId, (waiting.get(workspaceId) ?? 0) + 1);
    try {
      return await waitForTerminal(order, timeoutMs, { orders, notices, gone });
    } finally {
      waitingInAll -= 1;
      const left = (waiting.get(workspaceId) ?? 0) - 1;
      if (left > 0) waiting.set(workspaceId, left);
      else waiting.delete(workspaceId);
    }
  }

  const isFull = (workspaceId: string): boolean =>
    waitingInAll >= limits.waitingMax || (waiting.get(workspaceId) ?? 0) >= limits.waitingOfWorkspaceMax;

  /** @returns the order as it stands once it has ended, or after the time that the request prefers to wait. */
  return async (order: Order, request: Pick<ApiRequest, 'prefer' | 'timeLeftMs' | 'gone'>): Promise<Awaited> => {
    const waitSeconds = parseWait(request.prefer);
    const mustWait = waitSeconds > 0 && !isTerminal(order.status);
    if (waitSeconds === 0 || (mustWait && isFull(order.workspaceId))) return { order, headers: {} };
    const headers = { 'Preference-Applied': `wait=${waitSeconds}` };
    const waitMs = Math.min(waitSeconds * 1000, request.timeLeftMs() - answerMarginMs);
    return { order: mustWait && waitMs > 0 ? await wait(order, waitMs, request.gone()) : order, headers };
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
