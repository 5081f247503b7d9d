import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Router, type RequestHandler } from 'express';
import type { WorkspaceOrders } from '../domain/workspace-orders.ts';
import { batchesOf } from '../queue/job-data.ts';
import type { PostingJobResult } from '../queue/queue.ts';
import type { PartitionCount } from '../posting/partition-count.ts';
import type { QueueInspection } from '../queue/inspection.ts';
import { queryOf } from './page/serving.ts';

export const dashboardPath = '/queues';

const description = 'A job carries the orders of one accepted group, or of one sweep. The books are in MongoDB.';
const pollSeconds = 5;
/** A larger page would be megabytes of orders to read and send, in the process that answers the API. */
const jobsPerPageMax = 50;

/**
 * Bull Board for the partitions' queues, to look at: every request that would change something is refused, because what
 * may be changed, and is audited, is on the operator's page. A job's title names its orders, so that the browser's search
 * finds an order's id.
 */
export function createDashboard(
  inspection: QueueInspection,
  partitions: Pick<PartitionCount, 'now' | 'isPaused'>,
): RequestHandler {
  const serverAdapter = new ExpressAdapter().setBasePath(dashboardPath);
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
    adapter.getWorkers = () => Promise.resolve(null);
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
  const showPartitions: RequestHandler = (_req, _res, next) => {
    const count = partitions.now();
    if (adapters.length !== count) {
      while (adapters.length < count) adapters.push(adapterOf(adapters.length));
      adapters.length = count;
      setQueues(adapters);
    }
    next();
  };
  return Router().use(refuseChanges, limitPageSize, showPartitions, board);
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
