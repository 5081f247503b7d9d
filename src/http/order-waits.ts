import { isTerminal, type Order } from '../domain/order.ts';
import { waitForTerminal } from '../accepting/wait-for-terminal.ts';
import type { PostedNotices } from '../queue/notices.ts';
import type { Orders } from '../storage/orders.ts';
import type { ApiRequest } from './routes.ts';

/** How long a client may ask an answer to wait for the order's terminal state. */
const waitSecondsMax = 10;
/** What is left after that to read the order, and to answer. */
const answerMarginMs = 1_500;

/** Requests that wait in this process, and of those the ones of one workspace; each costs some 10 kB. */
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
 * Lets requests wait for the end of an order, as many as may. One that is too many is answered at once, with the order as it
 * stands, and is not told that its preference was applied: RFC 7240 leaves that to the server. Who has gone away waits no
 * longer.
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

  /** @returns the order as it stands once it has ended, or once the time is over that the request prefers to wait. */
  return async (order: Order, request: Pick<ApiRequest, 'prefer' | 'timeLeftMs' | 'gone'>): Promise<Awaited> => {
    const waitSeconds = parseWait(request.prefer);
    const mustWait = waitSeconds > 0 && !isTerminal(order.status);
    if (waitSeconds === 0 || (mustWait && isFull(order.workspaceId))) return { order, headers: {} };
    const headers = { 'Preference-Applied': `wait=${waitSeconds}` };
    const waitMs = Math.min(waitSeconds * 1000, request.timeLeftMs() - answerMarginMs);
    return { order: mustWait && waitMs > 0 ? await wait(order, waitMs, request.gone()) : order, headers };
  };
}

/** Seconds of the first `wait` preference, capped; 0 where there is none, or it is malformed. Source: RFC 7240, part 4.3. */
export function parseWait(prefer: string | undefined): number {
  if (prefer === undefined) return 0;
  const preferences = prefer.split(',').map((preference) => preference.split(';')[0]?.trim() ?? '');
  for (const preference of preferences) {
    const seconds = /^wait\s*=\s*"?(\d{1,9})"?$/i.exec(preference)?.[1];
    if (seconds !== undefined) return Math.min(Number(seconds), waitSecondsMax);
  }
  return 0;
}
