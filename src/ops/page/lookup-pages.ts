import { numberIn } from '../../domain/order-counts.ts';
import type { Flow } from '../../domain/wallet.ts';
import type { Presenter } from '../../orders/present.ts';
import type { RecordedOrder } from '../../storage/orders/documents.ts';
import { countedMax, type ShownKey } from '../../storage/lookups.ts';
import { recentSeconds, type PageKind, type View } from '../lookups.ts';
import type { Trail, TrailStep } from '../trail.ts';
import { html, type Html } from './html.ts';
import {
  eventsTable,
  facts,
  idLink,
  idTitle,
  moment,
  ordersTable,
  releaseLink,
  statusMark,
  table,
  walletsTable,
} from './parts.ts';
import { count, countTo, duration, time } from './words.ts';

/** One order: its values, its way from acceptance to its end, and what operators did about it. */
export function orderPage({ order, steps, jobs, areJobsKnown }: Trail, present: Presenter, canAct: boolean): Html {
  const { id, amount, currency, status, failure, parentId, description, reference, postedBy, request } = order;
  const { hold, reversedAmount } = present.order(order);
  return html`<section>
      ${idTitle('Order', id)}
      ${facts({
        status: html`${statusMark(status, failure)} ${canAct && order.stuckSince instanceof Date ? releaseLink(id) : ''}`,
        type: order.type,
        amount: `${present.money(amount, currency)} ${currency}`,
        ...(parentId !== undefined && { 'refers to': idLink('order', parentId) }),
        ...(reversedAmount !== null && reversedAmount !== present.money('0', currency) && { reversed: reversedAmount }),
        ...(hold?.state && {
          hold: `${hold.state}: ${hold.captured} captured, ${hold.released} released, ${hold.remaining} remains`,
        }),
        ...(order.executeAt && { 'to be posted': time(order.executeAt) }),
        ...(order.expiresAt && { expires: time(order.expiresAt) }),
        ...(description !== undefined && { description }),
        ...(reference !== undefined && { reference }),
        from: idLink('wallet', order.sourceWalletId),
        to: idLink('wallet', order.targetWalletId),
        workspace: idLink('workspace', order.workspaceId),
        bizId: html`<code>${order.bizId}</code>`,
        'made by': request === undefined ? 'an operator' : idLink('key', request.keyId),
        worker: postedBy === undefined ? 'none yet' : html`<code>${postedBy.worker}</code>`,
        attempts: postedBy?.attempts ?? order.fault?.attempts ?? 0,
      })}
    </section>
    <section>
      <h2>Its way</h2>
      ${trailTable(steps, order.createdAt)}
      <p class="nothing">${jobs.length > 0 ? html`Jobs: ${jobs.map(jobLink)}` : jobsMissing(areJobsKnown)}</p>
    </section>`;
}

function trailTable(steps: readonly TrailStep[], begunAt: Date): Html {
  return table<TrailStep>({
    id: 'trail',
    columns: {
      time: ({ at }) => time(at),
      after: ({ at }) => `+${duration(Math.max(0, at.getTime() - begunAt.getTime()))}`,
      what: ({ what }) => what,
    },
    rows: steps,
    nothing: 'Nothing is known.',
  });
}

export function jobLink({ id, queue }: Trail['jobs'][number]): Html {
  return html`<a href="/queues/queue/${encodeURIComponent(queue)}/${encodeURIComponent(id)}">${id}</a> `;
}

function jobsMissing(areJobsKnown: boolean): string {
  if (!areJobsKnown) return 'Redis does not answer: its jobs are not known.';
  return 'None of its jobs is kept any more: newer ones have pushed them out, or Redis was emptied.';
}

/** A wallet with its last flows, and whether they follow from each other. */
export function walletPage({ wallet, newestFlows, checked, events }: View<'wallet'>, present: Presenter): Html {
  const { id, currency } = wallet;
  const money = (amount: Flow['amount']): string => present.money(amount, currency);
  const shown = present.wallet(wallet);
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
    ${audit(events)}`;
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

/** A workspace: how many orders wait, how fast they come and end, and its newest orders, wallets and keys. */
export function workspacePage(view: View<'workspace'>, present: Presenter): Html {
  const { workspace, backlog, recent, scheduled } = view;
  const accepted = Object.values(recent).reduce((sum, number) => sum + number, 0);
  const perSecond = (orders: number): string =>
    `${countTo(orders, accepted >= countedMax)} in the last minute, ${count(orders / recentSeconds)} a second`;
  const oldest = backlog.oldestPendingAt;
  return html`<section>
      ${idTitle('Workspace', workspace.id)}
      ${facts({
        name: workspace.name,
        made: time(workspace.createdAt),
        ...(workspace.deletedAt && { deleted: time(workspace.deletedAt) }),
        backlog: `${countTo(backlog.pending, backlog.pending >= countedMax)} orders wait`,
        oldest: oldest === undefined ? 'none waits' : `waits for ${duration(view.at.getTime() - oldest.getTime())}`,
        scheduled: `${countTo(scheduled.count, scheduled.count >= countedMax)} orders wait for their time`,
        accepted: perSecond(accepted),
        'of these': `${count(recent.COMPLETED)} completed, ${count(recent.FAILED)} failed, ${count(recent.PENDING)} pending`,
      })}
    </section>
    <section>
      <h2>Its newest orders</h2>
      ${ordersTable(view.orders, present, view)}
    </section>
    <section>
      <h2>Scheduled orders that come next</h2>
      ${scheduledTable(scheduled.next, view.at, present)}
    </section>
    <section>
      <h2>Holds that expire next</h2>
      ${holdsTable(view.expiring, view.at, present)}
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
          status: ({ status }) => statusMark(status, null),
          scopes: ({ scopes }) => scopes.join(', '),
        },
        rows: view.keys,
      })}
    </section>
    ${audit(view.events)}`;
}

function holdsTable(holds: View<'workspace'>['expiring'], now: Date, present: Presenter): Html {
  return table<RecordedOrder>({
    id: 'holds',
    columns: {
      hold: ({ id }) => idLink('order', id),
      wallet: ({ sourceWalletId }) => idLink('wallet', sourceWalletId),
      remains: (order) => `${present.order(order).hold?.remaining ?? ''} ${order.currency}`,
      expires: ({ expiresAt = now }) => time(expiresAt),
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
      time: ({ executeAt = now }) => time(executeAt),
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
    ${audit(events)}`;
}

function audit(events: Parameters<typeof eventsTable>[0]): Html {
  return html`<section>
    <h2>Who did what</h2>
    ${eventsTable(events)}
  </section>`;
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
