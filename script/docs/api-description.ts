import { createCurrencies } from '../../src/domain/currency.ts';
import { apiRoutes } from '../../src/http/api-routes.ts';
import { createListQueries } from '../../src/http/list-queries.ts';
import { openApiDocument } from '../../src/http/openapi.ts';

/** What `/openapi.json` serves, made without a server: no handler runs, so none needs what it would work with. */
export function apiDescription(): Record<string, unknown> {
  const currencies = createCurrencies(new Map());
  const tools = { currencies, queries: createListQueries(currencies), orders: {}, wallets: {} };
  return openApiDocument(apiRoutes(tools as unknown as Parameters<typeof apiRoutes>[0]));
}
