import type { Clock } from '../clock.ts';
import { orderIdOf } from '../domain/webhook.ts';
import { hasIdForm, idPrefixes, isExternalWalletId } from '../domain/ids.ts';
import { bizIdForm } from '../orders/order.ts';
import type { Collections } from '../storage/collections.ts';
import { countedMax } from '../storage/lookups.ts';
import { operatorMaxMs } from '../storage/shared/commands.ts';
import type { RecordedOrder } from '../storage/orders/documents.ts';
import { checkLastFlows } from '../verify/chain.ts';
import type { AskedOrders } from './order-search.ts';
import { followOrder } from './trail.ts';

export type PageKind = 'order' | 'wallet' | 'workspace';

/** What a searched text names: one thing, whether it exists or not; or the orders that clients call so. */
export type Found =
  | { readonly kind: PageKind; readonly id: string }
  | { readonly bizId: string; readonly orders: readonly RecordedOrder[]; readonly at: Date };

type LookedUp = Pick<
  Collections,
  'apiKeys' | 'auditEvents' | 'backlog' | 'lookups' | 'orderSearch' | 'wallets' | 'webhookEndpoints' | 'workspaces'
>;

export type Lookups = ReturnType<typeof createLookups>;
/** What is shown of one thing. */
export type View<Kind extends PageKind> = NonNullable<Awaited<ReturnType<Lookups[Kind]>>>;

export const recentSeconds = 60;
const flowsShownMax = 20;
/** Checking more would keep the process, which answers the API too, from its work. */
const flowsCheckedMax = 1_000;

/**
 * What the operator can look up. Each answer is bounded in rows and in time, and undefined if there is no such thing. Each
 * rejects if MongoDB is away.
 */
export function createLookups(collections: LookedUp, clock: Clock) {
  const { apiKeys, backlog, lookups, orderSearch, wallets, webhookEndpoints, workspaces } = collections;

  /** What has no page of its own is shown on that of its workspace, or of its order. */
  async function findById(id: string): Promise<{ readonly kind: PageKind; readonly id: string } | undefined> {
    const kind = kindOf(id);
    if (kind !== undefined) return { kind, id };
    if (hasIdForm('webhookEvent', id)) return { kind: 'order', id: orderIdOf(id) };
    const owned = hasIdForm('webhook', id)
      ? await webhookEndpoints.findAnywhere(id)
      : hasIdForm('apiKey', id)
        ? await apiKeys.find(id)
        : undefined;
    return owned && { kind: 'workspace', id: owned.workspaceId };
  }

  return {
    async order(id: string) {
      const trail = await followOrder(id, collections);
      return trail && { ...trail, at: clock() };
    },
    async wallet(id: string) {
      const wallet = await wallets.findAnywhere(id);
      if (wallet === undefined) return undefined;
      const flows = await lookups.lastFlows(wallet, flowsCheckedMax);
      const checked = checkLastFlows(wallet, flows, wallet.sequence <= flowsCheckedMax);
      return { wallet, newestFlows: flows.slice(-flowsShownMax).reverse(), checked };
    },
    async workspace(id: string) {
      const workspace = await workspaces.findAny(id);
      if (workspace === undefined) return undefined;
      const at = clock();
      const [pending, oldestPendingAt, accepted, webhooks] = await Promise.all([
        backlog.countOf(id, countedMax),
        backlog.oldestOf(id),
        lookups.accepted(id, new Date(at.getTime() - recentSeconds * 1_000)),
        webhookEndpoints.list(id, { maxTimeMS: operatorMaxMs }),
      ]);
      return { at, workspace, backlog: { pending, oldestPendingAt }, accepted, webhooks };
    },
    /** A page of orders, newest first; none if something is wrong with what was asked. */
    async orders({ search, below, wrong }: AskedOrders) {
      const at = clock();
      return { at, found: wrong.length > 0 ? undefined : await orderSearch.page(search, below) };
    },
    async search(text: string): Promise<Found> {
      const byId = await findById(text);
      if (byId !== undefined) return byId;
      const orders = bizIdForm.test(text) ? await lookups.ordersByBizId(text) : [];
      const [first, ...more] = orders;
      return first !== undefined && more.length === 0
        ? { kind: 'order', id: first.id }
        : { bizId: text, orders, at: clock() };
    },
  };
}

/** No bizId begins like an order's id. One may begin like any other id, so those are recognised by their whole form. */
function kindOf(id: string): PageKind | undefined {
  if (id.startsWith(idPrefixes.order)) return 'order';
  if (hasIdForm('workspace', id)) return 'workspace';
  return hasIdForm('wallet', id) || isExternalWalletId(id) ? 'wallet' : undefined;
}
