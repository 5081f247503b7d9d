import type { RequestHandler } from 'express';
import { openQueueInspection } from '../queue/inspection.ts';
import type { RedisClient } from '../redis/connection.ts';
import type { AuditEvents } from '../storage/audit.ts';
import type { Backlogs } from '../storage/backlog.ts';
import type { StuckOrders } from '../storage/stuck-orders.ts';
import { createDashboard } from './dashboard.ts';
import type { Health } from './health.ts';
import { startHistory } from './history.ts';
import type { History } from './history.ts';
import { createOverview } from './overview.ts';
import type { Overview } from './overview.ts';
import type { ScalingLimits } from './scaling.ts';
import { followOrder } from './trail.ts';
import type { Trail } from './trail.ts';

/** The whole service, as one process shows it. */
export interface ServiceView {
  readonly overview: () => Promise<Overview>;
  readonly history: History;
  readonly dashboard: RequestHandler;
  follow(orderId: string): Promise<Trail | undefined>;
  close(): Promise<void>;
}

interface ServiceViewTools {
  /** A connection of the operator's own, so that looking never delays a request. */
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly backlog: Backlogs;
  readonly auditEvents: AuditEvents;
  readonly stuckOrders: StuckOrders;
  readonly health: Health;
  readonly partitionCount: () => number;
  readonly limits: ScalingLimits;
  readonly areActionsAllowed: boolean;
  readonly pendingCount: () => number | undefined;
  readonly backlogMax: number;
}

export function startServiceView(tools: ServiceViewTools): ServiceView {
  const { redis, prefix, backlog } = tools;
  const inspection = openQueueInspection(redis, prefix);
  const overview = createOverview({ ...tools, inspection });
  const history = startHistory(overview);
  return {
    overview,
    history,
    dashboard: createDashboard(inspection, tools.partitionCount, tools.auditEvents, tools.areActionsAllowed),
    follow: (orderId) => followOrder(orderId, { backlog, inspection, partitionCount: tools.partitionCount }),
    async close() {
      await history.close();
      await inspection.close().catch(() => undefined);
    },
  };
}
