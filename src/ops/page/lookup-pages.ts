import { numberIn } from '../../domain/order-counts.ts';
import type { Presenter } from '../../orders/present.ts';
import type { Flow } from '../../domain/wallet.ts';
import { countedMax, type ShownKey } from '../../storage/lookups.ts';
import { recentSeconds, type PageKind, type View } from '../lookups.ts';
import { html, type Html } from './html.ts';
import { idLink } from './links.ts';
import { eventsTable, ordersTable, walletsTable } from './parts.ts';
import { facts, table } from './table.ts';
import { count, countTo, duration, time } from './words.ts';

/** A wallet with its last flows, and whether they follow from each other. */
export function walletPage({ wallet, newestFlows, checked, events }: View<'wallet'>, present: Presenter): Html {
  const { id, currency } = wallet;
  const money = (amount: Flow['amount']): string => present.money(amount, currency);
  return html`<section>
      <h2>Wallet <code>${id}</code></h2>
      ${facts({
        name: wallet.name,
        status: wallet.kind === 'EXTERNAL' ? 'EXTERNAL: the world outside' : wallet.status,
        balance: `${money(wallet.balance)} ${currency}`,
        workspace: idLink('workspace', wallet.workspaceId),
        flows: count(wallet.sequence),
        'failed orders': count(numberIn(wallet.orders, 'FAILED')),
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
          time: ({ createdAt }) => time(createdAt),
          order: ({ transferId }) => idLink('order', transferId),
          'other side': ({ counterpartyWalletId }) => idLink('wallet', counterpartyWalletId),
          amount: ({ direction, amount }) => `${direction === 'DEBIT' ? '−' : '+'}${money(amount)}`,
          'balance after': ({ balanceAfter }) => money(balanceAfter),
        },
        rows: newestFlows,
        nothing: 'None.',
      })}
    </section>
    ${audit(events)}`;
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

/** A workspace: how many orders wait, how fast they come and end, and its newest orders, wallets and keys. */
export function workspacePage(view: View<'workspace'>, present: Presenter): Html {
  const { workspace, backlog, recent } = view;
  const accepted = recent.PENDING + recent.COMPLETED + recent.FAILED;
  const perSecond = (orders: number): string =>
    `${countTo(orders, accepted >= countedMax)} in the last minute, ${count(orders / recentSeconds)} a second`;
  const oldest = backlog.oldestPendingAt;
  return html`<section>
      <h2>Workspace <code>${workspace.id}</code></h2>
      ${facts({
        name: workspace.name,
        made: time(workspace.createdAt),
        ...(workspace.deletedAt && { deleted: time(workspace.deletedAt) }),
        backlog: `${countTo(backlog.pending, backlog.pending >= countedMax)} orders wait`,
        oldest: oldest === undefined ? 'none waits' : `waits for ${duration(view.at.getTime() - oldest.getTime())}`,
        accepted: perSecond(accepted),
        'of these': `${count(recent.COMPLETED)} completed, ${count(recent.FAILED)} failed, ${count(recent.PENDING)} pending`,
      })}
    </section>
    <section>
      <h2>Its newest orders</h2>
      ${ordersTable(view.orders, present)}
    </section>
    <section>
      <h2>Its wallets</h2>
      ${walletsTable(view.wallets, present)}
    </section>
    <section>
      <h2>Its keys</h2>
      ${table<ShownKey>({
        id: 'keys',
        columns: {
          key: ({ id }) => idLink('key', id),
          owner: ({ ownerId }) => ownerId,
          status: ({ status }) => status,
          scopes: ({ scopes }) => scopes.join(', '),
        },
        rows: view.keys,
        nothing: 'None.',
      })}
    </section>
    ${audit(view.events)}`;
}

/** A key, without its secrets. */
export function keyPage({ key, events }: View<'key'>): Html {
  return html`<section>
      <h2>Key <code>${key.id}</code></h2>
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
    ${audit(events)}`;
}

function audit(events: Parameters<typeof eventsTable>[0]): Html {
  return html`<section>
    <h2>Who did what</h2>
    ${eventsTable(events)}
  </section>`;
}

/** The page that says that there is no such thing. */
export function notFoundPage(kind: PageKind | 'bizId', id: string): Html {
  return html`<section>
    <h2>No such ${kind}</h2>
    <p>There is no ${kind} <code>${id}</code>.</p>
    <p>
      What can be found: an order by its <code>transferId</code> (<code>tr_…</code>) or its bizId, a wallet
      (<code>wa_…</code>), a workspace (<code>ws_…</code>) and a key (<code>ak_…</code>).
    </p>
  </section>`;
}
