import { numberIn } from '../../domain/order-counts.ts';
import type { Flow } from '../../domain/wallet.ts';
import type { Presenter } from '../../orders/present.ts';
import { countedMax } from '../../storage/lookups.ts';
import { recentSeconds, type PageKind, type View } from '../lookups.ts';
import { html, type Html, type Part } from './html.ts';
import { facts, idLink, idTitle, listing, moment, ordersLink, statusMark, table } from './parts.ts';
import { count, countTo, duration, time } from './words.ts';

/** A wallet with its last flows, and whether they follow from each other. */
export function walletPage({ wallet, newestFlows, checked }: View<'wallet'>, present: Presenter): Html {
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
    </section>`;
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

/** A workspace: how many orders wait, how fast they come and end, and the lists of its orders. */
export function workspacePage(view: View<'workspace'>): Html {
  const { id } = view.workspace;
  const ofState = (text: string, status: string): Html => ordersLink(text, { workspace: id, status });
  return html`<section>
      ${idTitle('Workspace', id)} ${facts(factsOf(view))}
      <p class="links">
        ${ordersLink('all orders', { workspace: id })} ${ofState('failed', 'FAILED')} ${ofState('waiting', 'PENDING')}
        ${ofState('set aside', 'SET_ASIDE')}
      </p>
    </section>
    ${listing('Webhooks', view.webhooks, webhooksTable(view.webhooks))}`;
}

/** Only the host of a URL is shown, because paths of receivers may be secret. */
function webhooksTable(webhooks: View<'workspace'>['webhooks']): Html {
  return table<(typeof webhooks)[number]>({
    id: 'webhooks',
    columns: {
      webhook: ({ id }) => html`<code>${id}</code>`,
      receiver: ({ url }) => URL.parse(url)?.host ?? '',
      status: ({ status, disabledReason }) => statusMark(status, disabledReason),
      'events waiting': ({ waiting }) => count(waiting),
      'failures in a row': ({ failures }) => count(failures),
    },
    rows: webhooks,
  });
}

function factsOf({ workspace, backlog, accepted, at }: View<'workspace'>): Readonly<Record<string, Part>> {
  const oldest = backlog.oldestPendingAt;
  return {
    name: workspace.name,
    made: time(workspace.createdAt),
    ...(workspace.deletedAt && { deleted: time(workspace.deletedAt) }),
    backlog: `${countTo(backlog.pending, backlog.pending >= countedMax)} orders wait`,
    oldest: oldest === undefined ? 'none waits' : `waits for ${duration(at.getTime() - oldest.getTime())}`,
    accepted: `${countTo(accepted, accepted >= countedMax)} in the last minute, ${count(accepted / recentSeconds)} a second`,
  };
}

/** The page that says that there is no such thing. */
export function notFoundPage(kind: PageKind | 'bizId', id: string): Html {
  return html`<section>
    <h2>No such ${kind}</h2>
    <p>There is no ${kind} <code>${id}</code>.</p>
    <p>
      What can be found: an order by its <code>transferId</code> (<code>tr_…</code>), its event (<code>ev_…</code>) or
      its bizId; a wallet by its id (<code>wa_…</code>); and a workspace by its id (<code>ws_…</code>), or that of one
      of its webhooks (<code>wh_…</code>) or keys (<code>ak_…</code>).
    </p>
  </section>`;
}
