import express, { type ErrorRequestHandler, type IRouter, type RequestHandler } from 'express';
import { hasNoBody } from '../http/received-body.ts';
import { listen } from '../http/server.ts';
import type { Logger } from '../log.ts';
import { letInOperator } from './access.ts';
import type { Health } from './health.ts';
import { createMetricsText, type Metrics } from './metrics.ts';
import type { Pages } from './pages.ts';

interface OpsOptions {
  readonly health: Health;
  readonly metrics: Metrics;
  /** If it is set, every request but the probes needs it. */
  readonly token: string | undefined;
  readonly log: Logger;
}

/**
 * Every request with a body is answered so much later, and that answer ends its connection if the body was refused. So few
 * connections cannot keep the process busy with parsing what nobody reads, 64 KiB of each at a time.
 */
const bodyDelayMs = 100;

/** The most requests answered at once, so that the operator's do not crowd out the service's work. */
const requestsAtOnceMax = 16;

/**
 * Operations, on a port of their own: `/livez` while the process runs; `/readyz`, 200 while it can do its work, and 503
 * while it starts or drains, a setting is wrong, or a server behind it does not answer or refuses what is asked; `/metrics`; and, in a process that
 * shows the whole service, its page at `/`, `/scaling` and the queue dashboard.
 */
export async function startOpsServer(options: OpsOptions, host: string, port: number) {
  const { health, metrics, token, log } = options;
  let pages: Pages | undefined;
  let metricsText = createMetricsText(metrics, health);
  const pageRoutes = express.Router();
  const app = express();
  app.disable('x-powered-by');
  app.use((req, _res, next) => {
    if (hasNoBody(req)) next();
    else setTimeout(next, bodyDelayMs);
  });
  app.use(letInOperator(token));
  addProbes(app, health);
  app.use(limitRequests());
  app.get('/metrics', async (_req, res) => {
    res.type(metrics.registry.contentType).send(await metricsText());
  });
  app.use(pageRoutes);
  app.use((_req, res) => {
    if (health.isStarting()) {
      res.status(503).type('text/plain').send('This process is starting; /readyz says what it waits for.\n');
      return;
    }
    const there =
      pages === undefined
        ? '/livez, /readyz and /metrics are; the page is at the web process'
        : '/livez, /readyz, /metrics, /scaling, /queues and the page at / are';
    res.status(404).type('text/plain').send(`There is nothing here; ${there}.\n`);
  });
  app.use(answerError(log));
  return {
    ...(await listen(app, host, port)),
    /** From now on the pages of the whole service are there too, and what they know is among the metrics. Once. */
    show(shown: Pages): void {
      pages = shown;
      metricsText = createMetricsText(metrics, health, shown.overview);
      shown.addRoutes(pageRoutes);
    },
  };
}

/** By default Express would answer with the stack, unless NODE_ENV is `production`, and print it on standard error. */
function answerError(log: Logger): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    const isRefused = isClientError(error);
    if (!isRefused) log.error({ err: error }, 'a request to the operations port failed');
    if (res.headersSent) {
      // Only Express can end an answer that has begun: it closes the connection.
      next(error);
      return;
    }
    const text = isRefused ? 'This request is malformed.\n' : 'This failed; the log says why.\n';
    res
      .status(isRefused ? 400 : 500)
      .type('text/plain')
      .send(text);
  };
}

/** Express and its parsers mark errors of what they cannot read with a `status`. */
function isClientError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('status' in error)) return false;
  return typeof error.status === 'number' && error.status >= 400 && error.status < 500;
}

function addProbes(app: IRouter, health: Health): void {
  app.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', async (_req, res) => {
    const servers = await health.servers();
    const wrongSetting = health.wrongSetting();
    const mayServe = !health.isStarting() && !health.isDraining() && wrongSetting === undefined;
    const isReady = mayServe && servers.every(({ isUp }) => isUp);
    const status = isReady ? 'ready' : 'not ready';
    res.status(isReady ? 200 : 503);
    if (res.locals['isTrusted'] !== true) {
      res.json({ status });
      return;
    }
    res.json({
      status,
      starting: health.isStarting(),
      draining: health.isDraining(),
      ...(wrongSetting === undefined ? {} : { wrongSetting }),
      ...Object.fromEntries(servers.map(({ name, isUp }) => [name, isUp ? 'up' : 'down'])),
      since: Object.fromEntries(servers.map(({ name, since }) => [name, since.toISOString()])),
      reasons: Object.fromEntries(
        servers.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]])),
      ),
    });
  });
}

function limitRequests(): RequestHandler {
  let underWay = 0;
  return (_req, res, next) => {
    if (underWay >= requestsAtOnceMax) {
      res.status(503).set('Retry-After', '1').type('text/plain').send('Too many requests to this port at once.\n');
      return;
    }
    underWay += 1;
    res.once('close', () => {
      underWay -= 1;
    });
    next();
  };
}
