import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IRouter, RequestHandler } from 'express';
import { addActionRoutes } from './action-routes.ts';
import { dashboardPath, limitPageSize } from './dashboard.ts';
import { addDocs } from './docs.ts';
import type { Health } from './health.ts';
import { addLookupRoutes } from './lookup-routes.ts';
import type { Overview } from './overview.ts';
import { html } from './page/html.ts';
import { layout } from './page/layout.ts';
import { overviewFragment } from './page/overview-page.ts';
import type { ServiceView } from './service-view.ts';

const files = {
  '/page.js': join(import.meta.dirname, 'page/page.js'),
  '/page.css': join(import.meta.dirname, 'page/page.css'),
  '/parts.css': join(import.meta.dirname, 'page/parts.css'),
  '/idiomorph.js': fileURLToPath(import.meta.resolve('idiomorph/dist/idiomorph.js')),
};

/** The pages load only files of this server, so they work without the Internet. */
const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/** Bull Board sets styles in its markup. It asks another site for a font, which is not fetched. */
const dashboardPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** The pages, `/scaling`, and the queue dashboard. */
export function addServiceRoutes(app: IRouter, view: ServiceView, health: Health): void {
  const canAct = view.actions !== undefined;
  const live = async () => {
    const state = { isDraining: health.isDraining(), wrongSetting: health.wrongSetting(), canAct };
    return overviewFragment(await view.overview(), view.history.points(), state);
  };

  app.use(dashboardPath, withPolicy(dashboardPolicy), limitPageSize, view.dashboard);
  app.use(withPolicy(pagePolicy));
  app.get('/', async (_req, res) => {
    res.type('html').send(layout('Transfers: operations', html`<div id="live">${await live()}</div>`, true));
  });
  app.get('/live', async (_req, res) => {
    res.type('html').send((await live()).markup);
  });
  for (const [path, file] of Object.entries(files)) {
    app.get(path, (_req, res) => {
      res.sendFile(file);
    });
  }
  addDocs(app);
  addLookupRoutes(app, view.lookups, canAct);
  addActionRoutes(app, view.actions);
  app.get('/scaling', async (_req, res) => {
    const scaling = describeScaling(await view.overview());
    res.status(scaling === undefined ? 503 : 200).json(scaling ?? { error: 'MongoDB or Redis does not answer' });
  });
}

function withPolicy(policy: string): RequestHandler {
  return (_req, res, next) => {
    res.set({
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    });
    next();
  };
}

/** The numbers that a scaler needs, in seconds and orders a second; undefined if they could not be read. */
function describeScaling({ at, backlog, activity, scaling }: Overview): Record<string, unknown> | undefined {
  if (backlog === undefined || activity === undefined || scaling === undefined) return undefined;
  const { pending: pendingOrders, isLowerBound, oldestPendingAt } = backlog;
  const oldestPendingSeconds = oldestPendingAt === undefined ? 0 : (at.getTime() - oldestPendingAt.getTime()) / 1000;
  return { at, ...scaling, ...activity, pendingOrders, isLowerBound, oldestPendingSeconds };
}
