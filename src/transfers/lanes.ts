import type { OrderToPost } from '../domain/order.ts';
import { alone, claimGroup, releaseGroup } from './claimGroup.ts';
import type { Claimant, ClaimTools, SharedClaims } from './claimGroup.ts';
import { createHeldUpPause } from './heldUpPause.ts';
import { createPassages } from './passages.ts';
import type { Passage } from './passages.ts';
import { createWaitingLine } from './waitingLine.ts';

export interface Lanes<Outcome> {
  /** Posts an order in a group with others that wait; resolves to its own outcome, or rejects with its own error. */
  post(order: OrderToPost): Promise<Outcome>;
  /**
   * While it is on, the orders that wait for a group, the last first, and those that come are told that they are handed
   * back; groups in flight go on. Ends this process's turn.
   */
  setHandingBack(isOn: boolean): void;
}

/** An order's place in the queue. */
interface Waiting<Outcome> extends Claimant {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Posts a group; answers for each of its orders, by id, or throws what all of them are to be told. */
export type PostGroup<Outcome> = (orders: readonly OrderToPost[]) => Promise<ReadonlyMap<string, Outcome | Error>>;

interface LaneTools<Outcome> extends ClaimTools {
  /** One a lane: groups in flight at once never share a wallet. */
  readonly lanes: readonly PostGroup<Outcome>[];
  readonly claims: SharedClaims | undefined;
  readonly onPassage: (passage: Passage) => void;
  /** What an order is told that its group has no answer for. */
  readonly passedOver: Outcome;
  /** What an order is told that others are to post. */
  readonly handedBack: Outcome;
}

/**
 * Runs a few groups at once that touch different wallets, so that while MongoDB works on one the next is folded. Where all
 * orders share a wallet, one lane is busy and the groups grow: a hot wallet costs no retries. No timers: an order that
 * finds a free lane and free wallets leaves at once.
 */
export function createLanes<Outcome>(tools: LaneTools<Outcome>): Lanes<Outcome> {
  const line = createWaitingLine<Waiting<Outcome>>();
  const idle = [...tools.lanes];
  let isDispatchDue = false;
  let isHeldUp = false;
  let isHandingBack = false;
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
    if (isHandingBack) handBack();
    for (let lane = idle.at(-1); lane !== undefined && !isHeldUp; lane = idle.at(-1)) {
      const group = line.leave();
      if (group.length === 0) return;
      idle.pop();
      void runLane(lane, group);
    }
  }

  function handBack(): void {
    for (const { resolve } of line.empty().toReversed()) resolve(tools.handedBack);
  }

  async function runLane(lane: PostGroup<Outcome>, picked: readonly Waiting<Outcome>[]): Promise<void> {
    const claims = tools.claims?.areNeeded() === true ? tools.claims : undefined;
    const claimed = claims === undefined ? alone(picked) : await claimGroup(picked, line.orders(), claims, tools);
    const { group } = claimed;
    line.takeBack(picked, group);
    passages.claimed(claimed, picked);
    if (group.length === 0) await holdUp(claimed.hasTurn);
    else {
      pause.reset();
      passages.begun();
      await settle({ post: lane, passedOver: tools.passedOver }, group);
      passages.ended();
    }
    if (claims !== undefined) releaseGroup(group, claims, tools.onClaimsFailed);
    line.setFree(group);
    idle.push(lane);
    dispatchSoon();
  }

  /** The other lanes would mostly ask for the same orders, those at the front. */
  async function holdUp(hasTurn: boolean): Promise<void> {
    isHeldUp = true;
    const now = performance.now();
    // Those behind wait for the same wallets, and their patience is the same.
    for (const claimant of line.orders()) claimant.heldUpAt ??= now;
    await pause.next(hasTurn);
    isHeldUp = false;
  }

  return {
    post(order) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      line.join({ order, resolve, reject });
      dispatchSoon();
      return promise;
    },
    setHandingBack(isOn) {
      isHandingBack = isOn;
      if (!isOn) return;
      passages.forget();
      pause.reset();
      dispatchSoon();
      tools.claims?.take([], 'none').catch(tools.onClaimsFailed);
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
