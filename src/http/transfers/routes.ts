import type { Acceptor } from '../../accepting/accept.ts';
import type { BatchAcceptor } from '../../accepting/batch.ts';
import type { PrepareCancel } from '../../accepting/cancel.ts';
import type { Previewer } from '../../accepting/preview.ts';
import type { Currencies } from '../../domain/currency.ts';
import { transfer } from '../../orders/transfer.ts';
import type { PostedNotices } from '../../queue/notices.ts';
import type { Lists } from '../../reading/lists.ts';
import type { Collections } from '../../storage/collections.ts';
import { createWorkspaceBatcher } from '../../waiting/batcher.ts';
import type { ThroughFailover } from '../../waiting/failover.ts';
import type { Bulkhead } from '../../waiting/bulkhead.ts';
import type { Route } from '../route.ts';
import { createSingleReads } from '../single-reads.ts';
import type { ReadParts } from '../wallets/routes.ts';
import { batchRoute } from './batch.ts';
import { cancelRoute } from './cancel.ts';
import { createCommandBody } from './command-body.ts';
import { commandRoutes } from './create.ts';
import { previewRoute } from './preview.ts';
import { orderListRoutes, orderRoutes } from './read.ts';
import { createOrderWaits } from './waits.ts';

interface TransferParts {
  readonly collections: Pick<Collections, 'orders'>;
  readonly lists: Pick<Lists, 'orderLists'>;
  readonly throughFailover: ThroughFailover;
  readonly bulkheads: { readonly reads: Bulkhead | undefined };
  readonly accepting: {
    readonly acceptor: Acceptor;
    readonly batches: BatchAcceptor;
    readonly previewer: Previewer;
    readonly prepareCancel: PrepareCancel;
  };
  readonly notices: PostedNotices;
  readonly currencies: Currencies;
}

/** Orders of every type: what is asked of them, and what makes them. */
export function transferRoutes(parts: TransferParts, reading: ReadParts): Route[] {
  const { lists, throughFailover, bulkheads, accepting, currencies } = parts;
  const { present } = reading;
  const { orders } = parts.collections;
  const findShown = createSingleReads(orders.findShown, throughFailover, bulkheads.reads);
  // All endpoints together have one bound on who waits.
  const findForWait = createWorkspaceBatcher(bulkheads.reads, orders.findShown);
  const waits = createOrderWaits((references) => Promise.all(references.map(findForWait)), parts.notices);
  const createBody = createCommandBody(transfer.name, transfer.command, currencies);
  return [
    // The orders of a wallet come before single orders: their path wins over that of `completed`.
    ...orderListRoutes({ ...reading, ...lists, currencies }),
    ...orderRoutes({ findOrder: findShown, waits, present }),
    ...commandRoutes({ ...accepting, waits, currencies, present }),
    batchRoute({ ...accepting, waits, body: createBody, present }),
    previewRoute({ ...accepting, throughFailover, body: createBody, present }),
    cancelRoute({ ...accepting, present }),
  ];
}
