import type { Response } from 'express';
import { z } from 'zod';
import { hasIdForm, isExternalWalletId, timeOfId } from '../../domain/ids.ts';
import { Money } from '../../domain/money.ts';
import {
  ordersLookedMax,
  searchedStates,
  setAsideLookedMax,
  type OrderSearchPage,
  type OrderSearch,
} from '../../reading/order-search.ts';
import { html, type Html } from './html.ts';
import { moment, ordersLink, ordersTable } from './parts.ts';
import type { PageContext } from './serving.ts';
import { count } from './words.ts';

const text = (isRight: (text: string) => boolean, says: string) => z.string().refine(isRight, says).optional();
/** The fields of the form, and the last order of the page before. */
const form = z.object({
  status: z.enum(searchedStates, `has to be ${searchedStates.join(' or ')}`).default('FAILED'),
  workspace: text((id) => hasIdForm('workspace', id), 'has to be an id (ws_…, ts_…)'),
  wallet: text((id) => hasIdForm('wallet', id) || isExternalWalletId(id), 'has to be an id (wa_…)'),
  amount: text((amount) => /^\d{1,30}(\.\d{1,30})?$/.test(amount), 'has to be a decimal, such as 12.50'),
  below: text((id) => hasIdForm('order', id), 'has to be the id of an order (tr_…)'),
});
type Filters = Readonly<Record<string, string>>;

/** The list of orders that FAILED, or are set aside, newest first: of all, of a workspace or of a wallet, and of an amount. */
export async function ordersPage(query: URLSearchParams, context: PageContext, res: Response): Promise<Html> {
  const filters: Filters = Object.fromEntries(
    [...query].map(([name, value]) => [name, value.trim()] as const).filter(([, value]) => value !== ''),
  );
  const parsed = form.safeParse(filters);
  if (!parsed.success) res.status(400);
  return html`<section>
    <h2>Orders, newest first</h2>
    ${searchForm(filters)}
    ${
      parsed.success
        ? await listOf(parsed.data, filters, context)
        : parsed.error.issues.map(
            ({ path, message }) =>
              html`<p class="alarm" role="alert"><b>Not looked up:</b> ${path.join('.')} ${message}.</p>`,
          )
    }
  </section>`;
}

async function listOf(
  { status: state, workspace, wallet: walletId, amount, below }: z.infer<typeof form>,
  filters: Filters,
  { collections: { wallets }, orderSearch, present, clock }: PageContext,
): Promise<Html> {
  const workspaceId = walletId === undefined ? workspace : (await wallets.findAnywhere(walletId))?.workspaceId;
  if (walletId !== undefined && workspaceId === undefined) return html`<p>There is no such wallet.</p>`;
  const search: OrderSearch = {
    state,
    workspaceId,
    walletId,
    amount: amount === undefined ? amount : new Money(amount),
  };
  const page = await orderSearch.page(search, below);
  return html`${ordersTable(page.orders, present, { at: clock(), isOfAll: workspaceId === undefined })}
  ${onward(filters, search, page)}`;
}

function searchForm(filters: Filters): Html {
  const field = (name: string, hint: string): Html =>
    html`<label>${name} <input name="${name}" value="${filters[name] ?? ''}" placeholder="${hint}" /></label>`;
  const states = searchedStates.map(
    (state) => html`<option ${state === filters['status'] ? html` selected` : ''}>${state}</option>`,
  );
  return html`<form class="search" action="/orders" method="get">
    <label
      >status
      <select name="status">
        ${states}
      </select></label
    >
    ${field('workspace', 'ws_…')} ${field('wallet', 'wa_…')} ${field('amount', '12.50')}
    <button>Look</button>
  </form>`;
}

/** How far was looked, and the way on. */
function onward(shown: Filters, { state, workspaceId }: OrderSearch, { below, isCut }: OrderSearchPage): Html {
  const { below: cameBelow, ...filters } = shown;
  const looked =
    isCut && below !== undefined
      ? html`<span>Looked at ${count(ordersLookedMax)} orders, back to ${moment(timeOfId('order', below))} UTC.</span>`
      : '';
  const partly =
    state === 'SET_ASIDE' && workspaceId === undefined
      ? html`<span
          >Of all workspaces but test ones the first ${count(setAsideLookedMax)} are looked at: name one to see all of
          its own.</span
        >`
      : '';
  return html`<p class="links">
    ${looked} ${partly} ${cameBelow === undefined ? '' : ordersLink('newest', filters)}
    ${below === undefined ? '' : ordersLink(isCut ? 'look further' : 'older', { ...filters, below })}
  </p>`;
}
