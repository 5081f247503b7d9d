import type { Presenter } from '../domain/present.ts';
import { hasIdForm, idPrefixes, isExternalWalletId } from '../domain/ids.ts';
import { bizIdForm } from '../domain/order.ts';
import type { Flow, Wallet } from '../domain/wallet.ts';
import type { AuditEvent } from '../storage/audit.ts';
import type { Collections } from '../storage/collections.ts';
import type { RecentOrders, ShownKey, WorkspaceBacklog } from '../storage/lookups.ts';
import type { RecordedOrder } from '../storage/orders.ts';
import type { Workspace } from '../storage/workspaces.ts';
import { checkLastFlows } from '../verify/last-flows.ts';
import type { CheckedFlows } from '../verify/last-flows.ts';
import { followOrder } from './trail.ts';
import type { TrailTools } from './trail.ts';

export interface WalletView {
  readonly wallet: Wallet;
  /** Newest first. */
  readonly flows: readonly Flow[];
  readonly checked: CheckedFlows;
  readonly events: readonly AuditEvent[];
}

export interface WorkspaceView {
  readonly workspace: Workspace;
  readonly backlog: WorkspaceBacklog;
  /** Of the orders accepted in the last {@link recentSeconds}. */
  readonly recent: RecentOrders;
  readonly orders: readonly RecordedOrder[];
  readonly wallets: readonly Wallet[];
  readonly keys: readonly ShownKey[];
  readonly events: readonly AuditEvent[];
}

export interface KeyView {
  readonly key: ShownKey;
  readonly events: readonly AuditEvent[];
}

export type PageKind = 'order' | 'wallet' | 'workspace' | 'key';

/** What a text that was searched for names: one thing, whether it exists or not, or the orders that have it as their bizId. */
export type Found =
  { readonly kind: PageKind; readonly id: string } | { readonly bizId: string; readonly orders: RecordedOrder[] };

export type Lookups = ReturnType<typeof createLookups>;

export const recentSeconds = 60;
const flowsShownMax = 20;
/** More would keep the process that answers the API from its work. */
const flowsCheckedMax = 1_000;
const eventsMax = 20;
const auditPageMax = 100;

/**
 * What the operator can look up: each answer bounded in rows and in time; undefined where there is no such thing. Each rejects
 * where MongoDB is away.
 */
export function createLookups(
  collections: Pick<Collections, 'apiKeys' | 'auditEvents' | 'lookups' | 'wallets' | 'workspaces'>,
  trail: TrailTools,
  present: Presenter,
) {
  const { auditEvents, lookups, wallets, workspaces } = collections;

  async function walletView(wallet: Wallet): Promise<WalletView> {
    const { workspaceId, id, createdAt } = wallet;
    const [flows, events] = await Promise.all([
      lookups.lastFlows(wallet, flowsCheckedMax),
      auditEvents.about(workspaceId, { name: 'walletId', id }, createdAt, eventsMax),
    ]);
    const checked = checkLastFlows(wallet, flows, wallet.sequence <= flowsCheckedMax);
    return { wallet, flows: flows.slice(-flowsShownMax).reverse(), checked, events };
  }

  async function workspaceView(workspace: Workspace): Promise<WorkspaceView> {
    const { id } = workspace;
    const [backlog, recent, orders, ofWorkspace, keys, events] = await Promise.all([
      lookups.backlogOf(id),
      lookups.recentOrders(id, new Date(Date.now() - recentSeconds * 1_000)),
      lookups.newestOrders(id),
      lookups.walletsOf(id),
      lookups.keysOf(id),
      auditEvents.list({ workspaceId: id }, eventsMax),
    ]);
    return { workspace, backlog, recent, orders, wallets: ofWorkspace, keys, events: events.items };
  }

  return {
    present,
    order: (id: string) => followOrder(id, trail),
    async wallet(id: string): Promise<WalletView | undefined> {
      const wallet = await wallets.findAnywhere(id);
      return wallet && walletView(wallet);
    },
    async workspace(id: string): Promise<WorkspaceView | undefined> {
      const workspace = await workspaces.findAny(id);
      return workspace && workspaceView(workspace);
    },
    async key(id: string): Promise<KeyView | undefined> {
      const key = await lookups.key(id);
      if (key === undefined) return undefined;
      return { key, events: await auditEvents.about(key.workspaceId, { name: 'key', id }, key.createdAt, eventsMax) };
    },
    /** The newest events of the audit. */
    events: async () => (await auditEvents.list({}, auditPageMax)).items,
    async search(text: string): Promise<Found> {
      const kind = kindOf(text);
      if (kind !== undefined) return { kind, id: text };
      const orders = bizIdForm.test(text) ? await lookups.ordersByBizId(text) : [];
      const [order] = orders;
      return order !== undefined && orders.length === 1 ? { kind: 'order', id: order.id } : { bizId: text, orders };
    },
  };
}

/** Nothing but an order begins like one; a client's bizId may begin like any of the others, and go on otherwise. */
function kindOf(id: string): PageKind | undefined {
  if (id.startsWith(idPrefixes.order)) return 'order';
  if (hasIdForm('workspace', id)) return 'workspace';
  if (hasIdForm('apiKey', id)) return 'key';
  return hasIdForm('wallet', id) || isExternalWalletId(id) ? 'wallet' : undefined;
}
