import express from 'express';
import { listen } from '../http/server.ts';
import type { RunningServer } from '../http/server.ts';

export interface Health {
  /** Each server behind this process, by name, and whether it answers. */
  readonly checks: Readonly<Record<string, () => Promise<boolean>>>;
  readonly isDraining: () => boolean;
}

const checkTimeoutMs = 2_000;

/**
 * Health on a port of its own: `/livez` while the process runs; `/readyz` 200 while it can do its work, 503 while it
 * drains or a server behind it does not answer, naming which.
 */
export async function startOpsServer(health: Health, host: string, port: number): Promise<RunningServer> {
  const app = express();
  app.disable('x-powered-by');
  app.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  app.get('/readyz', async (_req, res) => {
    const entries = await Promise.all(
      Object.entries(health.checks).map(async ([name, check]) => [name, await inTime(check())] as const),
    );
    const isReady = !health.isDraining() && entries.every(([, isUp]) => isUp);
    res.status(isReady ? 200 : 503).json({
      status: isReady ? 'ready' : 'not ready',
      draining: health.isDraining(),
      ...Object.fromEntries(entries.map(([name, isUp]) => [name, isUp ? 'up' : 'down'])),
    });
  });
  return listen(app, host, port);
}

/** A server that hangs counts as down. */
async function inTime(check: Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => {
    resolve(false);
  }, checkTimeoutMs);
  const isUp = await Promise.race([check.catch(() => false), promise]);
  clearTimeout(timer);
  return isUp;
}
