import { expect, it } from 'vitest';
import { createCurrencies } from '../../src/domain/currency.ts';
import { encodeCursor } from '../../src/http/cursor.ts';
import { createListQueries } from '../../src/http/list-queries.ts';
import type { ApiRequest, ReadingRoute } from '../../src/http/routes.ts';
import { walletRoutes, type WalletTools } from '../../src/http/wallets.ts';

const wallet = 'wa_01M7Y8R1S5A8C3E6G9J2M4P7QR';

it('flows of a wallet that is not the workspace’s are not read, whatever cursor asks for them', async () => {
  let reads = 0;
  const tools = {
    wallets: { findVisible: (asked: readonly unknown[]) => Promise.resolve(asked.map(() => undefined)) },
    flowLists: {
      page: () => {
        reads += 1;
        return Promise.resolve({ items: [], hasMore: false });
      },
    },
    queries: createListQueries(createCurrencies(new Map())),
    inTurn: ({ timeLeftMs }: ApiRequest, read: (leftMs: () => number) => unknown) => read(timeLeftMs),
    present: {},
    throughFailover: (_workspaceId: string, attempt: () => unknown) => attempt(),
  } as unknown as WalletTools;
  const route = walletRoutes(tools).find(({ path }) => path.endsWith('/flows')) as ReadingRoute | undefined;
  const cursor = encodeCursor({ list: `flows ${wallet}`, below: 'zz_z', total: 0, size: 20, filters: {} });
  const request = { workspaceId: 'ws_other', params: { id: wallet }, timeLeftMs: () => 10_000 };
  const handled = route?.handle({ ...request, query: new URLSearchParams({ cursor }) } as unknown as ApiRequest);
  await expect(handled).rejects.toMatchObject({ errorName: 'WALLET_NOT_FOUND' });
  expect(reads).toBe(0);
});
