import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom, type Random } from '../../bench/load/random.ts';
import { expectSoundBooks, ordersPath, totalOf, untilAnswered, type OrderData } from '../support/orders.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { walletNames, type Group } from './draw.ts';
import { cents, find, runGroup } from './drive.ts';
import { Model, type OrderState } from './model.ts';

/*
 * Random operations of all types on two workers, while workers are killed and frozen and Redis is emptied. Groups of wallets
 * run at once; within a group one operation follows the other, or a few at once, so that the model knows what must come of them.
 */

/** How many operations, in all. */
const operationCount = Number(process.env['MODEL_OPERATIONS'] ?? 3_000);
const seed = Number(process.env['MODEL_SEED'] ?? 20_260_101);
const workspaceCount = 4;
const groupsOfWorkspace = Number(process.env['MODEL_GROUPS'] ?? 8);
const groupCount = workspaceCount * groupsOfWorkspace;
const statuses = ['SCHEDULED', 'PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'];
const faultEveryMs = 8_000;
/** Longer than a worker's leases are its own. */
const frozenMs = 6_000;
const timeoutMs = 3_600_000;

let service: ServiceProcesses;
let workspaces: TestWorkspace[];
beforeAll(async () => {
  service = await startServiceProcesses({
    workers: 2,
    env: { KEY_RATE_PER_SECOND: '100000' },
  });
  workspaces = await Promise.all(Array.from({ length: workspaceCount }, () => createWorkspace(service)));
}, timeoutMs);
afterAll(() => service.stop());

/** Kills and freezes workers and empties Redis, again and again. @returns a function that ends it. */
function breakThings(random: Random): () => Promise<void> {
  const ended = new AbortController();
  const redis = new Redis(service.redisUrl);
  async function loop(): Promise<void> {
    while (!(await sleep(faultEveryMs, false, { signal: ended.signal }).catch(() => true))) {
      const kind = random();
      const place = Math.floor(random() * service.workers.length);
      const worker = service.workers[place]!;
      if (kind < 0.4) {
        service.workers.splice(place, 1);
        worker.kill('SIGKILL');
        await service.startWorker();
      } else if (kind < 0.7) {
        worker.kill('SIGSTOP');
        await sleep(frozenMs);
        worker.kill('SIGCONT');
      } else await redis.flushdb();
    }
    redis.disconnect();
  }
  const running = loop();
  return async () => {
    ended.abort();
    await running;
  };
}

interface ReleasesData {
  items: (OrderData & { description: string | null; sourceWalletId: string; targetWalletId: string })[];
  nextCursor: string | null;
}

/**
 * The orders by which the service wanted to release what was left of holds, and that came behind a client's release: one that
 * was asked for after the expiry is taken as long as something is left.
 */
async function belated({ workspace, walletIds }: Group): Promise<ReturnType<typeof counted>> {
  const nameOf = new Map([...walletIds].map(([name, id]) => [id, name]));
  const belatedOnes: ReturnType<typeof counted> = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { type: 'RELEASE', status: 'FAILED', size: '100', ...(cursor === undefined ? {} : { cursor }) };
    const { envelope } = await untilAnswered<ReleasesData>(workspace, 'GET', ordersPath, { query });
    const { items, nextCursor } = envelope!.data;
    for (const { description, sourceWalletId, targetWalletId, failure } of items) {
      const sides = [sourceWalletId, targetWalletId].flatMap((id) => nameOf.get(id) ?? []);
      if (description !== 'expired' || sides.length === 0) continue;
      expect(['TR4225', 'TR4226']).toContain(failure?.code);
      belatedOnes.push({ type: 'RELEASE', status: 'FAILED', sides });
    }
    cursor = nextCursor;
  }
  return belatedOnes;
}

async function makeGroup(index: number): Promise<Group> {
  const workspace = workspaces[index % workspaceCount]!;
  const model = new Model();
  const ids: [string, string][] = [];
  for (const name of walletNames) ids.push([name, await workspace.wallet()]);
  for (const name of walletNames) model.wallets.set(name, { balance: 0n, held: 0n });
  return {
    ...{ name: `g${index}`, workspace, walletIds: new Map(ids), random: createRandom(seed + index), model },
    ...{ ids: new Map(), sent: new Map(), batchIds: new Map(), atomic: [] },
  };
}

/** What is counted: the orders that the model knows, and those that released the rest of holds. */
function counted({ model }: Group): { type: string; status: OrderState['status']; sides: string[] }[] {
  const own = [...model.orders.values()].map(({ type, status, source, target }) => ({
    ...{ type, status, sides: [source, target] },
  }));
  const releases = [...model.expired].map((name) => {
    const { source, target } = model.orders.get(name)!;
    return { type: 'RELEASE', status: 'COMPLETED' as const, sides: [source, target] };
  });
  return [...own, ...releases];
}

async function expectWallets(group: Group): Promise<void> {
  const { workspace, walletIds, model } = group;
  const all = [...counted(group), ...(await belated(group))];
  for (const [name, id] of walletIds) {
    const path = `/api/v1/wallets/${id}/balance`;
    const found = (await untilAnswered<{ balance: string; held: string }>(workspace, 'GET', path)).envelope!.data;
    expect([cents(found.balance), cents(found.held)]).toEqual([model.wallet(name).balance, model.wallet(name).held]);
    const own = all.filter(({ sides }) => sides.includes(name));
    for (const status of statuses) {
      const expected = own.filter((order) => order.status === status).length;
      expect([name, status, await totalOf(workspace, `${ordersPath}/wallet/${id}`, { status })]).toEqual([
        name,
        status,
        expected,
      ]);
    }
  }
}

async function expectOrders(group: Group): Promise<void> {
  for (const [name, { type, status, reversed, captured, released }] of group.model.orders) {
    const order = await find(group, name);
    expect([name, order.type, order.status, order.batchId]).toEqual([name, type, status, group.batchIds.get(name)]);
    if (order.reversedAmount !== null) expect(cents(order.reversedAmount)).toBe(reversed);
    if (order.hold !== null)
      expect([cents(order.hold.captured), cents(order.hold.released)]).toEqual([captured, released]);
    if (order.executeAt !== null && (status === 'COMPLETED' || status === 'FAILED'))
      expect(Date.parse(order.completedAt ?? order.updatedAt)).toBeGreaterThanOrEqual(Date.parse(order.executeAt));
  }
}

async function expectBatches({ workspace, batchIds }: Group): Promise<void> {
  const query = { size: '100' };
  for (const [batchId, names] of Map.groupBy(batchIds.keys(), (name) => batchIds.get(name) ?? '')) {
    if (batchId === '') continue;
    const options = { query: { ...query, batchId } };
    const answer = await untilAnswered<{ items: OrderData[] }>(workspace, 'GET', ordersPath, options);
    expect(answer.envelope!.data.items.map(({ bizId }) => bizId).toSorted()).toEqual(names.toSorted());
  }
}

it(`${operationCount} operations end as the model says`, { timeout: timeoutMs }, async () => {
  // A few at once: wallets of one workspace are made one after the other.
  const groups = await pLimit(workspaceCount).map(
    Array.from({ length: groupCount }, (_, index) => index),
    makeGroup,
  );
  const mend = breakThings(createRandom(seed));
  try {
    await Promise.all(groups.map((group) => runGroup(group, Math.ceil(operationCount / groupCount))));
  } finally {
    await mend();
  }

  for (const group of groups) {
    await expectWallets(group);
    await expectOrders(group);
    await expectBatches(group);
  }
  for (const workspace of workspaces) {
    const own = groups.filter((group) => group.workspace === workspace);
    const orders = [...own.flatMap(counted), ...(await Promise.all(own.map(belated))).flat()];
    expect(await totalOf(workspace, ordersPath, {})).toBe(orders.length);
    for (const type of ['TRANSFER', 'DEPOSIT', 'WITHDRAWAL', 'REVERSAL', 'HOLD', 'CAPTURE', 'RELEASE']) {
      for (const status of statuses) {
        const expected = orders.filter((order) => order.type === type && order.status === status).length;
        expect([type, status, await totalOf(workspace, ordersPath, { type, status })]).toEqual([
          type,
          status,
          expected,
        ]);
      }
    }
  }
  await expectSoundBooks(service);
});
