import { expect, it } from 'vitest';
import { createThroughFailover } from '../../src/waiting/failover.ts';
import type { ApiRequest, ChangingRoute } from '../../src/http/route.ts';
import { createChangeOnce } from '../../src/http/single-use.ts';
import type { SignedRequests } from '../../src/storage/signed-requests.ts';

it('a change does not begin once its client was told that it took too long', async () => {
  let leftMs = 1_000;
  let changes = 0;
  const signedRequests = {
    use: () => {
      leftMs = 0;
      return Promise.resolve(true);
    },
  } as unknown as SignedRequests;
  const changeOnce = createChangeOnce(
    signedRequests,
    createThroughFailover(() => false),
  );
  const route = { prepare: () => () => Promise.resolve({ data: (changes += 1) }) } as unknown as ChangingRoute;
  const request = { workspaceId: 'ws', timeLeftMs: () => leftMs } as unknown as ApiRequest;
  await expect(changeOnce(route, request)).rejects.toMatchObject({ errorName: 'ANSWER_TOO_LATE' });
  expect(changes).toBe(0);
});
