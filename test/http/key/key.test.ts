import { expect, it } from 'vitest';
import { serviceForTests } from '../../support/service.ts';
import { allScopes, createWorkspace } from '../../support/workspace.ts';

interface KeyAnswer {
  readonly apiKey: string;
  readonly rate: { readonly remaining: number };
  readonly serverTime: string;
  readonly now: string;
  readonly currencies: readonly { readonly code: string; readonly decimals: number }[];
}

const service = await serviceForTests({ workers: 0, env: { KEY_RATE_PER_SECOND: '5' } });

it.each([allScopes[0]!, allScopes.at(-1)!])(
  'a key of %s alone is told what it is and what it may do',
  async (scope) => {
    const { client, apiKey, workspaceId } = await createWorkspace(service, [scope]);
    const { status, envelope } = await client.request<KeyAnswer>('GET', '/api/v1/key');
    expect(status).toBe(200);
    const { serverTime, now, currencies, ...key } = envelope!.data;
    expect(key).toEqual({
      ...{ apiKey, workspaceId, owner: 'owner', scopes: [scope], address: '127.0.0.1', test: false },
      rate: { perSecond: 5, burst: 10, remaining: 4 },
      budgets: [],
    });
    for (const time of [serverTime, now]) expect(Math.abs(Date.parse(time) - envelope!.timestamp)).toBeLessThan(1_000);
    expect(currencies).toEqual(
      expect.arrayContaining([
        { code: 'JPY', decimals: 0 },
        { code: 'USD', decimals: 2 },
      ]),
    );
    expect(currencies.map(({ code }) => code)).toEqual(currencies.map(({ code }) => code).toSorted());
  },
);

it('a key with a rate of its own is told that', async () => {
  const { client, apiKey } = await createWorkspace(service);
  await service.admin('key', 'rate', '--key', apiKey, '--per-second', '3', '--burst', '4');
  const { envelope } = await client.request<KeyAnswer>('GET', '/api/v1/key');
  expect(envelope?.data.rate).toEqual({ perSecond: 3, burst: 4, remaining: 2 });
});
