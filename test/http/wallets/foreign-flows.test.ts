import { expect, it } from 'vitest';
import { encodeCursor } from '../../../src/http/lists/cursor.ts';
import type { RouteParts } from '../../../src/http/parts.ts';
import type { ApiRequest, ReadingRoute } from '../../../src/http/route.ts';
import type { ListLimiter } from '../../../src/http/lists/limiter.ts';
import { createFindWallet } from '../../../src/http/wallets/find.ts';
import { flowListRoute } from '../../../src/http/wallets/flows.ts';
import type { Lists } from '../../../src/reading/lists.ts';

const wallet = 'wa_01M7Y8R1S5A8C3E6G9J2M4P7QR';

it('flows of a wallet that is not the workspace’s are not read, whatever cursor asks for them', async () => {
  let reads = 0;
  const findWallet = createFindWallet(() => Promise.resolve(undefined));
  const flowLists = {
    page: () => {
      reads += 1;
      return Promise.resolve({ items: [], hasMore: false });
    },
  } as unknown as Lists['flowLists'];
  const limiter: ListLimiter = ({ timeLeftMs }, read) => read(timeLeftMs);
  const route = flowListRoute({ findWallet, flowLists, limiter, present: {} } as unknown as RouteParts) as ReadingRoute;
  const cursor = encodeCursor({ list: `flows ${wallet}`, below: 'zz_z', total: 0, size: 20, filters: {} });
  const request = { workspaceId: 'ws_other', params: { id: wallet }, timeLeftMs: () => 10_000 };
  const handled = route.handle({ ...request, query: { cursor } } as unknown as ApiRequest);
  await expect(handled).rejects.toMatchObject({ errorName: 'WALLET_NOT_FOUND' });
  expect(reads).toBe(0);
});
