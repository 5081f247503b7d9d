import type { OrderToPost } from '../domain/order.ts';
import { createGrouping } from '../grouping.ts';
import type { PostingJobResult } from '../queue/queue.ts';
import type { PostingSession } from '../storage/postingSessions.ts';
import type { SharedClaims } from './claimGroup.ts';
import { createLanes } from './lanes.ts';
import type { Passage } from './passages.ts';
import { postGroup } from './postGroup.ts';
import type { GroupTools, Outcome, PostObserver } from './postGroup.ts';

export interface Poster {
  /**
   * Posts orders, merged with those of other calls of the same moment into few transactions. On a wallet they are posted
   * in the order of the calls, and of a call's ids. Posting is a no-op for an order that is no longer PENDING, so that a
   * call may be repeated, doubled or cut short without harm.
   * @returns `handedBack` where others are to post some of them, see {@link setHandingBack}.
   * @throws the first order's error where one could not be posted; the others are posted all the same.
   */
  post(orderIds: readonly string[]): Promise<PostingJobResult | 'handedBack'>;
  /**
   * While it is on, orders that are not in a group yet, and those that come, are handed back, the last first, without
   * waiting for a server; those in a group go on.
   */
  setHandingBack(isOn: boolean): void;
}

interface PosterTools extends GroupTools {
  /** The poster's own, one a lane: each runs one transaction at a time. */
  readonly sessions: readonly PostingSession[];
  /** Keeps this process's groups apart from those of others; absent where no other posts. */
  readonly claims?: SharedClaims;
  /** Told how groups get on beside those of other processes. */
  readonly onPassage?: (passage: Passage) => void;
}

/** Orders read by one query. */
const readSizeMax = 256;
/** Of several, a later one could be answered first, and its orders overtake. */
const readsInFlightMax = 1;
const readMaxMs = 12_000;

export function createPoster(tools: PosterTools): Poster {
  const { collections, log } = tools;
  const read = createGrouping<string, OrderToPost | undefined>({
    sizeMax: readSizeMax,
    inFlightMax: readsInFlightMax,
    flushMaxMs: readMaxMs,
    flush: async (ids) => {
      const pending = await collections.orders.findPending(ids);
      const byId = new Map(pending.map((order) => [order.id, order]));
      return ids.map((id) => byId.get(id));
    },
  });
  const whileBusy = createBusyClock(tools.observe);
  const lanes = createLanes<Outcome>({
    lanes: tools.sessions.map(
      (lane) => (orders) => whileBusy(() => lane.run((session) => postGroup({ ...tools, session }, orders))),
    ),
    claims: tools.claims,
    onClaimsFailed: (error) => {
      log.debug({ err: error }, 'wallets not claimed; conflicts settle it');
    },
    onHeldUp: (orders) => tools.observe?.ordersHeldUp(orders),
    onPassage: (passage) => tools.onPassage?.(passage),
    passedOver: 'passedOver',
    handedBack: 'handedBack',
  });

  /** Orders on their way: one that a second job brings joins the first. */
  const underWay = new Map<string, Promise<Outcome>>();
  /** Tells an order that is not read yet that it is handed back. */
  const unread = new Map<string, () => void>();
  let isHandingBack = false;
  async function readOne(id: string): Promise<OrderToPost | 'passedOver' | 'handedBack'> {
    if (isHandingBack) return 'handedBack';
    const { promise, resolve } = Promise.withResolvers<'handedBack'>();
    unread.set(id, () => {
      resolve('handedBack');
    });
    const reading = read(id).then((order) => order ?? 'passedOver');
    return Promise.race([reading, promise]).finally(() => unread.delete(id));
  }
  async function postOne(id: string): Promise<Outcome> {
    const order = await readOne(id);
    return typeof order === 'string' ? order : lanes.post(order);
  }
  function join(id: string): Promise<Outcome> {
    const begun = underWay.get(id);
    if (begun !== undefined) return begun;
    const posting = postOne(id).finally(() => underWay.delete(id));
    underWay.set(id, posting);
    return posting;
  }

  return {
    async post(orderIds) {
      const settled = await Promise.allSettled(orderIds.map(join));
      const counts = { completed: 0, failed: 0, passedOver: 0, setAside: 0, handedBack: 0 };
      for (const outcome of settled) {
        if (outcome.status === 'rejected') throw outcome.reason;
        counts[outcome.value] += 1;
      }
      const { handedBack, ...result } = counts;
      return handedBack > 0 ? 'handedBack' : result;
    },
    setHandingBack: (isOn) => {
      isHandingBack = isOn;
      if (isOn) for (const handBack of [...unread.values()].toReversed()) handBack();
      lanes.setHandingBack(isOn);
    },
  };
}

/** Measures for how long at least one group is in flight, however many are at once. */
function createBusyClock(observe: PostObserver | undefined) {
  let inFlight = 0;
  let countedUntil = 0;
  function change(by: 1 | -1): void {
    const now = performance.now();
    if (inFlight > 0) observe?.busyFor(now - countedUntil);
    countedUntil = now;
    inFlight += by;
  }
  return async <T>(work: () => Promise<T>): Promise<T> => {
    change(1);
    try {
      return await work();
    } finally {
      change(-1);
    }
  };
}
