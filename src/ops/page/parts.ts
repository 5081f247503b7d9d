import { numberIn } from '../../domain/order-counts.ts';
import type { Presenter } from '../../orders/present.ts';
import type { Wallet } from '../../domain/wallet.ts';
import type { AuditEvent } from '../../storage/audit.ts';
import type { RecordedOrder } from '../../storage/orders/orders.ts';
import { describeActor, describeSubject } from '../audit-words.ts';
import { html, type Html } from './html.ts';
import { idLink } from './links.ts';
import { table } from './table.ts';
import { time } from './words.ts';

/** Tables that several pages have. */
export function ordersTable(orders: readonly RecordedOrder[], present: Presenter): Html {
  return table<RecordedOrder>({
    id: 'orders',
    columns: {
      order: ({ id }) => idLink('order', id),
      bizId: ({ id, bizId }) => (bizId === id ? '' : html`<code>${bizId}</code>`),
      accepted: ({ createdAt }) => time(createdAt),
      from: ({ sourceWalletId }) => idLink('wallet', sourceWalletId),
      to: ({ targetWalletId }) => idLink('wallet', targetWalletId),
      amount: ({ amount, currency }) => `${present.money(amount, currency)} ${currency}`,
      status: ({ status, failure }) => statusMark(status, failure),
    },
    rows: orders,
    nothing: 'None.',
  });
}

export function walletsTable(wallets: readonly Wallet[], present: Presenter): Html {
  return table<Wallet>({
    id: 'wallets',
    columns: {
      wallet: ({ id }) => idLink('wallet', id),
      name: ({ name }) => name,
      status: ({ status }) => status,
      balance: ({ balance, currency }) => `${present.money(balance, currency)} ${currency}`,
      flows: ({ sequence }) => sequence,
      'failed orders': ({ orders }) => numberIn(orders, 'FAILED'),
    },
    rows: wallets,
    nothing: 'None.',
  });
}

export function eventsTable(events: readonly AuditEvent[]): Html {
  return table<AuditEvent>({
    id: 'events',
    columns: {
      time: ({ createdAt }) => time(createdAt),
      who: describeActor,
      what: ({ action }) => action,
      workspace: ({ workspaceId }) => (workspaceId === null ? '' : idLink('workspace', workspaceId)),
      'of what': describeSubject,
      outcome: ({ outcome }) => outcome,
    },
    rows: events,
    nothing: 'Nothing is in the audit.',
  });
}

export function statusMark(status: string, failure: string | null): Html {
  return html`<b class="status ${status}">${status}</b> ${failure ?? ''}`;
}
