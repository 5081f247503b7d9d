import { numberIn } from '../../domain/order-counts.ts';
import type { Flow } from '../../domain/wallet.ts';
import type { Presenter } from '../../orders/present.ts';
import type { RecordedOrder } from '../../storage/orders/documents.ts';
import { countedMax, type ShownKey } from '../../storage/lookups.ts';
import { recentSeconds, type Lookups, type PageKind, type View } from '../lookups.ts';
import { html, type Html, type Part } from './html.ts';
import {
  eventsTable,
  facts,
  folded,
  idLink,
  idTitle,
  moment,
  ordersLink,
  ordersTable,
  section,
  statusMark,
  table,
  walletsTable,
} from './parts.ts';
import { count, countTo, duration, time } from './words.ts';

/** A wallet with its last flows, and whether they follow from each other. */
export function walletPage({ wallet, newestFlows, checked, events }: View<'wallet'>, present: Presenter): Html {
  const { id, currency } = wallet;
  const money = (amount: Flow['amount']): string => present.money(amount, currency);
  const shown = present.wallet(wallet);
  const ordersOf = { workspace: wallet.workspaceId, wallet: id };
  return html`<section>
      ${idTitle('Wallet', id)}
      ${facts({
        name: wallet.name,
        ...(wallet.reference !== undefined && { reference: html`<code>${wallet.reference}</code>` }),
        ...(wallet.metadata !== undefined && { metadata: noted(wallet.metadata) }),
        status: wallet.kind === 'EXTERNAL' ? 'EXTERNAL: the world outside' : wallet.status,
        balance: `${shown.balance} ${currency}`,
        held: `${shown.held} ${currency}`,
        'credit limit': `${shown.creditLimit} ${currency}`,
        available: `${shown.available} ${currency}`,
        workspace: idLink('workspace', wallet.workspaceId),
        flows: count(wallet.sequence),
        'failed orders': count(numberIn(wallet.orders, 'FAILED')),
        orders: html`${ordersLink('all', ordersOf)} ${ordersLink('failed', { ...ordersOf, status: 'FAILED' })}
        ${ordersLink('waiting', { ...ordersOf, status: 'PENDING' })}`,
        made: time(wallet.createdAt),
        chain: chainMark(checked),
      })}
    </section>
    <section>
      <h2>Its last flows</h2>
      ${table<Flow>({
        id: 'flows',
        columns: {
          number: ({ sequence }) => sequence,
          time: ({ createdAt }) => moment(createdAt),
          order: ({ transferId }) => idLink('order', transferId),
          'other side': ({ counterpartyWalletId }) => idLink('wallet', counterpartyWalletId),
          amount: ({ direction, amount }) => `${direction === 'DEBIT' ? '−' : '+'}${money(amount)}`,
          'balance after': ({ balanceAfter }) => money(balanceAfter),
        },
        rows: newestFlows,
      })}
    </section>
    ${section('Who did what', eventsTable(events))}`;
}

function noted(metadata: Readonly<Record<string, string>>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}

function chainMark({ count: checked, areAll, breaches }: View<'wallet'>['checked']): Html {
  const flows = areAll ? `all ${count(checked)} flows` : `the last ${count(checked)} flows`;
  if (breaches.length === 0) return html`<b class="status COMPLETED">verifies</b>, ${flows}`;
  const list = breaches
    .slice(0, 10)
    .map(({ kind, id, message }) => html`<li>${kind} <code>${id}</code>: ${message}</li>`);
  return html`<b class="status FAILED">does not verify</b>: of ${flows}, ${count(breaches.length)} breaches
    <ul>
      ${list}
    </ul>`;
}

/** A workspace: how many orders wait, how fast they come and end, its newest orders and wallets, and the rest folded. */
export function workspacePage(view: View<'workspace'>, present: Presenter): Html {
  const { workspace, scheduled, expiring, keys, events, at } = view;
  const { id } = workspace;
  const ofState = (text: string, status: string): Html => ordersLink(text, { workspace: id, status });
  return html`<section>${idTitle('Workspace', id)} ${facts(factsOf(view))}</section>
    <section>
      <h2>Its newest orders</h2>
      ${ordersTable(view.orders, present, view)}
      <p class="links">
        ${ordersLink('all', { workspace: id })} ${ofState('failed', 'FAILED')} ${ofState('waiting', 'PENDING')}
        ${ordersLink('slowest now', { workspace: id, order: 'slowest' })} ${ofState('set aside', 'SET_ASIDE')}
        ${ofState('scheduled', 'SCHEDULED')} ${ordersLink('holds', { workspace: id, type: 'HOLD' })}
      </p>
    </section>
    <section>
      <h2>Its newest wallets</h2>
      ${walletsTable(view.wallets, present)}
      <p class="links"><a href="/wallets?workspace=${encodeURIComponent(id)}">all</a></p>
    </section>
    ${scheduled.next.length === 0 ? '' : folded('Scheduled orders that come next', scheduledTable(scheduled.next, at, present))}
    ${expiring.length === 0 ? '' : folded('Holds that expire next', holdsTable(expiring, at, present))}
    ${folded('Its keys', keysTable(keys))} ${folded('Who did what', eventsTable(events))}`;
}

function factsOf({ workspace, backlog, recent, scheduled, at }: View<'workspace'>): Readonly<Record<string, Part>> {
  const accepted = Object.values(recent).reduce((sum, number) => sum + number, 0);
  const oldest = backlog.oldestPendingAt;
  return {
    name: workspace.name,
    made: time(workspace.createdAt),
    ...(workspace.deletedAt && { deleted: time(workspace.deletedAt) }),
    backlog: `${countTo(backlog.pending, backlog.pending >= countedMax)} orders wait`,
    oldest: oldest === undefined ? 'none waits' : `waits for ${duration(at.getTime() - oldest.getTime())}`,
    scheduled: `${countTo(scheduled.count, scheduled.count >= countedMax)} orders wait for their time`,
    accepted: `${countTo(accepted, accepted >= countedMax)} in the last minute, ${count(accepted / recentSeconds)} a second`,
    'of these': `${count(recent.COMPLETED)} completed, ${count(recent.FAILED)} failed, ${count(recent.PENDING)} pending`,
  };
}

function keysTable(keys: readonly ShownKey[]): Html {
  return table<ShownKey>({
    id: 'keys',
    columns: {
      key: ({ id }) => idLink('key', id),
      owner: ({ ownerId }) => ownerId,
      status: ({ status }) => statusMark(status, null),
      scopes: ({ scopes }) => scopes.join(', '),
    },
    rows: keys,
  });
}

/** A page of a workspace's wallets. */
export function walletsPage(
  workspaceId: string,
  { wallets, hasMore }: Awaited<ReturnType<Lookups['wallets']>>,
  present: Presenter,
): Html {
  const last = wallets.at(-1)?.id;
  const query = new URLSearchParams({ workspace: workspaceId, below: last ?? '' }).toString();
  return html`<section>
    <h2>Wallets of ${idLink('workspace', workspaceId)}, newest first</h2>
    ${walletsTable(wallets, present)}
    <p class="links">${hasMore ? html`<a href="/wallets?${query}">older</a>` : ''}</p>
  </section>`;
}

function holdsTable(holds: View<'workspace'>['expiring'], now: Date, present: Presenter): Html {
  return table<RecordedOrder>({
    id: 'holds',
    columns: {
      hold: ({ id }) => idLink('order', id),
      wallet: ({ sourceWalletId }) => idLink('wallet', sourceWalletId),
      remains: (order) => `${present.order(order).hold?.remaining ?? ''} ${order.currency}`,
      expires: ({ expiresAt = now }) => moment(expiresAt),
      in: ({ expiresAt = now }) =>
        expiresAt > now
          ? duration(expiresAt.getTime() - now.getTime())
          : 'expired: it is released once no order that refers to it waits',
    },
    rows: holds,
  });
}

function scheduledTable(orders: View<'workspace'>['scheduled']['next'], now: Date, present: Presenter): Html {
  return table<RecordedOrder>({
    id: 'scheduled',
    columns: {
      order: ({ id }) => idLink('order', id),
      from: ({ sourceWalletId }) => idLink('wallet', sourceWalletId),
      to: ({ targetWalletId }) => idLink('wallet', targetWalletId),
      amount: ({ amount, currency }) => `${present.money(amount, currency)} ${currency}`,
      time: ({ executeAt = now }) => moment(executeAt),
      in: ({ executeAt = now }) =>
        executeAt > now ? duration(executeAt.getTime() - now.getTime()) : 'its time has come: a worker starts it',
    },
    rows: orders,
  });
}

/** A key, without its secrets. */
export function keyPage({ key, events }: View<'key'>): Html {
  return html`<section>
      ${idTitle('Key', key.id)}
      ${facts({
        status: key.status,
        workspace: idLink('workspace', key.workspaceId),
        owner: key.ownerId,
        scopes: key.scopes.join(', '),
        addresses: key.ipWhitelist.length === 0 ? 'any' : key.ipWhitelist.join(', '),
        made: time(key.createdAt),
        changed: time(key.updatedAt),
      })}
    </section>
    ${section('Who did what', eventsTable(events))}`;
}

/** The page that says that there is no such thing. */
export function notFoundPage(kind: PageKind | 'bizId or reference' | 'process' | 'partition', id: string): Html {
  return html`<section>
    <h2>No such ${kind}</h2>
    <p>There is no ${kind} <code>${id}</code>.</p>
    <p>
      What can be found: an order by its <code>transferId</code> (<code>tr_…</code>) or its bizId, a wallet by its id
      (<code>wa_…</code>) or its reference, a workspace (<code>ws_…</code>) and a key (<code>ak_…</code>).
    </p>
  </section>`;
}
