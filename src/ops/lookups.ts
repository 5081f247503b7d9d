import type { IRouter, Response } from 'express';
import pTimeout from 'p-timeout';
import { orderIdOf } from '../domain/webhook.ts';
import { hasIdForm, idPrefixes, isExternalWalletId } from '../domain/ids.ts';
import { ServiceError } from '../errors.ts';
import { bizIdForm } from '../orders/order.ts';
import { html, type Html } from './page/html.ts';
import { sendPage } from './page/layout.ts';
import { orderPage } from './page/order-page.ts';
import { ordersPage } from './page/orders-page.ts';
import { ordersTable, section } from './page/parts.ts';
import { queryOf, type PageContext } from './page/serving.ts';
import { walletPage } from './page/wallet-page.ts';
import { workspacePage } from './page/workspace-page.ts';

/** No id is longer, so what is cut off there is none. */
const idLengthMax = 64;
/** Shorter than the driver itself would wait if MongoDB is away. */
const lookupMaxMs = 3_000;

/** `/search?id=`, the page of what an id names, and the list `/orders`. Each is bounded in rows and in time. */
export function addLookupRoutes(app: IRouter, context: PageContext): void {
  const add = (path: string, read: (query: URLSearchParams, res: Response) => Promise<Html>) => {
    app.get(path, async (req, res) => {
      try {
        const page = await pTimeout(read(queryOf(req), res), { milliseconds: lookupMaxMs });
        sendPage(res, `Transfers: ${path.slice(1)}`, page, res.statusCode);
      } catch (error) {
        sendPage(res, 'Not known', notKnown(error), 503);
      }
    });
  };
  add('/orders', (query, res) => ordersPage(query, context, res));
  add('/search', async (query, res) => {
    const id = (query.get('id') ?? '').trim().slice(0, idLengthMax + 1);
    if (id === '') return section('Find', whatIsFound);
    const page = await pageOf(id, context);
    if (page !== undefined) return page;
    res.status(404);
    return section(
      'Not found',
      html`<p>Nothing has the id <code>${id}</code>.</p>
        ${whatIsFound}`,
    );
  });
}

const whatIsFound = html`<p>
  What can be found: an order by its <code>transferId</code> (<code>tr_…</code>), its event (<code>ev_…</code>) or its
  bizId; a wallet by its id (<code>wa_…</code>); and a workspace by its id (<code>ws_…</code>; a test workspace
  <code>ts_…</code>), or that of one of its webhooks (<code>wh_…</code>) or keys (<code>ak_…</code>).
</p>`;

/** What has no page of its own is shown on that of its workspace, or of its order. @returns undefined if nothing has the id. */
async function pageOf(id: string, context: PageContext): Promise<Html | undefined> {
  const { collections, present, clock } = context;
  // No bizId begins like an order's id. One may begin like any other id, so those are recognised by their whole form.
  if (id.startsWith(idPrefixes.order)) return orderPage(id, context);
  if (hasIdForm('workspace', id)) return workspacePage(id, context);
  if (hasIdForm('wallet', id) || isExternalWalletId(id)) return walletPage(id, context);
  if (hasIdForm('webhookEvent', id)) return orderPage(orderIdOf(id), context);
  const owned = hasIdForm('webhook', id)
    ? await collections.webhookEndpoints.findAnywhere(id)
    : hasIdForm('apiKey', id)
      ? await collections.apiKeys.find(id)
      : undefined;
  if (owned !== undefined) return workspacePage(owned.workspaceId, context);
  const orders = bizIdForm.test(id) ? await collections.lookups.ordersByBizId(id) : [];
  const [first, ...more] = orders;
  if (first === undefined) return undefined;
  if (more.length === 0) return orderPage(first.id, context);
  return section(`Orders with the bizId ${id}`, ordersTable(orders, present, { at: clock(), isOfAll: true }));
}

function notKnown(error: unknown): Html {
  const isLate = error instanceof ServiceError && error.errorName === 'ANSWER_TOO_LATE';
  return html`<p class="alarm">
    ${isLate ? 'MongoDB needs too long for this. Name a workspace.' : 'MongoDB does not answer: this cannot be looked up.'}
  </p>`;
}
