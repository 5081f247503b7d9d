import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { startRounds } from '../../src/waiting/rounds.ts';
import { createClient, type Client } from '../support/api-client.ts';
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

/** As a load balancer looks. */
const looks = { everyMs: 200, roundMaxMs: 2_000 };
const lookMaxMs = 1_000;

const service = await processesForTests({ webs: 2, workers: 1, env: { DRAIN_DELAY: '2' } });
const workspace = await createWorkspace(service);
const [sourceWalletId, targetWalletId] = [await workspace.wallet('100000'), await workspace.wallet()];
const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };

interface Target {
  readonly client: Client;
  readonly opsPort: number;
  isReady: boolean;
}
const targets: Target[] = [];
afterAll(() => {
  for (const { client } of targets) client.close();
});

async function look(target: Target): Promise<void> {
  const signal = AbortSignal.timeout(lookMaxMs);
  const asked = fetch(`http://127.0.0.1:${target.opsPort}/readyz`, { signal });
  // Only an answer counts: one that a busy machine delays says nothing.
  target.isReady = await asked.then(({ ok }) => ok).catch(() => target.isReady);
}

const clientOf = (port: number | undefined): Client =>
  createClient({ ...workspace, baseUrl: `http://127.0.0.1:${port ?? 0}` });

/** Has it take a share of the requests for as long as it says that it is ready. */
async function add(web: MemberProcess): Promise<Target> {
  const { port, opsPort } = await web.ready;
  const target = { client: clientOf(port), opsPort, isReady: false };
  targets.push(target);
  await waitFor(() => target.isReady);
  return target;
}

it('two web processes are replaced one after the other under load: no request is refused, no order is lost', async () => {
  const looking = startRounds({ ...looks, round: () => Promise.all(targets.map(look)) });
  const old = await Promise.all(service.webs.map(async (web) => ({ web, target: await add(web) })));
  const answers: Promise<{ status: number | string; transferId: string | undefined }>[] = [];
  const load = new AbortController();
  const creating = (async () => {
    const startedAt = performance.now();
    while (!load.signal.aborted) {
      // Behind its time where the machine is busy: then several at once.
      while (answers.length * createEveryMs < performance.now() - startedAt) {
        const ready = targets.filter(({ isReady }) => isReady);
        const answer = ready[answers.length % ready.length]!.client.request<{ transferId: string }>('POST', path, {
          body,
        });
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
    for (const { web, target } of old) {
      expect((await web.stop(stopTimeoutMs)).code).toBe(0);
      expect(target.isReady).toBe(false);
      await add(await service.startWeb(drainsLong));
    }
  } finally {
    load.abort();
    await creating;
    await looking.close();
  }
  const settled = await Promise.all(answers);
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
  const { port, opsPort } = await web.ready;
  const readiness = async () => (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status;
  expect(await readiness()).toBe(200);
  web.kill('SIGTERM');
  await waitFor(async () => (await readiness()) === 503);
  const client = clientOf(port);
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
