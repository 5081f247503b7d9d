import type { IRouter, Request, Response } from 'express';
import pTimeout from 'p-timeout';
import { ServiceError } from '../errors.ts';
import type { Presenter } from '../orders/present.ts';
import type { Lookups, PageKind } from './lookups.ts';
import { readAskedOrders } from './order-search.ts';
import { html, type Html } from './page/html.ts';
import { sendPage } from './page/layout.ts';
import { notFoundPage, walletPage, workspacePage } from './page/lookup-pages.ts';
import { orderPage } from './page/order-page.ts';
import { ordersPage } from './page/orders-page.ts';
import { ordersTable, section } from './page/parts.ts';
import { queryOf } from './page/serving.ts';

const idLengthMax = 64;
/** Shorter than the driver itself would wait if MongoDB is away. */
const lookupMaxMs = 3_000;

/** `/search?id=`, a page for each kind of thing that it finds (`/order`, `/wallet`, `/workspace`), and the list `/orders`. */
export function addLookupRoutes(app: IRouter, lookups: Lookups, present: Presenter, canAct: boolean): void {
  const pages: Readonly<Record<PageKind, (id: string) => Promise<Html | undefined>>> = {
    order: async (id) => toPage(await lookups.order(id), (order) => orderPage(order, present, canAct)),
    wallet: async (id) => toPage(await lookups.wallet(id), (wallet) => walletPage(wallet, present)),
    workspace: async (id) => toPage(await lookups.workspace(id), workspacePage),
  };
  for (const kind of ['order', 'wallet', 'workspace'] as const) {
    app.get(`/${kind}`, async (req, res) => {
      const id = idOf(req);
      await answer(res, `${kind} ${id}`, async () => {
        const page = isTooLong(id) ? undefined : await pages[kind](id);
        if (page === undefined) res.status(404);
        return page ?? notFoundPage(kind, id.slice(0, idLengthMax));
      });
    });
  }
  app.get('/search', async (req, res) => {
    const text = idOf(req);
    await answer(res, text, async () => {
      const nothing = { bizId: text.slice(0, idLengthMax), orders: [], at: new Date(0) };
      const found = isTooLong(text) ? nothing : await lookups.search(text);
      if ('kind' in found) {
        res.redirect(`/${found.kind}?id=${encodeURIComponent(found.id)}`);
        return undefined;
      }
      const { bizId, orders, at } = found;
      if (orders.length === 0) {
        res.status(404);
        return notFoundPage('bizId', bizId);
      }
      return section(`Orders with the bizId ${bizId}`, ordersTable(orders, present, { at, isOfAll: true }));
    });
  });
  app.get('/orders', async (req, res) => {
    const asked = readAskedOrders(queryOf(req));
    await answer(res, 'Orders', async () => {
      if (asked.wrong.length > 0) res.status(400);
      const { found, at } = await lookups.orders(asked);
      return ordersPage(asked, found, at, present);
    });
  });
}

function toPage<T>(found: T | undefined, show: (found: T) => Html): Html | undefined {
  return found === undefined ? undefined : show(found);
}

function idOf(req: Request): string {
  return (queryOf(req).get('id') ?? '').trim();
}

function isTooLong(id: string): boolean {
  return id.length > idLengthMax;
}

/** @param read returns the page; undefined if it has answered already. */
async function answer(res: Response, title: string, read: () => Promise<Html | undefined>): Promise<void> {
  try {
    const page = await pTimeout(read(), { milliseconds: lookupMaxMs });
    if (page !== undefined) sendPage(res, title.slice(0, idLengthMax), page, res.statusCode);
  } catch (error) {
    if (res.headersSent) return;
    const isLate = error instanceof ServiceError && error.errorName === 'ANSWER_TOO_LATE';
    const why = isLate
      ? 'MongoDB needs too long for this. Name a workspace or a state.'
      : 'MongoDB does not answer: this cannot be looked up.';
    sendPage(res, 'Not known', html`<p class="alarm">${why}</p>`, 503);
  }
}
