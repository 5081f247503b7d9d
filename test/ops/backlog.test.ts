import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const backlogMax = 5;
let service: RunningService;

beforeAll(async () => {
  service = await startService({ workers: 0, env: { BACKLOG_MAX: String(backlogMax) } });
});
afterAll(() => service.stop());

const textOf = async (path: string) => (await fetch(service.opsUrl + path)).text();

it('more orders than are counted are said to be so, alike everywhere, and refused', async () => {
  const workspace = await createWorkspace(service);
  const [sourceWalletId, targetWalletId] = [await workspace.wallet(), await workspace.wallet()];
  const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  const create = () => workspace.client.request('POST', '/api/v1/transfer/command/create', { body });
  // The limit is looked at once a second: many at once pass it.
  await Promise.all(Array.from({ length: 3 * backlogMax }, create));
  const scaling = await waitFor(async () => {
    const answer = JSON.parse(await textOf('/scaling')) as Record<string, unknown>;
    return answer['isLowerBound'] === true ? answer : undefined;
  });
  expect(scaling).toMatchObject({ pendingOrders: backlogMax });
  expect(await textOf('/')).toMatch(new RegExp(`<b>${backlogMax} or more</b\\s*><span>orders`));
  const metrics = await textOf('/metrics');
  expect(metrics).toContain(`transfers_pending_orders ${backlogMax}\n`);
  expect((await create()).status).toBe(503);
});
