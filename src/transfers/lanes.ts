import type { OrderToPost } from '../domain/order.ts';
import type { WalletClaims } from '../redis/walletClaims.ts';
import { createHeldUpPause } from './heldUpPause.ts';
import { pickGroup } from './pickGroup.ts';

export interface Lanes<Outcome> {
  /** Posts an order in a group with others that wait; resolves to its own outcome, or rejects with its own error. */
  post(order: OrderToPost): Promise<Outcome>;
}

interface Claimant {
  readonly order: OrderToPost;
  /** When other processes' claims first held it up, or those before it. */
  heldUpAt?: number;
  /** Whether it was itself refused. */
  wasRefused?: boolean;
}

/** An order's place in the queue. */
interface Waiting<Outcome> extends Claimant {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Posts a group; answers for each of its orders, by id, or throws what all of them are to be told. */
export type PostGroup<Outcome> = (orders: readonly OrderToPost[]) => Promise<ReadonlyMap<string, Outcome | Error>>;

/** Keeps the groups of several processes apart. */
export interface SharedClaims extends WalletClaims {
  /** Whether others post now; alone, a claim is not worth its round trip. */
  areNeeded(): boolean;
}

/**
 * How groups get on beside other processes: one was posted without asking for a turn; or none for longer than
 * {@link patienceMs}, because of claims of the one that is named.
 */
export type Passage = { readonly kind: 'free' } | { readonly kind: 'held up'; readonly by: string };

interface LaneTools<Outcome> {
  /** One a lane: groups in flight at once never share a wallet. */
  readonly lanes: readonly PostGroup<Outcome>[];
  readonly claims: SharedClaims | undefined;
  readonly onClaimsFailed: (error: unknown) => void;
  /** Told once of each order that other processes' claims hold up. */
  readonly onHeldUp: (orders: readonly OrderToPost[]) => void;
  readonly onPassage?: (passage: Passage) => void;
  /** What an order is told that its group has no answer for. */
  readonly passedOver: Outcome;
}

/** Orders of one transaction. */
const groupSizeMax = 256;
const scanMax = 2_048;
/** While others are in flight, a group of fewer that leaves more behind waits for company: a transaction has a price. */
const groupSizeMin = 96;
/** Held up by other processes for longer, an order asks for a turn. */
const patienceMs = 1_000;

/**
 * Runs a few groups at once that touch different wallets, so that while MongoDB works on one the next is folded. Where all
 * orders share a wallet, one lane is busy and the groups grow: a hot wallet costs no retries. No timers: an order that
 * finds a free lane and free wallets leaves at once.
 */
export function createLanes<Outcome>(tools: LaneTools<Outcome>): Lanes<Outcome> {
  let waiting: Waiting<Outcome>[] = [];
  const busy = new Set<string>();
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
      const group = pickGroup(waiting, busy, { sizeMax: groupSizeMax, scanMax });
      if (!isWorthwhile(group, waiting)) return;
      idle.pop();
      const picked = new Set(group);
      waiting = waiting.filter((order) => !picked.has(order));
      void runLane(lane, group);
    }
  }

  async function runLane(lane: PostGroup<Outcome>, picked: readonly Waiting<Outcome>[]): Promise<void> {
    setBusy(picked);
    const claims = tools.claims?.areNeeded() === true ? tools.claims : undefined;
    const claimed = claims === undefined ? alone(picked) : await claim(picked, waiting, claims, tools);
    const { group } = claimed;
    if (group.length < picked.length) {
      setFree(picked);
      setBusy(group);
      const isTaken = new Set(group);
      // To the front: nothing that was left behind before shares a wallet with these.
      waiting = [...picked.filter((order) => !isTaken.has(order)), ...waiting];
    }
    passages.tell(claimed);
    if (group.length === 0) await holdUp(claimed.hasTurn);
    else {
      pause.reset();
      await settle({ post: lane, passedOver: tools.passedOver }, group);
      passages.posted();
    }
    if (claims !== undefined) release(group, claims, tools.onClaimsFailed);
    setFree(group);
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

  function setBusy(group: readonly Waiting<Outcome>[]): void {
    for (const walletId of group.flatMap(sidesOf)) busy.add(walletId);
  }

  function setFree(group: readonly Waiting<Outcome>[]): void {
    for (const walletId of group.flatMap(sidesOf)) busy.delete(walletId);
  }

  return {
    post(order) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      waiting.push({ order, resolve, reject });
      dispatchSoon();
      return promise;
    },
  };
}

interface Claimed<T> {
  readonly group: readonly T[];
  readonly hasTurn: boolean;
  readonly refusedBy: string | undefined;
}

function alone<T>(group: readonly T[]): Claimed<T> {
  return { group, hasTurn: false, refusedBy: undefined };
}

/**
 * Which of the orders this process may post now.
 * @param behind the orders that wait behind them: as long as any was held up for long, this process's turn goes on.
 */
async function claim<T extends Claimant>(
  picked: readonly T[],
  behind: readonly Claimant[],
  claims: SharedClaims,
  tools: Pick<LaneTools<unknown>, 'onClaimsFailed' | 'onHeldUp'>,
): Promise<Claimed<T>> {
  const now = performance.now();
  const turn = isOverdue(behind, now) ? 'goes on' : isOverdue(picked, now) ? 'for these' : 'none';
  try {
    const { isTaken, hasTurn, refusedBy } = await claims.take(
      picked.map(({ order }) => order),
      turn,
    );
    const group = picked.filter((_, index) => isTaken[index]);
    const refused = picked.filter(({ wasRefused }, index) => isTaken[index] !== true && wasRefused !== true);
    for (const claimant of refused) {
      claimant.wasRefused = true;
      claimant.heldUpAt ??= now;
    }
    tools.onHeldUp(refused.map(({ order }) => order));
    if (isWorthwhile(group, picked)) return { group, hasTurn, refusedBy };
    release(group, claims, tools.onClaimsFailed);
    return { group: [], hasTurn, refusedBy };
  } catch (error) {
    // Claims only spare conflicts; without them MongoDB settles who was first.
    tools.onClaimsFailed(error);
    return alone(picked);
  }
}

function isOverdue(claimants: readonly Claimant[], now: number): boolean {
  return claimants.some(({ heldUpAt = now }) => now - heldUpAt > patienceMs);
}

function release(group: readonly Claimant[], claims: SharedClaims, onFailed: (error: unknown) => void): void {
  claims.release([...new Set(group.flatMap(sidesOf))]).catch(onFailed);
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
  let postedAt = performance.now();
  return {
    posted(): void {
      postedAt = performance.now();
    },
    tell({ group, hasTurn, refusedBy }: Claimed<unknown>): void {
      const isLong = performance.now() - postedAt > patienceMs;
      if (group.length > 0 && !hasTurn) onPassage?.({ kind: 'free' });
      if (group.length === 0 && hasTurn && refusedBy !== undefined && isLong) {
        onPassage?.({ kind: 'held up', by: refusedBy });
      }
    },
  };
}

/** Whether a group of some of the candidates should go now, or wait for company. */
function isWorthwhile(group: readonly unknown[], candidates: readonly unknown[]): boolean {
  return group.length >= groupSizeMin || 2 * group.length >= Math.max(1, candidates.length);
}

function sidesOf({ order }: { readonly order: OrderToPost }): string[] {
  return [order.sourceWalletId, order.targetWalletId];
}
