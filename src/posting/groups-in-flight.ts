import { batchLimits } from '../batcher.ts';
import type { OrderToPost } from '../domain/order.ts';
import { pickGroup } from './pick-group.ts';
import { createTurns } from './turns.ts';

/** An order that waits for a group, and who is to be told what came of it. */
export interface WaitingOrder<Outcome> {
  readonly order: OrderToPost;
  /** Of all that came, in the order in which they did. */
  readonly place: number;
  /** Aborts where others are to post what is in no group yet. */
  readonly signal: AbortSignal;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Posts a group; answers for each of its orders, by id, or throws what all of them are to be told. */
export type PostGroup<Outcome> = (orders: readonly OrderToPost[]) => Promise<ReadonlyMap<string, Outcome | Error>>;

interface GroupsTools<Outcome> {
  /** One a group in flight, each with a session of its own. */
  readonly posts: readonly PostGroup<Outcome>[];
  /** Workspaces of one group at the most. */
  readonly workspacesMax: number;
  /** What an order is told that its group has no answer for. */
  readonly passedOver: Outcome;
  /** Told when a group has left the line. */
  readonly onDeparture: () => void;
}

export type GroupsInFlight<Outcome> = ReturnType<typeof createGroupsInFlight<Outcome>>;

/**
 * Runs a few groups at once that touch different wallets, so that while MongoDB works on one the next is folded. Where all
 * orders share a wallet, one is in flight and the groups grow: a hot wallet costs no retries. Workspaces take turns. No
 * timers: an order that finds room in flight and free wallets leaves at once.
 */
export function createGroupsInFlight<Outcome>(tools: GroupsTools<Outcome>) {
  const line = createTurns<WaitingOrder<Outcome>>();
  const busy = new Set<string>();
  const idle = [...tools.posts];
  const limits = { sizeMax: batchLimits.sizeMax, workspacesMax: tools.workspacesMax };
  let isDispatchDue = false;

  function dispatchSoon(): void {
    if (isDispatchDue) return;
    isDispatchDue = true;
    // What arrives in one turn of the event loop leaves together.
    setImmediate(dispatch);
  }

  function dispatch(): void {
    isDispatchDue = false;
    for (let post = idle.at(-1); post !== undefined; post = idle.at(-1)) {
      const group = line.take(limits, (waiting, room) => pickGroup(waiting, busy, room));
      if (group.length === 0) return;
      idle.pop();
      void run(post, group);
      tools.onDeparture();
    }
  }

  async function run(post: PostGroup<Outcome>, group: readonly WaitingOrder<Outcome>[]): Promise<void> {
    const walletIds = group.flatMap(({ order }) => [order.sourceWalletId, order.targetWalletId]);
    for (const walletId of walletIds) busy.add(walletId);
    await settle(post, group, tools.passedOver);
    for (const walletId of walletIds) busy.delete(walletId);
    idle.push(post);
    dispatchSoon();
  }

  return {
    add(waiting: WaitingOrder<Outcome>): void {
      line.add(waiting.order.workspaceId, waiting);
      dispatchSoon();
    },
    /** Takes out what is to go, of the orders that are in no group yet. */
    remove: line.remove,
    /** How many orders of a workspace are in no group yet. */
    count: line.count,
  };
}

async function settle<Outcome>(
  post: PostGroup<Outcome>,
  group: readonly WaitingOrder<Outcome>[],
  passedOver: Outcome,
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
