import { z } from 'zod';
import { anyScope } from '../../auth/pipeline.ts';
import { budgetUse } from '../../domain/budgets.ts';
import type { Currencies } from '../../domain/currency.ts';
import { isTestWorkspace } from '../../domain/ids.ts';
import { scopes } from '../../domain/scopes.ts';
import { KeyBudget } from '../limits.ts';
import { currency, open, time, workspaceId } from '../fields.ts';
import type { RouteParts } from '../parts.ts';
import type { Route } from '../route.ts';

const Scope = z.enum(scopes).meta({ id: 'Scope', description: 'What a key may do. More may come.' });

const Key = z
  .strictObject({
    apiKey: z.string().meta({ description: 'Its public identifier.' }),
    workspaceId,
    owner: z.string().meta({ description: 'The user whose membership of the workspace the key stands on.' }),
    scopes: z.array(open(Scope)).meta({ description: 'What it may do.' }),
    rate: z
      .strictObject({
        perSecond: z.int().nonnegative().meta({ description: 'So many in every second.' }),
        burst: z.int().nonnegative().meta({ description: 'So many in one second, now and then.' }),
        remaining: z.int().nonnegative().meta({ description: 'Of `perSecond`, in this second.' }),
      })
      .meta({ id: 'KeyRate', description: 'How many requests the key may make.' }),
    address: z.string().nullable().meta({ description: 'The client’s address as seen; null where it is not known.' }),
    serverTime: time.meta({ description: 'When it was asked.' }),
    test: z.boolean().meta({ description: 'Whether its workspace is a test workspace, with a clock of its own.' }),
    now: time.meta({ description: 'The workspace’s time: in a test workspace that of its clock.' }),
    currencies: z
      .array(
        z
          .strictObject({
            code: currency,
            decimals: z.int().nonnegative().meta({ description: 'How many decimals its amounts have.' }),
          })
          .meta({ id: 'Currency', description: 'A currency, and its decimals.' }),
      )
      .meta({ description: 'Those that wallets and transfers may have, by code.' }),
    budgets: z
      .array(KeyBudget)
      .meta({ description: 'How much its orders may take, by name; no other currency is limited.' }),
  })
  .meta({
    id: 'Key',
    description: 'The API key that signed the request, and what it may do.',
    examples: [
      {
        apiKey: 'ak_01M7Y8QZ5W4A2C7E9G1J3M6P8Q',
        workspaceId: 'ws_01M7Y8Q4V6Z3T5N8K2J7H9G4FD',
        owner: 'ada',
        scopes: ['wallet:read', 'transfer:read'],
        rate: { perSecond: 1_000, burst: 2_000, remaining: 999 },
        address: '203.0.113.9',
        serverTime: '2026-01-01T09:31:00.000Z',
        test: false,
        now: '2026-01-01T09:31:00.000Z',
        currencies: [{ code: 'USD', decimals: 2 }],
        budgets: [],
      },
    ],
  });

/** What a key may ask about itself, whatever its scopes. */
export function keyRoute({ currencies, usualRate, clock, clockOf, present, findBudgets }: RouteParts): Route {
  return {
    scope: anyScope,
    method: 'GET',
    path: '/api/v1/key',
    operation: {
      id: 'getKey',
      tag: { name: 'Key', description: 'The API key itself: what it may do, and what it may name.' },
      summary: 'Get the API key that signs the request',
      description:
        'What the key may do and how often, which address it comes from, which currencies there are, and what is left of its budgets.',
      answer: Key,
    },
    handle: async ({ workspaceId, scopes, caller, timeLeftMs }) => {
      const key = caller();
      const { perSecond, burst } = key.rate ?? usualRate;
      const { budgets = [] } = (await findBudgets({ workspaceId, apiKey: key.keyId }, timeLeftMs)) ?? {};
      const now = (await clockOf(workspaceId))();
      return {
        data: {
          apiKey: key.keyId,
          workspaceId,
          owner: key.ownerId,
          scopes: [...scopes],
          rate: { perSecond, burst, remaining: key.remaining },
          address: key.address ?? null,
          serverTime: clock().toISOString(),
          test: isTestWorkspace(workspaceId),
          now: now.toISOString(),
          currencies: byCode(currencies),
          budgets: budgets.map((budget) => present.budget(budgetUse(budget, now))),
        },
      };
    },
  };
}

function byCode(currencies: Currencies) {
  return [...currencies].map(([code, decimals]) => ({ code, decimals })).toSorted((a, b) => (a.code < b.code ? -1 : 1));
}
