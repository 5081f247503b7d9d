import type { RequestHandler } from 'express';
import type { Presenter } from '../domain/present.ts';
import { openQueueInspection } from '../queue/inspection.ts';
import type { RedisClient } from '../redis/connection.ts';
import type { Collections } from '../storage/collections.ts';
import { createActions } from './actions.ts';
import type { Actions } from './actions.ts';
import { createDashboard } from './dashboard.ts';
import type { Health } from './health.ts';
import { startHistory } from './history.ts';
import type { History } from './history.ts';
import { createLookups } from './lookups.ts';
import type { Lookups } from './lookups.ts';
import { createOverview } from './overview.ts';
import type { Overview } from './overview.ts';
import type { ScalingLimits } from './scaling.ts';

/** The whole service, as one process shows it. */
export interface ServiceView {
  readonly overview: () => Promise<Overview>;
  readonly history: History;
  readonly dashboard: RequestHandler;
  readonly lookups: Lookups;
  /** Undefined where none is allowed. */
  readonly actions: Actions | undefined;
  close(): Promise<void>;
}

interface ServiceViewTools extends Collections {
  /** A connection of the operator's own, so that looking never delays a request. */
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly present: Presenter;
  readonly health: Health;
  readonly partitionCount: () => number;
  readonly limits: ScalingLimits;
  readonly areActionsAllowed: boolean;
  /** Without one, nobody is let act on the page: who acted could be anyone on this machine. */
  readonly token: string | undefined;
  readonly pendingCount: () => number | undefined;
  readonly backlogMax: number;
}

export function startServiceView(tools: ServiceViewTools): ServiceView {
  const { redis, prefix, token } = tools;
  const inspection = openQueueInspection(redis, prefix);
  const overview = createOverview({ ...tools, inspection });
  const history = startHistory(overview);
  return {
    overview,
    history,
    dashboard: createDashboard(inspection, tools.partitionCount, tools.auditEvents, tools.areActionsAllowed),
    actions:
      tools.areActionsAllowed && token !== undefined ? createActions({ ...tools, inspection, token }) : undefined,
    lookups: createLookups(tools, { ...tools, inspection }, tools.present),
    async close() {
      await history.close();
      await inspection.close().catch(() => undefined);
    },
  };
}
