import pLimit from 'p-limit';
import { bucketOf } from '../../src/domain/bucket.ts';
import { Money } from '../../src/domain/money.ts';
import { newOrder, type Order } from '../../src/orders/order.ts';
import { patterns } from '../load/patterns.ts';
import { createRandom } from '../load/random.ts';
import type { Servers } from '../servers/servers.ts';
import { openStage, type Stage } from '../servers/stage.ts';
import { createWorkspace, currency, type Workspace } from '../servers/workspace.ts';

/** A stage with many workspaces, all with money. */
export interface ManyBooks {
  readonly stage: Stage;
  readonly workspaces: readonly Workspace[];
}

export interface Backlog {
  /** PENDING orders, of the workspaces by turns. */
  readonly orders: readonly Order[];
  readonly bucketOf: ReadonlyMap<Order['id'], number>;
}

interface BacklogOptions {
  readonly count: number;
  /** How many percent of a workspace's orders go to one wallet of it. */
  readonly hotPercent: number;
  readonly seed: number;
}

const workspacesAtOnce = 8;
const amountCentsMax = 999;

export async function openManyBooks(servers: Servers, workspaces: number, wallets: number): Promise<ManyBooks> {
  const counts = { funded: wallets, unfunded: 0 };
  const stage = await openStage(servers, counts);
  try {
    const more = await pLimit(workspacesAtOnce).map(Array.from({ length: workspaces - 1 }), () =>
      createWorkspace(stage.world, counts, 0),
    );
    return { stage, workspaces: [stage.world, ...more] };
  } catch (error) {
    await stage.close();
    throw error;
  }
}

/** Orders that a measurement has to find COMPLETED besides its own and those of the stage's first workspace. */
export function furtherFunding({ stage, workspaces }: ManyBooks): number {
  return workspaces.reduce((sum, { fundingOrders }) => sum + fundingOrders, -stage.world.fundingOrders);
}

/** Makes orders between the wallets of each workspace; nothing is recorded yet. */
export function makeBacklog({ workspaces }: ManyBooks, { count, hotPercent, seed }: BacklogOptions): Backlog {
  const random = createRandom(seed);
  const next = workspaces.map((workspace) => ordersOf(workspace, hotPercent, random));
  const orders = Array.from({ length: count }, (_, index) => next[index % next.length]?.()).filter(
    (order) => order !== undefined,
  );
  return {
    orders,
    bucketOf: new Map(orders.map(({ id, workspaceId }) => [id, bucketOf(workspaceId)])),
  };
}

function ordersOf({ workspaceId, walletIds }: Workspace, hotPercent: number, random: () => number) {
  const counts = { funded: walletIds.length, unfunded: 0 };
  const [uniform, hot] = [patterns.uniform.create(counts, random), patterns['hot-target'].create(counts, random)];
  let made = 0;
  return (): Order => {
    made += 1;
    const isHot = Math.floor((made * hotPercent) / 100) > Math.floor(((made - 1) * hotPercent) / 100);
    const { source, target } = isHot ? hot(made) : uniform(made);
    return newOrder({
      type: 'TRANSFER',
      workspaceId,
      sourceWalletId: walletIds[source] ?? '',
      targetWalletId: walletIds[target] ?? '',
      amount: new Money(1 + Math.floor(random() * amountCentsMax)).dividedBy(100).toFixed(),
      currency,
    });
  };
}
