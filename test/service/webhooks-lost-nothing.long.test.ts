import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../webhooks/delivering.ts';

/** The docs show it with 10,000. */
const given = process.env['WEBHOOK_TRANSFERS'];
const transfers = Number(given ?? 300);
const inFlightMax = 100;
/** One transfer in so many has not the money, is another workspace's, is not taken by its receiver at first. */
const [unfundedEach, othersEach, refusedEach] = [7, 11, 10];

let service: ServiceProcesses;
let parties: Awaited<ReturnType<typeof createParty>>[];

beforeAll(async () => {
  service = await startServiceProcesses({ workers: 2, env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
  parties = await Promise.all([createParty(), createParty()]);
}, 60_000);
afterAll(async () => {
  await service.stop();
  for (const { receiver } of parties) await receiver.close();
});

/** A workspace, its webhook, and what it asked for: the type of event that is to come, by order. */
async function createParty() {
  const receiver = await startReceiver();
  const workspace = await createWorkspace(service);
  const { client } = workspace;
  const [sourceWalletId, targetWalletId] = [await workspace.wallet('1000000'), await workspace.wallet()];
  const body = { url: receiver.url, events: ['transfer.completed', 'transfer.failed'] };
  const { envelope } = await client.request<{ secret: string }>('POST', '/api/v1/webhooks', { body });
  const asked = new Map<string, string>();
  return {
    ...{ receiver, asked, secret: envelope?.data.secret ?? '' },
    async transfer(amount: string, type: string): Promise<void> {
      // As a careful client: what was not answered, or with 503, is asked again with the same id.
      const order = { bizId: randomUUID(), sourceWalletId, targetWalletId, amount, currency: 'USD' };
      const create = () =>
        client.request<{ transferId: string }>('POST', '/api/v1/transfer/command/create', { body: order });
      const answer = await waitFor(
        async () => {
          const got = await create();
          return got.status === 503 ? undefined : got;
        },
        { timeoutMs: 120_000, intervalMs: 500 },
      );
      if (answer.status !== 200) throw new Error(answer.text);
      asked.set(answer.envelope?.data.transferId ?? '', type);
    },
  };
}

it(
  `of ${transfers} transfers, Redis emptied twice and workers killed while they send, each is told of, and nothing else`,
  { timeout: 900_000 },
  async () => {
    const startedAt = performance.now();
    const [main, other] = parties as [(typeof parties)[0], (typeof parties)[0]];
    const redis = new Redis(service.redisUrl);
    const { received } = main.receiver;
    const [held, takesAll] = [new Set<unknown>(), Promise.withResolvers<undefined>()];
    main.receiver.answerWith((request, response) => {
      const answer = (): void => void response.writeHead(received.length % refusedEach === 0 ? 500 : 200).end();
      if (received.length < transfers / 4) answer();
      else {
        held.add(request.socket);
        void takesAll.promise.then(answer);
      }
    });
    let made = 0;
    const feed = async (): Promise<void> => {
      while (made < transfers) {
        const place = (made += 1);
        const party = place % othersEach === 0 ? other : main;
        const isFunded = place % unfundedEach !== 0;
        await party.transfer(isFunded ? '1' : '99999999', isFunded ? 'transfer.completed' : 'transfer.failed');
        if (place === Math.floor(transfers / 3)) await redis.flushdb();
      }
    };
    const feeding = Promise.all(Array.from({ length: Math.min(inFlightMax, transfers / 10) }, feed));
    feeding.catch(() => undefined);
    // Whichever of the two is sending dies with requests under way.
    await waitFor(() => held.size > 0, { timeoutMs: 120_000 });
    await service.startWorker();
    await redis.flushdb();
    const killed = service.workers.slice(0, 2);
    for (const worker of killed) worker.kill('SIGKILL');
    await Promise.all(killed.map((worker) => worker.exited));
    takesAll.resolve(undefined);
    await feeding;
    redis.disconnect();

    for (const { receiver, asked, secret } of parties) {
      const told = new Map<string, string>();
      let seen = 0;
      await waitFor(
        () => {
          for (const { body, headers } of receiver.received.slice(seen)) {
            const { type, data } = new Webhook(secret).verify(body, headers) as Told;
            expect(headers['webhook-id']).toBe(data.transferId.replace('tr_', 'ev_'));
            told.set(data.transferId, type);
            seen += 1;
          }
          return told.size >= asked.size;
        },
        { timeoutMs: 600_000 },
      );
      expect([...told].sort()).toEqual([...asked].sort());
    }
    if (given !== undefined) process.stdout.write(`${figures(performance.now() - startedAt)}\n`);
  },
);

interface Told {
  type: string;
  data: { transferId: string; completedAt: string | null };
}

/** For the docs. */
function figures(tookMs: number): string {
  const all = parties.flatMap(({ receiver }) => receiver.received);
  const first = new Map<string, number>();
  for (const { body, at } of all) {
    const { data } = JSON.parse(body) as Told;
    if (data.completedAt !== null && !first.has(data.transferId)) {
      first.set(data.transferId, at - Date.parse(data.completedAt));
    }
  }
  const waits = [...first.values()].sort((a, b) => a - b);
  const wait = (share: number): string => `${waits[Math.floor(share * (waits.length - 1))] ?? NaN} ms`;
  const events = new Set(all.map(({ headers }) => headers['webhook-id'])).size;
  return (
    `${events} events, received ${all.length} times, in ${Math.round(tookMs / 1_000)} s; ` +
    `from COMPLETED to received first: median ${wait(0.5)}, p99 ${wait(0.99)}, most ${wait(1)}`
  );
}
