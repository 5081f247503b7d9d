import type { IRouter, Response } from 'express';
import pTimeout from 'p-timeout';
import { orderIdOf } from '../domain/webhook.ts';
import { hasIdForm, idPrefixes, isExternalWalletId } from '../domain/ids.ts';
import { ServiceError } from '../errors.ts';
import { bizIdForm } from '../orders/order.ts';
import type { Collections } from '../storage/collections.ts';
import { html, type Html } from './page/html.ts';
import { sendPage } from './page/layout.ts';
import { orderPage } from './page/order-page.ts';
import { ordersPage } from './page/orders-page.ts';
import { ordersTable, section } from './page/parts.ts';
import { queryOf } from './page/serving.ts';
import { walletPage } from './page/wallet-page.ts';
import { workspacePage } from './page/workspace-page.ts';

type Sources = Parameters<typeof orderPage>[1] &
  Parameters<typeof walletPage>[1] &
  Parameters<typeof workspacePage>[1] &
  Parameters<typeof ordersPage>[1] & { readonly collections: Searched };
type Searched = Pick<Collections, 'apiKeys' | 'lookups' | 'webhookEndpoints'>;

const pages = { order: orderPage, wallet: walletPage, workspace: workspacePage } as const;
type PageKind = keyof typeof pages;

/** No id is longer, so what is cut off there is none. */
const idLengthMax = 64;
/** Shorter than the driver itself would wait if MongoDB is away. */
const lookupMaxMs = 3_000;

/**
 * `/search?id=`, a page for each kind of thing that it finds (`/order`, `/wallet`, `/workspace`), and the list `/orders`. Each is
 * bounded in rows and in time.
 */
export function addLookupRoutes(app: IRouter, sources: Sources): void {
  const { collections, present, clock } = sources;
  /** @param read returns the page; undefined if it has answered already. */
  const add = (
    path: string,
    read: (query: URLSearchParams, id: string, res: Response) => Promise<Html | undefined>,
  ) => {
    app.get(path, async (req, res) => {
      const query = queryOf(req);
      const id = (query.get('id') ?? '').trim().slice(0, idLengthMax + 1);
      try {
        const page = await pTimeout(read(query, id, res), { milliseconds: lookupMaxMs });
        if (page !== undefined) sendPage(res, `${path.slice(1)} ${id}`, page, res.statusCode);
      } catch (error) {
        if (!res.headersSent) sendPage(res, 'Not known', notKnown(error), 503);
      }
    });
  };
  for (const [kind, page] of Object.entries(pages)) {
    add(`/${kind}`, async (_, id, res) => (await page(id, sources)) ?? notFound(res, kind, id));
  }
  add('/orders', (query, _, res) => ordersPage(query, sources, res));
  add('/search', async (_, text, res) => {
    if (text === '') return section('Find', whatIsFound);
    const named = await findById(text, collections);
    const orders = named === undefined && bizIdForm.test(text) ? await collections.lookups.ordersByBizId(text) : [];
    const [first, ...more] = orders;
    const found = named ?? (first && more.length === 0 ? { kind: 'order', id: first.id } : undefined);
    if (found !== undefined) {
      res.redirect(`/${found.kind}?id=${encodeURIComponent(found.id)}`);
      return undefined;
    }
    if (first === undefined) return notFound(res, 'bizId', text);
    return section(`Orders with the bizId ${text}`, ordersTable(orders, present, { at: clock(), isOfAll: true }));
  });
}

/** What has no page of its own is shown on that of its workspace, or of its order. */
async function findById(
  id: string,
  { apiKeys, webhookEndpoints }: Searched,
): Promise<{ readonly kind: PageKind; readonly id: string } | undefined> {
  // No bizId begins like an order's id. One may begin like any other id, so those are recognised by their whole form.
  if (id.startsWith(idPrefixes.order)) return { kind: 'order', id };
  if (hasIdForm('workspace', id)) return { kind: 'workspace', id };
  if (hasIdForm('wallet', id) || isExternalWalletId(id)) return { kind: 'wallet', id };
  if (hasIdForm('webhookEvent', id)) return { kind: 'order', id: orderIdOf(id) };
  const owned = hasIdForm('webhook', id)
    ? await webhookEndpoints.findAnywhere(id)
    : hasIdForm('apiKey', id)
      ? await apiKeys.find(id)
      : undefined;
  return owned && { kind: 'workspace', id: owned.workspaceId };
}

const whatIsFound = html`<p>
  What can be found: an order by its <code>transferId</code> (<code>tr_…</code>), its event (<code>ev_…</code>) or its
  bizId; a wallet by its id (<code>wa_…</code>); and a workspace by its id (<code>ws_…</code>), or that of one of its
  webhooks (<code>wh_…</code>) or keys (<code>ak_…</code>).
</p>`;

function notFound(res: Response, kind: string, id: string): Html {
  res.status(404);
  return section(`No such ${kind}`, html`<p>There is no ${kind} <code>${id}</code>.</p> ${whatIsFound}`);
}

function notKnown(error: unknown): Html {
  const isLate = error instanceof ServiceError && error.errorName === 'ANSWER_TOO_LATE';
  return html`<p class="alarm">
    ${isLate ? 'MongoDB needs too long for this. Name a workspace.' : 'MongoDB does not answer: this cannot be looked up.'}
  </p>`;
}
