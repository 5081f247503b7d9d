import type { DueSources, DueWork } from './due-rounds.ts';

/**
 * Starts SCHEDULED orders once their time has come, never before by MongoDB's clock, and wakes workers for them. From then on
 * they are orders as any other: if Redis loses the job, the sweeper finds them.
 */
export function schedule({ collections: { dueOrders } }: DueSources): DueWork {
  return {
    lease: 'schedule',
    what: 'starting scheduled orders',
    cannot: 'an order whose time has come cannot be started',
    status: 'SCHEDULED',
    // Nothing has to be waited for.
    graceMs: 0,
    act: (workspaceId, ids) => dueOrders.start(workspaceId, ids),
  };
}
