import { expectsFailure, patterns } from '../../../bench/load/patterns.ts';
import { createRandom } from '../../../bench/load/random.ts';
import { createWorld, type World } from '../../../bench/servers/world.ts';
import { currency } from '../../../bench/servers/workspace.ts';
import { Money } from '../../../src/domain/money.ts';
import { newOrder } from '../../../src/orders/order.ts';
import type { RecordedOrder } from '../../../src/storage/orders/documents.ts';
import { within } from '../harness/until.ts';

/** Workspaces with wallets and, once recorded, PENDING orders between them. */
export interface MillionBooks {
  worlds: readonly World[];
  /** Orders that gave the wallets their money; all COMPLETED. */
  fundingOrders: number;
  /** Orders that have to end FAILED, because their source never had money. */
  failing: number;
  close(): Promise<void>;
}

/** The independent checker holds one workspace in memory at a time, so a workspace does not grow with the run. */
const ordersOfWorkspaceMax = 20_000;
const walletsTotal = 1_000;
const walletsOfWorkspaceMin = 20;
/** One wallet in so many has no money. */
const unfundedEvery = 20;
const amountCentsMax = 999;
const groupSize = 500;
const groupsAtOnce = 2;
const groupMaxMs = 30_000;
const pattern = 'unfunded';

export async function openBooks(uri: string, orders: number): Promise<MillionBooks> {
  const workspaces = Math.ceil(orders / ordersOfWorkspaceMax);
  const wallets = Math.max(walletsOfWorkspaceMin, Math.ceil(walletsTotal / workspaces));
  const unfunded = Math.ceil(wallets / unfundedEvery);
  const worlds: World[] = [];
  for (let index = 0; index < workspaces; index += 1) {
    worlds.push(await createWorld(uri, { funded: wallets - unfunded, unfunded }));
    // One connection serves all: the first world's.
    if (index > 0) await worlds[index]?.close();
  }
  let failing = 0;
  for (let index = 0; index < orders; index += 1) {
    if (expectsFailure(pattern, Math.floor(index / workspaces))) failing += 1;
  }
  return {
    worlds,
    failing,
    fundingOrders: worlds.reduce((sum, world) => sum + world.fundingOrders, 0),
    close: async () => worlds[0]?.close(),
  };
}

/** Records PENDING orders, of the workspaces by turns. @returns them by id, in the order of their acceptance. */
export async function recordOrders(
  { worlds }: MillionBooks,
  { orders, seed, signal, onProgress }: RecordOptions,
): Promise<OfWorkspace[]> {
  const sources = worlds.map((world, index) => ordersOf(world, seed + index));
  const first = worlds[0]!;
  const recorded: OfWorkspace[] = [];
  while (recorded.length < orders) {
    signal.throwIfAborted();
    const count = Math.min(groupSize * groupsAtOnce, orders - recorded.length);
    const made = Array.from({ length: count }, (_, index) => sources[(recorded.length + index) % sources.length]!());
    const groups = [made.slice(0, groupSize), made.slice(groupSize)].filter((group) => group.length > 0);
    const inserted = groups.map((group) => first.collections.orders.insertBatch(group));
    const results = await within(Promise.all(inserted), groupMaxMs, 'recording a group of orders');
    if (!results.flat().every(Boolean)) throw new Error('an order was taken for a duplicate');
    for (const { id, workspaceId } of made) recorded.push({ id, workspaceId });
    onProgress(recorded.length);
  }
  return recorded;
}

export type OfWorkspace = Pick<RecordedOrder, 'id' | 'workspaceId'>;

interface RecordOptions {
  orders: number;
  seed: number;
  signal: AbortSignal;
  onProgress: (recorded: number) => void;
}

/** The next order of a workspace, as the web process records it; one in twenty cannot be paid. */
function ordersOf({ workspaceId, walletIds, fundingOrders, keys }: World, seed: number): () => RecordedOrder {
  const random = createRandom(seed);
  const wallets = { funded: fundingOrders, unfunded: walletIds.length - fundingOrders };
  const nextPair = patterns[pattern].create(wallets, random);
  let index = 0;
  return () => {
    const { source, target } = nextPair(index);
    const order = newOrder({
      type: 'TRANSFER',
      workspaceId,
      sourceWalletId: walletIds[source]!,
      targetWalletId: walletIds[target]!,
      amount: new Money(1 + Math.floor(random() * amountCentsMax)).dividedBy(100),
      currency,
    });
    const request = {
      keyId: keys[index % keys.length]!.apiKey,
      timestamp: 1_767_225_600 + index,
      nonce: `nonce-${index}`,
    };
    index += 1;
    return { ...order, request };
  };
}
