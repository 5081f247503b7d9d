import { createCurrencies } from '../../src/domain/currency.ts';
import { apiRoutes } from '../../src/http/api-routes.ts';
import type { Route } from '../../src/http/route.ts';
import { openApiDocument } from '../../src/http/docs/openapi.ts';

/** Every route, made without a server: no handler may be run, because none has what it would work with. */
export function describedRoutes(): Route[] {
  const currencies = createCurrencies(new Map());
  const collections = { orders: {}, wallets: {}, testClocks: {} };
  const parts = { collections, lists: {}, bulkheads: {}, accepting: {}, currencies };
  return apiRoutes(parts as unknown as Parameters<typeof apiRoutes>[0]);
}

/** What `/openapi.json` serves. */
export function apiDescription(): Record<string, unknown> {
  return openApiDocument(describedRoutes());
}
