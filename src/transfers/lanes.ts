import type { OrderToPost } from '../domain/order.ts';
import { alone, claimGroup, isWorthwhile, releaseGroup, walletsOf } from './claimGroup.ts';
import type { Claimant, Claimed, ClaimTools, SharedClaims } from './claimGroup.ts';
import { createHeldUpPause } from './heldUpPause.ts';
import { pickGroup } from './pickGroup.ts';

export interface Lanes<Outcome> {
  /** Posts an order in a group with others that wait; resolves to its own outcome, or rejects with its own error. */
  post(order: OrderToPost): Promise<Outcome>;
  /** Ends the wait of those that wait for a group, the last first, and this process's turn. May be repeated. */
  withdraw(): void;
}

/** An order's place in the queue. */
interface Waiting<Outcome> extends Claimant {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Posts a group; answers for each of its orders, by id, or throws what all of them are to be told. */
export type PostGroup<Outcome> = (orders: readonly OrderToPost[]) => Promise<ReadonlyMap<string, Outcome | Error>>;

/**
 * How groups get on beside other processes: one was posted without asking for a turn; or none for longer than
 * {@link heldUpForLongMs}, because of claims of the one that is named.
 */
export type Passage = { readonly kind: 'free' } | { readonly kind: 'held up'; readonly by: string };

interface LaneTools<Outcome> extends ClaimTools {
  /** One a lane: groups in flight at once never share a wallet. */
  readonly lanes: readonly PostGroup<Outcome>[];
  readonly claims: SharedClaims | undefined;
  readonly onPassage?: (passage: Passage) => void;
  /** What an order is told that its group has no answer for. */
  readonly passedOver: Outcome;
  /** What an order is told that was withdrawn. */
  readonly handedBack: Outcome;
}

/** Orders of one transaction. */
const groupSizeMax = 256;
const scanMax = 2_048;
/** Several groups of the others; less than an order's patience, so that who leaves does not ask for a turn first. */
const heldUpForLongMs = 300;

/**
 * Runs a few groups at once that touch different wallets, so that while MongoDB works on one the next is folded. Where all
 * orders share a wallet, one lane is busy and the groups grow: a hot wallet costs no retries. No timers: an order that
 * finds a free lane and free wallets leaves at once.
 */
export function createLanes<Outcome>(tools: LaneTools<Outcome>): Lanes<Outcome> {
  let waiting: Waiting<Outcome>[] = [];
  const busy = createBusyWallets();
  const idle = [...tools.lanes];
  let isDispatchDue = false;
  let isHeldUp = false;
  const passages = createPassages(tools.onPassage);
  const pause = createHeldUpPause();

  function dispatchSoon(): void {
    if (isDispatchDue) return;
    isDispatchDue = true;
    // What arrives in one turn of the event loop leaves together.
    setImmediate(dispatch);
  }

  function dispatch(): void {
    isDispatchDue = false;
    for (let lane = idle.at(-1); lane !== undefined && !isHeldUp; lane = idle.at(-1)) {
      const group = pickGroup(waiting, busy.ids, { sizeMax: groupSizeMax, scanMax });
      if (!isWorthwhile(group, waiting)) return;
      idle.pop();
      const picked = new Set(group);
      waiting = waiting.filter((order) => !picked.has(order));
      void runLane(lane, group);
    }
  }

  async function runLane(lane: PostGroup<Outcome>, picked: readonly Waiting<Outcome>[]): Promise<void> {
    busy.add(picked);
    const claims = tools.claims?.areNeeded() === true ? tools.claims : undefined;
    const claimed = claims === undefined ? alone(picked) : await claimGroup(picked, waiting, claims, tools);
    const { group } = claimed;
    if (group.length < picked.length) {
      busy.remove(picked);
      busy.add(group);
      const isTaken = new Set(group);
      // To the front: nothing that was left behind before shares a wallet with these.
      waiting = [...picked.filter((order) => !isTaken.has(order)), ...waiting];
    }
    passages.tell(claimed);
    if (group.length === 0) await holdUp(claimed.hasTurn);
    else {
      pause.reset();
      await settle({ post: lane, passedOver: tools.passedOver }, group);
      passages.beginAnew();
    }
    if (claims !== undefined) releaseGroup(group, claims, tools.onClaimsFailed);
    busy.remove(group);
    idle.push(lane);
    dispatchSoon();
  }

  /** The other lanes would mostly ask for the same orders, those at the front. */
  async function holdUp(hasTurn: boolean): Promise<void> {
    isHeldUp = true;
    const now = performance.now();
    // Those behind wait for the same wallets, and their patience is the same.
    for (const claimant of waiting) claimant.heldUpAt ??= now;
    await pause.next(hasTurn);
    isHeldUp = false;
  }

  return {
    post(order) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      waiting.push({ order, resolve, reject });
      dispatchSoon();
      return promise;
    },
    withdraw() {
      const withdrawn = waiting.toReversed();
      waiting = [];
      for (const { resolve } of withdrawn) resolve(tools.handedBack);
      passages.beginAnew();
      tools.claims?.take([], 'none').catch(tools.onClaimsFailed);
    },
  };
}

function createBusyWallets() {
  const ids = new Set<string>();
  return {
    ids: ids as ReadonlySet<string>,
    add(group: readonly Claimant[]): void {
      for (const walletId of walletsOf(group)) ids.add(walletId);
    },
    remove(group: readonly Claimant[]): void {
      for (const walletId of walletsOf(group)) ids.delete(walletId);
    },
  };
}

async function settle<Outcome>(
  { post, passedOver }: { post: PostGroup<Outcome>; passedOver: Outcome },
  group: readonly Waiting<Outcome>[],
): Promise<void> {
  try {
    const outcomes = await post(group.map(({ order }) => order));
    for (const { order, resolve, reject } of group) {
      const outcome = outcomes.get(order.id) ?? passedOver;
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

function createPassages(onPassage: LaneTools<unknown>['onPassage']) {
  let heldUpAt: number | undefined;
  return {
    beginAnew(): void {
      heldUpAt = undefined;
    },
    tell({ group, hasTurn, refusedBy }: Claimed<unknown>): void {
      if (group.length > 0 && !hasTurn) onPassage?.({ kind: 'free' });
      if (group.length > 0 || refusedBy === undefined) return;
      const now = performance.now();
      heldUpAt ??= now;
      if (now - heldUpAt > heldUpForLongMs) onPassage?.({ kind: 'held up', by: refusedBy });
    },
  };
}
