import { numberIn } from '../../domain/order-counts.ts';
import type { Wallet } from '../../domain/wallet.ts';
import type { Presenter } from '../../orders/present.ts';
import { queueNameOf } from '../../queue/queue.ts';
import type { AuditEvent } from '../../storage/audit.ts';
import type { RecordedOrder } from '../../storage/orders/documents.ts';
import { describeActor, describeSubject } from '../audited.ts';
import { html, type Html, type Part } from './html.ts';
import { time } from './words.ts';

// What several pages are made of: tables, lists of facts, and links.

/** The content of each column, by the column's name. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Part>>;

interface TableOptions<Row> {
  readonly id: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  /** Names a row, so that a refresh finds it again and keeps what is selected in it. */
  readonly key?: (row: Row) => string;
  /** Shown if there are no rows. */
  readonly nothing?: string;
}

/** A table. On a narrow screen each row is a card, and each cell says its column's name. */
export function table<Row>({ id, columns, rows, key, nothing = 'None.' }: TableOptions<Row>): Html {
  if (rows.length === 0) return html`<p class="nothing" id="${id}">${nothing}</p>`;
  const cells = (row: Row): Html[] =>
    Object.entries(columns).map(([name, cell]) => html`<td data-column="${name}"><span>${cell(row)}</span></td>`);
  return html`<table id="${id}">
    <thead>
      <tr>
        ${Object.keys(columns).map((name) => html`<th>${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) =>
        key === undefined
          ? html`<tr>
              ${cells(row)}
            </tr>`
          : html`<tr id="${id}-${key(row)}">
              ${cells(row)}
            </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A list of facts about one thing, each with its name. */
export function facts(known: Readonly<Record<string, Part>>): Html {
  return html`<dl>
    ${Object.entries(known).map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

export function ordersTable(orders: readonly RecordedOrder[], present: Presenter): Html {
  return table<RecordedOrder>({
    id: 'orders',
    columns: {
      order: ({ id }) => idLink('order', id),
      bizId: ({ id, bizId }) => (bizId === id ? '' : html`<code>${bizId}</code>`),
      type: ({ type }) => type,
      accepted: ({ createdAt }) => time(createdAt),
      from: ({ sourceWalletId }) => idLink('wallet', sourceWalletId),
      to: ({ targetWalletId }) => idLink('wallet', targetWalletId),
      amount: ({ amount, currency }) => `${present.money(amount, currency)} ${currency}`,
      status: ({ status, failure }) => statusMark(status, failure),
    },
    rows: orders,
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

/** A link to the page of what an id names. */
export function idLink(kind: 'order' | 'wallet' | 'workspace' | 'key', id: string): Html {
  return html`<a href="/${kind}?id=${encodeURIComponent(id)}"><code>${id}</code></a>`;
}

/** A link to a partition's queue in the queue dashboard. */
export function queueLink(partition: number, text = String(partition)): Html {
  return html`<a href="/queues/queue/${encodeURIComponent(queueNameOf(partition))}">${text}</a>`;
}

/** A link to the page that asks whether to release an order. */
export function releaseLink(id: string): Html {
  return html`<a href="/release?id=${encodeURIComponent(id)}">release</a>`;
}

export function releaseAllLink(fault?: string): Html {
  return fault === undefined
    ? html`<a href="/release-all">Release all</a>`
    : html`<a href="/release-all?fault=${encodeURIComponent(fault)}">all with this reason</a>`;
}

/** A link to the page that asks whether to pause or resume a partition. */
export function pauseLink(partition: number, isPaused: boolean): Html {
  const verb = isPaused ? 'resume' : 'pause';
  return html`<a href="/${verb}?partition=${partition}">${verb}</a>`;
}
