import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Router, type RequestHandler } from 'express';
import type { openPostingQueue, PostedCounts } from '../queue/posting-queue.ts';
import { queryOf } from './page/serving.ts';

export const dashboardPath = '/queues';

const description = 'A job is a bucket of workspaces of which some wait. The orders, and the books, are in MongoDB.';
const pollSeconds = 5;
/** A larger page would be megabytes of orders to read and send, in the process that answers the API. */
const jobsPerPageMax = 50;

/**
 * Bull Board for the queue of posting, to look at: every request that would change something is refused, because what
 * may be changed, and is audited, is on the operator's page.
 */
export function createDashboard(queue: ReturnType<typeof openPostingQueue>): RequestHandler {
  const serverAdapter = new ExpressAdapter().setBasePath(dashboardPath);
  const adapter = new BullMQAdapter(queue, { displayName: 'Posting', description, readOnlyMode: true });
  adapter.setFormatter('name', ({ data, returnvalue }: ShownJob) => titleOf(data, returnvalue));
  // By default it asks Redis for all clients each time that it is shown, which hosted Redis services refuse.
  adapter.getWorkers = () => Promise.resolve(null);
  createBullBoard({
    queues: [adapter],
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'Transfer queues',
        hideDocsLink: true,
        pollingInterval: { forceInterval: pollSeconds, showSetting: false },
      },
    },
  });
  // By default it would answer with the error's text, and its stack if NODE_ENV is `development`.
  serverAdapter.setErrorHandler((error) => {
    throw error;
  });
  const board = serverAdapter.getRouter() as RequestHandler;
  return Router().use(refuseChanges, limitPageSize, board);
}

const refuseChanges: RequestHandler = (req, res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') next();
  else res.status(405).type('text/plain').send('The queue dashboard changes nothing; the page at / can.\n');
};

/** Refuses to list more jobs at once than a person reads. */
const limitPageSize: RequestHandler = (req, res, next) => {
  const sizes = queryOf(req).getAll('jobsPerPage').map(Number);
  if (sizes.every((size) => size >= 1 && size <= jobsPerPageMax)) next();
  else res.status(400).type('text/plain').send(`jobsPerPage is 1 to ${jobsPerPageMax}.\n`);
};

interface ShownJob {
  readonly data?: unknown;
  /** Of a job that is done. */
  readonly returnvalue?: PostedCounts | null;
}

/**
 * Names the bucket. A job is done, and green, however its orders ended: so it says how many were posted, FAILED or were set aside.
 */
export function titleOf(data: unknown, result?: PostedCounts | null): string {
  const { bucket = '?' } = (data ?? {}) as { bucket?: unknown };
  const { completed = 0, failed = 0, setAside = 0 } = result ?? {};
  const ends = [
    ...(completed > 0 ? [`${completed} COMPLETED`] : []),
    ...(failed > 0 ? [`${failed} FAILED`] : []),
    ...(setAside > 0 ? [`${setAside} set aside`] : []),
  ];
  return [`bucket ${String(bucket)}`, ...ends].join(', ');
}
