import { isTestWorkspace } from '../../domain/ids.ts';
import type { Presenter } from '../../orders/present.ts';
import { legsOf, type Order } from '../../orders/order.ts';
import { html, type Html, type Part } from './html.ts';
import { duration, time } from './words.ts';

// What several pages are made of: tables, lists of facts, and links.

/** How many characters of a short id are seen: the prefix, and the end, in which ids of one moment differ. */
const [idHead, idTail] = [3, 6];
/** Of what has a page, or is shown on that of its workspace. */
const idInText = /\b((?:tr|wa|ex|ws|ts|wh|ak|ak_test)_[0-9A-Z]{26,})\b/;

/** The content of each column, by the column's name. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Part>>;

interface TableOptions<Row> {
  readonly id: string;
  readonly columns: Columns<Row>;
  readonly rows: readonly Row[];
  /** Shown if there are no rows. */
  readonly nothing?: string;
}

/** A table. One that is wider than the window scrolls by itself, by keyboard too. */
export function table<Row>({ id, columns, rows, nothing = 'None.' }: TableOptions<Row>): Html {
  if (rows.length === 0) return html`<p class="nothing" id="${id}">${nothing}</p>`;
  const cells = (row: Row): Html[] =>
    Object.entries(columns).map(([name, cell]) => html`<td data-column="${name}">${cell(row)}</td>`);
  return html`<div class="wide" tabindex="0">
    <table id="${id}">
      <thead>
        <tr>
          ${Object.keys(columns).map((name) => html`<th>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cells(row)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A part of a page, under its title. */
export function section(title: string, body: Part): Html {
  return html`<section>
    <h2>${title}</h2>
    ${body}
  </section>`;
}

/** A list of facts about one thing, each with its name. */
export function facts(values: Readonly<Record<string, Part>>): Html {
  return html`<dl>
    ${Object.entries(values).map(
      ([name, value]) =>
        html`<dt>${name}</dt>
          <dd>${value}</dd>`,
    )}
  </dl>`;
}

/** @param isOfAll whether the orders are of several workspaces. */
export function ordersTable(
  orders: readonly Order[],
  present: Presenter,
  { at, isOfAll = false }: { readonly at: Date; readonly isOfAll?: boolean },
): Html {
  return table<Order>({
    id: 'orders',
    columns: {
      order: ({ id }) => idLink(id),
      type: ({ type }) => type,
      status: orderMark,
      amount: (order) => movedBy(order, present),
      accepted: ({ createdAt }) => moment(createdAt),
      duration: (order) => timeTaken(order, at),
      from: (order) => sideOf(order, 'sourceWalletId'),
      to: (order) => sideOf(order, 'targetWalletId'),
      ...(isOfAll && { workspace: ({ workspaceId }: Order) => workspaceLink(workspaceId) }),
      bizId: ({ id, bizId }) => (bizId === id ? '' : html`<code>${bizId}</code>`),
    },
    rows: orders,
    nothing: 'No orders.',
  });
}

/** What an order moves in all; how many legs it has, if they have no sum. */
function movedBy({ amount, currency, legs = [] }: Order, present: Presenter): string {
  if (amount !== undefined && currency !== undefined) return `${present.money(amount, currency)} ${currency}`;
  return `${legs.length} ${legs.length === 1 ? 'leg' : 'legs'}`;
}

/** The wallet on one side of all legs of an order; how many there are, if they differ. */
function sideOf(order: Order, side: 'sourceWalletId' | 'targetWalletId'): Part {
  const [walletId = '', ...others] = new Set(legsOf(order).map((leg) => leg[side]));
  return others.length === 0 ? idLink(walletId) : `${others.length + 1} wallets`;
}

/** An order's state, and why it failed or cannot be posted. */
export function orderMark({ status, failure, stuckSince, fault }: Order): Html {
  if (stuckSince instanceof Date) return statusMark('SET_ASIDE', fault?.reason ?? null);
  return statusMark(status, failure ?? (status === 'PENDING' ? (fault?.reason ?? null) : null));
}

/** How long an order took or waits, from when it could be posted. */
function timeTaken(order: Order, at: Date): string {
  const { workspaceId, status, createdAt, executeAt = createdAt, updatedAt, completedAt } = order;
  const hasOwnTime = isTestWorkspace(workspaceId);
  if (status === 'SCHEDULED' && !hasOwnTime)
    return `starts in ${duration(Math.max(0, executeAt.getTime() - at.getTime()))}`;
  const from = Math.max(createdAt.getTime(), executeAt.getTime());
  const endedAt = completedAt ?? (status === 'FAILED' ? updatedAt : null);
  if (endedAt !== null) return duration(Math.max(0, endedAt.getTime() - from));
  return status === 'PENDING' && !hasOwnTime ? `waits ${duration(Math.max(0, at.getTime() - from))}` : '';
}

/** A state, and beside it the reason of a failure. */
export function statusMark(status: string, failure: string | null): Html {
  const reason = failure === null ? '' : html` <small class="reason">${failure}</small>`;
  return html`<b class="status ${status}">${status}</b>${reason}`;
}

/** A moment to the second, in UTC; its title has the milliseconds. */
export function moment(at: Date): Html {
  const [day = '', clock = ''] = at.toISOString().split('T');
  return html`<time datetime="${at.toISOString()}" title="${time(at)}">${day} ${clock.slice(0, 8)}</time>`;
}

/** A link to the page of what an id names; the search knows which that is. */
export function idLink(id: string): Html {
  return html`<a href="/search?id=${encodeURIComponent(id)}">${shortId(id)}</a>`;
}

/** The same of a workspace, and whether it is a test workspace. */
export function workspaceLink(id: string): Html {
  return html`${idLink(id)}${isTestWorkspace(id) ? ' (test)' : ''}`;
}

/** A link to the list of orders, with these fields of its form; see orders-page.ts. */
export function ordersLink(text: string, fields: Readonly<Record<string, string>>): Html {
  const query = new URLSearchParams(fields).toString();
  return html`<a href="/orders${query === '' ? '' : `?${query}`}">${text}</a> `;
}

/** A text in which each id is a link. */
export function withLinks(text: string): Html {
  // Every second part is what the expression holds in brackets: an id.
  return html`${text.split(idInText).map((part, index) => (index % 2 === 0 ? html`${part}` : idLink(part)))}`;
}

/** An id of which only the ends are seen. All of it is there, for whoever copies it, looks for it in the page, or hears it read. */
export function shortId(id: string): Html {
  const tail = Math.max(idHead, id.length - idTail);
  const middle = id.slice(idHead, tail);
  if (middle.length <= 1) return html`<code>${id}</code>`;
  return html`<code class="id" title="${id}">${id.slice(0, idHead)}<i>${middle}</i>${id.slice(tail)}</code>`;
}

/** The title of a page about one thing, with its id in full. */
export function idTitle(kind: string, id: string): Html {
  return html`<h2>${kind} <code>${id}</code></h2>`;
}
