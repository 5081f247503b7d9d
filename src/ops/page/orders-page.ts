import { failureNames } from '../../domain/effects.ts';
import { timeOfId } from '../../domain/ids.ts';
import type { Presenter } from '../../orders/present.ts';
import { orderTypes } from '../../orders/types.ts';
import { ordersLookedMax, searchedStates, waitingLookedMax, type FoundOrders } from '../../storage/orders/search.ts';
import { plainTime, type AskedOrders, type SearchField } from '../order-search.ts';
import { html, type Html } from './html.ts';
import { moment, ordersLink, ordersTable } from './parts.ts';
import { count } from './words.ts';

const lately = 15 * 60_000;

/** The list of orders: its form, and a page of what was found; undefined where the request asks for nothing that there is. */
export function ordersPage(asked: AskedOrders, found: FoundOrders | undefined, at: Date, present: Presenter): Html {
  const { wrong, isSlowest, search } = asked;
  return html`<section>
    <h2>${isSlowest ? 'Orders that have waited longest' : 'Orders, newest first'}</h2>
    ${presets(at)} ${searchForm(asked)}
    ${wrong.map((what) => html`<p class="alarm" role="alert"><b>Not looked up:</b> ${what}</p>`)}
    ${found === undefined ? '' : html`${ordersTable(found.orders, present, { at, isOfAll: search.workspaceId === undefined })} ${onward(asked, found)}`}
  </section>`;
}

/** What is looked for most. */
function presets(at: Date): Html {
  const from = new Date(at.getTime() - lately).toISOString().slice(0, 19);
  return html`<p class="links">
    ${ordersLink('newest', {})} ${ordersLink('slowest now', { order: 'slowest' })}
    ${ordersLink('set aside', { status: 'SET_ASIDE' })} ${ordersLink('failed', { status: 'FAILED' })}
    ${ordersLink('failed in the last 15 min', { status: 'FAILED', from })}
    ${ordersLink('scheduled', { status: 'SCHEDULED' })}
  </p>`;
}

function searchForm({ given, isSlowest }: AskedOrders): Html {
  const text = (name: SearchField, hint: string): Html =>
    html`<label>${name} <input name="${name}" value="${given[name] ?? ''}" placeholder="${hint}" /></label>`;
  const time = (name: 'from' | 'to'): Html => {
    const shown = plainTime(given[name] ?? '');
    return html`<label>${name}, UTC <input type="datetime-local" step="1" name="${name}" value="${shown}" /></label>`;
  };
  const choice = (name: SearchField, values: readonly string[]): Html => {
    const asked = given[name] ?? '';
    const options = ['', ...values, ...(values.includes(asked) || asked === '' ? [] : [asked])];
    return html`<label
      >${name}
      <select name="${name}">
        ${options.map((value) => html`<option value="${value}" ${value === asked ? html` selected` : ''}>${value === '' ? 'any' : value}</option>`)}
      </select></label
    >`;
  };
  const rare = (['wallet', 'parent', 'batch'] as const).filter((name) => given[name] !== undefined);
  return html`<form class="search" action="/orders" method="get">
    ${text('workspace', 'ws_…')} ${choice('status', searchedStates)}
    ${choice(
      'type',
      orderTypes.map(({ name }) => name),
    )}
    <label
      >reason
      <input name="reason" list="reasons" value="${given.reason ?? ''}" placeholder="of a failure" />
    </label>
    <datalist id="reasons">${failureNames.map((name) => html`<option value="${name}"></option>`)}</datalist>
    ${time('from')} ${time('to')} ${rare.map((name) => text(name, ''))}
    ${isSlowest ? html`<input type="hidden" name="order" value="slowest" />` : ''}
    <button>Look</button>
  </form>`;
}

/** How far was looked, and the way on. */
function onward({ given, search, below: cameBelow }: AskedOrders, { below, isCut, isPartial }: FoundOrders): Html {
  const hint = search.workspaceId === undefined ? ', workspace by workspace: name one to see its own' : '';
  const links = [
    ...(cameBelow === undefined ? [] : [ordersLink('newest', given)]),
    ...(below === undefined ? [] : [ordersLink(isCut ? 'look further' : 'older', { ...given, below })]),
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
