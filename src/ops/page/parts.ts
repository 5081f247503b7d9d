import type { Presenter } from '../../domain/present.ts';
import type { Wallet } from '../../domain/wallet.ts';
import type { AuditEvent } from '../../storage/audit.ts';
import type { RecordedOrder } from '../../storage/orders.ts';
import { describeActor, describeSubject } from '../audit-words.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { idLink } from './links.ts';
import { table } from './table.ts';
import { time } from './words.ts';

/** Tables that several pages have. */
export function ordersTable(orders: readonly RecordedOrder[], present: Presenter): Html {
  return table<RecordedOrder>({
    id: 'orders',
    columns: [
      { name: 'order', cell: ({ id }) => idLink('order', id) },
      { name: 'bizId', cell: ({ id, bizId }) => (bizId === id ? '' : html`<code>${bizId}</code>`) },
      { name: 'accepted', cell: ({ createdAt }) => time(createdAt) },
      { name: 'from', cell: ({ sourceWalletId }) => idLink('wallet', sourceWalletId) },
      { name: 'to', cell: ({ targetWalletId }) => idLink('wallet', targetWalletId) },
      { name: 'amount', cell: ({ amount, currency }) => `${present.money(amount, currency)} ${currency}` },
      { name: 'status', cell: ({ status, failure }) => statusMark(status, failure) },
    ],
    rows: orders,
    nothing: 'None.',
  });
}

export function walletsTable(wallets: readonly Wallet[], present: Presenter): Html {
  return table<Wallet>({
    id: 'wallets',
    columns: [
      { name: 'wallet', cell: ({ id }) => idLink('wallet', id) },
      { name: 'name', cell: ({ name }) => name },
      { name: 'status', cell: ({ status }) => status },
      { name: 'balance', cell: ({ balance, currency }) => `${present.money(balance, currency)} ${currency}` },
      { name: 'flows', cell: ({ sequence }) => sequence },
      { name: 'failed orders', cell: ({ failedOrders }) => failedOrders },
    ],
    rows: wallets,
    nothing: 'None.',
  });
}

export function eventsTable(events: readonly AuditEvent[]): Html {
  return table<AuditEvent>({
    id: 'events',
    columns: [
      { name: 'time', cell: ({ createdAt }) => time(createdAt) },
      { name: 'who', cell: describeActor },
      { name: 'what', cell: ({ action }) => action },
      {
        name: 'workspace',
        cell: ({ workspaceId }) => (workspaceId === null ? '' : idLink('workspace', workspaceId)),
      },
      { name: 'of what', cell: describeSubject },
      { name: 'outcome', cell: ({ outcome }) => outcome },
    ],
    rows: events,
    nothing: 'Nothing is in the audit.',
  });
}

export function statusMark(status: string, failure: string | null): Html {
  return html`<b class="status ${status}">${status}</b> ${failure ?? ''}`;
}
