import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { createClient } from '../support/api-client.ts';
import { startBalancer } from '../support/balancer.ts';
import type { MemberProcess } from '../support/members.ts';
import { processesForTests } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const stopTimeoutMs = 20_000;
const createsPerSecond = 25;
const createEveryMs = 1_000 / createsPerSecond;
const path = '/api/v1/transfer/command/create';
/** Those that the others are replaced by would drain for longer than any test waits. */
const drainsLong = { DRAIN_DELAY: '300' };

const service = await processesForTests({ webs: 2, workers: 1, env: { DRAIN_DELAY: '2' } });
const balancer = await startBalancer();
const workspace = await createWorkspace(service);
const [sourceWalletId, targetWalletId] = [await workspace.wallet('100000'), await workspace.wallet()];
const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
afterAll(() => balancer.close());

const add = async (web: MemberProcess): Promise<number> => {
  const { port = 0, opsPort } = await web.ready;
  balancer.add({ port, opsPort });
  await waitFor(() => balancer.readyPorts().includes(port));
  return port;
};

it('two web processes are replaced one after the other under load: no request is refused, no order is lost', async () => {
  const old = [...service.webs];
  for (const web of old) await add(web);
  const { apiKey, apiSecret } = workspace;
  const client = createClient({ baseUrl: balancer.url, apiKey, apiSecret });
  const answers: Promise<{ status: number | string; transferId: string | undefined }>[] = [];
  const load = new AbortController();
  const creating = (async () => {
    const startedAt = performance.now();
    while (!load.signal.aborted) {
      // Behind its time where the machine is busy: then several at once.
      while (answers.length * createEveryMs < performance.now() - startedAt) {
        const answer = client.request<{ transferId: string }>('POST', path, { body });
        answers.push(
          answer.then(
            ({ status, envelope }) => ({ status, transferId: envelope?.data.transferId }),
            (error: unknown) => ({ status: String(error), transferId: undefined }),
          ),
        );
      }
      await delay(createEveryMs);
    }
  })();
  try {
    for (const web of old) {
      const { port = 0 } = await web.ready;
      expect((await web.stop(stopTimeoutMs)).code).toBe(0);
      expect(balancer.readyPorts()).not.toContain(port);
      await add(await service.startWeb(drainsLong));
    }
  } finally {
    load.abort();
    await creating;
  }
  const settled = await Promise.all(answers);
  client.close();
  expect(settled.filter(({ status }) => status !== 200)).toEqual([]);
  expect(new Set(settled.map(({ transferId }) => transferId)).size).toBe(settled.length);
  await waitFor(async () => ((await verified()).byStatus['PENDING'] ?? 0) === 0, {
    timeoutMs: 60_000,
    intervalMs: 500,
  });
  // The two wallets' funding is an order too.
  expect(await verified()).toMatchObject({ breaches: 0, byStatus: { COMPLETED: settled.length + 1, FAILED: 0 } });
});

interface Verified {
  byStatus: Record<string, number>;
}
const verified = () => service.admin<Verified>('verify');

it('a process that drains says so, goes on serving, and asks its clients to close; a second signal waits for nobody', async () => {
  const [web] = service.webs.slice(-2) as [MemberProcess];
  const { port = 0, opsPort } = await web.ready;
  const readiness = async () => (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status;
  expect(await readiness()).toBe(200);
  web.kill('SIGTERM');
  await waitFor(async () => (await readiness()) === 503);
  const { apiKey, apiSecret } = workspace;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, apiSecret });
  const { status, headers } = await client.request('POST', path, { body });
  client.close();
  expect([status, headers.connection]).toEqual([200, 'close']);
  web.kill('SIGTERM');
  expect((await web.exited).code).toBe(1);
});

it('an interrupt waits for nobody', async () => {
  const [web] = service.webs.slice(-1) as [MemberProcess];
  web.kill('SIGINT');
  expect((await web.exited).code).toBe(0);
});
