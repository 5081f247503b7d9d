import type { IRouter } from 'express';
import type { Health } from './health.ts';
import { addServiceRoutes } from './service-routes.ts';
import { startServiceView, type ServiceView, type ServiceViewTools } from './service-view.ts';

export type ServicePages = ReturnType<typeof servicePages>;
/** What the pages share with the rest of operations. */
type Shared = Pick<ServiceViewTools, 'redis' | 'health'>;

/** The pages of the whole service. Only the web process imports this file, so that workers load nothing of the pages. */
export function servicePages(view: ServiceView, health: Health) {
  return {
    overview: view.overview,
    addRoutes: (app: IRouter): void => {
      addServiceRoutes(app, view, health);
    },
    close: () => view.close(),
  };
}

/** @returns what starts the {@link servicePages} of this service. */
export function createServicePages(tools: Omit<ServiceViewTools, keyof Shared>) {
  return (shared: Shared): ServicePages => servicePages(startServiceView({ ...tools, ...shared }), shared.health);
}
