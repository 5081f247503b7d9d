import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createBodyLimits, createRouteTable, rawPath, type Route } from '../../src/http/route.ts';
import { orderTypes } from '../../src/orders/types.ts';
import { describedRoutes } from '../../script/docs/api-description.ts';

describe('createRouteTable', () => {
  const route = (method: 'GET', path: string): Route => ({
    scope: 'wallet:read',
    method,
    path,
    operation: {
      id: path,
      summary: path,
      description: 'A route of a test.',
      answer: z.unknown(),
      tag: { name: 'Tests', description: 'Tests.' },
    },
    handle: () => Promise.resolve({ data: path }),
  });
  const match = createRouteTable([
    route('GET', '/api/v1/wallets'),
    route('GET', '/api/v1/wallets/{id}'),
    route('GET', '/api/v1/orders/wallet/{walletId}'),
    route('GET', '/api/v1/orders/{bizId}/completed'),
  ]);

  it('finds a route and its raw parameters', () => {
    expect(match('GET', '/api/v1/wallets/%2e%2E')?.params).toEqual({ id: '%2e%2E' });
  });

  it('lets the first that matches win', () => {
    expect(match('GET', '/api/v1/orders/wallet/completed')?.route.path).toBe('/api/v1/orders/wallet/{walletId}');
  });

  it.each([
    ['HEAD', '/api/v1/wallets'],
    ['OPTIONS', '/api/v1/wallets'],
    ['POST', '/api/v1/wallets'],
    ['get', '/api/v1/wallets'],
    ['GET', '/api/v1/wallets/'],
    ['GET', '/api/v1/Wallets'],
    ['GET', '/api//v1/wallets'],
    ['GET', '/api/v1/../v1/wallets'],
    ['GET', '/api/v1/wallets/a/b'],
    ['GET', '/api/v1/wallets\n'],
    ['GET', 'x/api/v1/wallets'],
  ])('does not match %s %j', (method, path) => {
    expect(match(method, path)).toBeUndefined();
  });
});

it('the path that is signed and routed ends before the first question mark', () => {
  for (const query of ['', '?a=b', '?a=b?c=/d']) expect(rawPath(`/api/v1/wallets${query}`)).toBe('/api/v1/wallets');
});

it('every route that is no GET records its signed request, unless it declares why it need not', () => {
  const unrecorded = describedRoutes().flatMap((route) =>
    route.method === 'GET' || 'prepare' in route ? [] : `${route.path}: ${route.changes}`,
  );
  const commands = orderTypes.flatMap(({ command }) => command?.name ?? []);
  const path = '/api/v1/transfer/command';
  expect(unrecorded).toEqual([...commands.map((name) => `${path}/${name}: orders`), `${path}/preview: nothing`]);
});

it('a body may be larger than others only where its path and method are those of a route that says so', () => {
  const limitOf = createBodyLimits(describedRoutes());
  const url = '/api/v1/transfer/command/batch';
  expect([limitOf({ method: 'POST', url }), limitOf({ method: 'POST', url: `${url}?a=b` })]).toEqual([
    524_288, 524_288,
  ]);
  for (const request of [
    { method: 'GET', url },
    { method: 'POST', url: `${url}/` },
    { method: 'POST', url: '/api/v1/transfer/command/create' },
    {},
  ])
    expect(limitOf(request)).toBeUndefined();
});
