import { timeOfId } from '../../domain/ids.ts';
import type { Presenter } from '../../orders/present.ts';
import { ordersLookedMax, searchedStates, waitingLookedMax, type FoundOrders } from '../../storage/orders/search.ts';
import type { AskedOrders, SearchField } from '../order-search.ts';
import { html, type Html } from './html.ts';
import { moment, ordersLink, ordersTable } from './parts.ts';
import { count } from './words.ts';

/** The list of orders: its form, and a page of what was found; undefined where the request asks for nothing that there is. */
export function ordersPage(asked: AskedOrders, found: FoundOrders | undefined, at: Date, present: Presenter): Html {
  const { wrong, search } = asked;
  return html`<section>
    <h2>Orders, newest first</h2>
    <p class="links">
      ${ordersLink('newest', {})} ${ordersLink('failed', { status: 'FAILED' })}
      ${ordersLink('set aside', { status: 'SET_ASIDE' })} ${ordersLink('waiting', { status: 'PENDING' })}
    </p>
    ${searchForm(asked)} ${wrong.map((what) => html`<p class="alarm" role="alert"><b>Not looked up:</b> ${what}</p>`)}
    ${found === undefined ? '' : html`${ordersTable(found.orders, present, { at, isOfAll: search.workspaceId === undefined })} ${onward(asked, found)}`}
  </section>`;
}

function searchForm({ given }: AskedOrders): Html {
  const text = (name: SearchField, hint: string): Html =>
    html`<label>${name} <input name="${name}" value="${given[name] ?? ''}" placeholder="${hint}" /></label>`;
  const status = given.status ?? '';
  const states = ['', ...searchedStates].map(
    (value) =>
      html`<option value="${value}" ${value === status ? html` selected` : ''}>
        ${value === '' ? 'any' : value}
      </option>`,
  );
  return html`<form class="search" action="/orders" method="get">
    ${text('workspace', 'ws_…')}
    <label
      >status
      <select name="status">
        ${states}
      </select></label
    >
    ${text('wallet', 'wa_…')} ${text('amount', '12.50')}
    <button>Look</button>
  </form>`;
}

/** How far was looked, and the way on. */
function onward({ given, search, below: cameBelow }: AskedOrders, { below, isCut, isPartial }: FoundOrders): Html {
  const hint = search.workspaceId === undefined ? ', workspace by workspace: name one to see its own' : '';
  const { below: _, ...asked } = given;
  const links = [
    ...(cameBelow === undefined ? [] : [ordersLink('newest', asked)]),
    ...(below === undefined ? [] : [ordersLink(isCut ? 'look further' : 'older', { ...asked, below })]),
  ];
  const looked =
    isCut && below !== undefined
      ? html`<span>Looked at ${count(ordersLookedMax)} orders, back to ${moment(timeOfId('order', below))} UTC.</span>`
      : '';
  const partly = isPartial
    ? html`<span>More than ${count(waitingLookedMax)} wait: these are of the first ones${hint}.</span>`
    : '';
  return html`<p class="links">${looked} ${partly} ${links}</p>`;
}
