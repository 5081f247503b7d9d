import pTimeout from 'p-timeout';
import type { Order } from '../../orders/order.ts';
import type { PostedNotices } from '../../queue/notices.ts';
import { FairShares, type ShareLimits } from '../../waiting/shares.ts';
import type { OrderReference } from '../../storage/orders/orders.ts';
import { listElements } from '../headers.ts';
import type { ApiAnswer, ApiRequest } from '../route.ts';

/** How long a client may ask an answer to wait for the order's terminal state. */
const waitSecondsMax = 10;
/** The time that a wait leaves to read the order and to answer. */
const answerMarginMs = 1_500;
/** The longest wait for a read. The order is recorded, and its client should not wait longer to hear it. */
const readMaxMs = 1_000;

/** How many requests may wait in this process, and how many of those of one workspace. Each costs some 10 kB. */
const defaultLimits: ShareLimits = { max: 8_192, ofKeyMax: 2_048 };

/** What the description of the API says of an endpoint that waits. */
export const waitHeaders = {
  headers: { Prefer: `\`wait=N\`: answer once the order has ended, or after N seconds, ${waitSecondsMax} at most.` },
  answerHeaders: { 'Preference-Applied': 'The wait that was applied, where one was asked for.' },
};

/**
 * Lets a limited number of requests wait for the end of their orders. One that gets no place is answered at once, with the
 * orders as they stand, and without saying that its preference was applied, which RFC 7240 allows; so is one whose place goes
 * to a workspace that has fewer. If a client goes away, its wait ends. Nobody waits for a SCHEDULED order.
 * @param findMany finds orders by their ids, each at its place.
 */
export function createOrderWaits(
  findMany: (references: readonly OrderReference[]) => Promise<readonly (Order | undefined)[]>,
  notices: PostedNotices,
  limits = defaultLimits,
) {
  const shares = new FairShares(limits);

  /** @returns the orders as they are now; those that had ended, or cannot be read in time, as they are known. */
  async function read(orders: readonly Order[], endsAt: number): Promise<readonly Order[]> {
    const references = orders.filter(isAwaited).map(({ workspaceId, id }) => ({ workspaceId, idOrBizId: id }));
    const leftMs = Math.max(1, Math.min(readMaxMs, endsAt - performance.now()));
    const none = (): readonly undefined[] => [];
    const current = await pTimeout(findMany(references).catch(none), { milliseconds: leftMs, fallback: none });
    const byId = new Map(current.flatMap((order) => (order === undefined ? [] : [[order.id, order] as const])));
    return orders.map((order) => byId.get(order.id) ?? order);
  }

  /**
   * Waits until no order is PENDING or the time is over; it may take a second more. A lost notice costs the client time, but
   * the answer is still right. Notices of the last moments count, so nothing has to be read before.
   * @param orders as they were just recorded, or read.
   * @returns the orders as they then stand; undefined if there was no place, or it was lost.
   */
  async function wait(
    workspaceId: string,
    orders: readonly Order[],
    timeoutMs: number,
    gone: AbortSignal,
  ): Promise<readonly Order[] | undefined> {
    const over = new AbortController();
    const leave = shares.take(workspaceId, () => {
      over.abort();
    });
    if (leave === undefined) return undefined;
    const endsAt = performance.now() + timeoutMs + readMaxMs;
    const ids = orders.filter(isAwaited).map(({ id }) => id);
    try {
      await notices.hear(ids, timeoutMs, AbortSignal.any([gone, over.signal]));
      if (over.signal.aborted) return undefined;
      return gone.aborted ? orders : await read(orders, endsAt);
    } finally {
      over.abort();
      leave();
    }
  }

  /**
   * @param orders of one workspace. Together they take one place.
   * @returns each order in its place, as it stands once all have ended, or after the time that the request prefers to wait; and the
   * headers that say what was applied.
   */
  return async (
    orders: readonly Order[],
    request: Pick<ApiRequest, 'prefer' | 'timeLeftMs' | 'gone'> & Partial<Pick<ApiRequest, 'hasWaited'>>,
  ) => {
    const answer = (current: readonly Order[], headers: ApiAnswer['headers'] = {}) => ({ orders: current, headers });
    const waitSeconds = parseWait(request.prefer);
    // What is for a later time is not waited for.
    if (waitSeconds === 0 || orders.every(({ status }) => status === 'SCHEDULED')) return answer(orders);
    const applied = { 'Preference-Applied': `wait=${waitSeconds}` };
    const waitMs = Math.min(waitSeconds * 1000, request.timeLeftMs() - answerMarginMs);
    const awaited = orders.find(isAwaited);
    if (awaited === undefined || waitMs <= 0) return answer(orders, applied);
    const startedAt = performance.now();
    const waited = await wait(awaited.workspaceId, orders, waitMs, request.gone());
    request.hasWaited?.(performance.now() - startedAt);
    return waited === undefined ? answer(orders) : answer(waited, applied);
  };
}

function isAwaited({ status }: Order): boolean {
  return status === 'PENDING';
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
