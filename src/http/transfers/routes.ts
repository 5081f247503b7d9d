import type { RouteParts } from '../parts.ts';
import type { Route } from '../route.ts';
import { batchRoute } from './batch.ts';
import { cancelRoute } from './cancel.ts';
import { commandRoutes } from './create.ts';
import { previewRoute } from './preview.ts';
import { orderListRoutes, orderRoutes } from './read.ts';

/** Orders of every type: what is asked of them, and what makes them. */
export function transferRoutes(parts: RouteParts): Route[] {
  return [
    // The orders of a wallet come before single orders: their path wins over that of `completed`.
    ...orderListRoutes(parts),
    ...orderRoutes(parts),
    ...commandRoutes(parts),
    batchRoute(parts),
    previewRoute(parts),
    cancelRoute(parts),
  ];
}
