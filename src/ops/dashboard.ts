import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { QueueWorker } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import { Router, type RequestHandler } from 'express';
import type { WorkspaceOrders } from '../domain/workspace-orders.ts';
import { batchesOf } from '../queue/job-data.ts';
import type { PostingJobResult } from '../queue/queue.ts';
import type { PartitionCount } from '../posting/partition-count.ts';
import type { QueueInspection } from '../queue/inspection.ts';
import { html } from './page/html.ts';
import { queryOf } from './page/serving.ts';
import type { Overview } from './overview.ts';
import type { ProcessReport } from '../storage/processes/reports.ts';

export const dashboardPath = '/queues';

const description = 'A job carries the orders of one accepted group, or of one sweep. The books are in MongoDB.';
const pollSeconds = 5;
/** A larger page would be megabytes of orders to read and send, in the process that answers the API. */
const jobsPerPageMax = 50;

/**
 * Bull Board for the partitions' queues, to look at: every request that would change something is refused, because what
 * may be changed, and is audited, is on the operator's page. A job's title names its orders, so that the browser's search
 * finds an order's id. A partition's workers come from the overview, which is at most a second old.
 */
export function createDashboard(
  inspection: QueueInspection,
  partitions: Pick<PartitionCount, 'now' | 'isPaused'>,
  readOverview: () => Promise<Overview>,
): RequestHandler {
  const serverAdapter = new ExpressAdapter().setBasePath(dashboardPath);
  let overview: Overview | undefined;
  const adapterOf = (partition: number): BullMQAdapter => {
    const adapter = new BullMQAdapter(inspection.queueOf(partition), {
      displayName: `Partition ${partition}`,
      description,
      readOnlyMode: true,
    });
    adapter.setFormatter('name', ({ data, returnvalue }: ShownJob) => titleOf(batchesOf(data), returnvalue));
    // MongoDB says which partitions are paused, and not the queue.
    adapter.isPaused = () => Promise.resolve(partitions.isPaused(partition));
    // By default it asks Redis for all clients, for each queue each time that it is shown, which hosted Redis services refuse.
    adapter.getWorkers = () => {
      const owners = overview?.processes?.filter((process) => process.partitions.includes(partition));
      // If they are not known, null keeps the board from warning.
      return Promise.resolve(owners?.map((owner) => shownWorker(owner, overview?.at)) ?? null);
    };
    return adapter;
  };
  const adapters: BullMQAdapter[] = [];
  const { setQueues } = createBullBoard({
    queues: [],
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
  const showPartitions: RequestHandler = async (req, _res, next) => {
    if (req.path.startsWith('/api/')) overview = await readOverview();
    const count = partitions.now();
    if (adapters.length !== count) {
      while (adapters.length < count) adapters.push(adapterOf(adapters.length));
      adapters.length = count;
      setQueues(adapters);
    }
    next();
  };
  return Router().use(refuseChanges, limitPageSize, showPartitions, showWayBack, board);
}

const refuseChanges: RequestHandler = (req, res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') next();
  else res.status(405).type('text/plain').send('The queue dashboard changes nothing; the page at / can.\n');
};

/** Refuses to list more jobs at once than a person reads. */
const limitPageSize: RequestHandler = (req, res, next) => {
  const asked = queryOf(req).getAll('jobsPerPage').map(Number);
  if (asked.every((size) => size >= 1 && size <= jobsPerPageMax)) next();
  else res.status(400).type('text/plain').send(`jobsPerPage is 1 to ${jobsPerPageMax}.\n`);
};

const boardRoot = '<div id="root">';
const wayBack = html`<a
  href="/"
  style="position:fixed;right:1rem;bottom:1rem;z-index:9;padding:.5rem .8rem;border-radius:8px;background:#1769e0;color:#fff;font:15px system-ui,sans-serif"
  >← Operations</a
>`.markup;

/** The board has its own links in a menu, where nobody looks for the way back. */
const showWayBack: RequestHandler = (_req, res, next) => {
  const send = res.send.bind(res);
  res.send = (body) => send(typeof body === 'string' ? body.replace(boardRoot, wayBack + boardRoot) : body);
  next();
};

const idsShownMax = 3;

interface ShownJob {
  readonly data?: unknown;
  /** Of a job that is done. */
  readonly returnvalue?: PostingJobResult | null;
}

/**
 * `tr_…` for one order; the first few ids and how many more for a group. A job is done, and green, however its orders ended: so
 * it says how many FAILED or were set aside.
 */
export function titleOf(batches: readonly WorkspaceOrders[], result?: PostingJobResult | null): string {
  const orderIds = batches.flatMap((batch) => batch.orderIds);
  const shown = orderIds.slice(0, idsShownMax).join(' ');
  const more = orderIds.length - idsShownMax;
  const ends = [
    ...((result?.failed ?? 0) > 0 ? [`${result?.failed} FAILED`] : []),
    ...((result?.setAside ?? 0) > 0 ? [`${result?.setAside} set aside`] : []),
  ];
  return [more > 0 ? `${shown} and ${more} more` : shown, ...ends].join(', ');
}

/** An instance id begins with its machine's name. */
function shownWorker({ id, startedAt }: ProcessReport, now = startedAt): QueueWorker {
  const age = Math.max(0, Math.round((now.getTime() - startedAt.getTime()) / 1000));
  return { id, name: id, addr: id.split(':')[0] ?? '', age };
}
