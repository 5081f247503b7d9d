import type { WebSettings } from '../config.ts';
import type { Presenter } from '../domain/present.ts';
import { openQueueInspection } from '../queue/inspection.ts';
import type { Collections } from '../storage/collections.ts';
import { createActions } from './actions.ts';
import { createDashboard } from './dashboard.ts';
import { startHistory } from './history.ts';
import { createLookups } from './lookups.ts';
import { createOverview, type OverviewTools } from './overview.ts';

export type ServiceView = ReturnType<typeof startServiceView>;

export interface ServiceViewTools extends Collections, Omit<OverviewTools, 'inspection' | keyof Collections> {
  readonly present: Presenter;
  readonly settings: WebSettings;
}

/** The whole service, as one process shows it. */
export function startServiceView(tools: ServiceViewTools) {
  const { redis } = tools;
  const { QUEUE_PREFIX: prefix, OPS_TOKEN: token, OPS_DASHBOARD_ACTIONS: areActionsAllowed } = tools.settings;
  const inspection = openQueueInspection(redis, prefix);
  const overview = createOverview({ ...tools, inspection });
  const history = startHistory(overview, redis, prefix, tools.clock);
  return {
    overview,
    history,
    dashboard: createDashboard(inspection, overview, tools, areActionsAllowed),
    /** Undefined if no action is allowed. Without a token none is, because it could come from anyone on this machine. */
    actions: areActionsAllowed && token !== undefined ? createActions({ ...tools, token }) : undefined,
    lookups: createLookups(tools, { ...tools, inspection }, tools.present, tools.clock),
    async close(): Promise<void> {
      await history.close();
      await inspection.close().catch(() => undefined);
    },
  };
}
