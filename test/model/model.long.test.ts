import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom, type Random } from '../../bench/load/random.ts';
import type { Answer } from '../support/api-client.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { left, Model, world, type Operation, type Outcome } from './model.ts';

/*
 * Random operations of all types on two workers, while workers are killed and frozen and Redis is emptied. Groups of wallets
 * run at once; within a group one operation follows the other, or two at once, so that the model knows what must come of them.
 */

/** How many operations, in all. */
const operationCount = Number(process.env['MODEL_OPERATIONS'] ?? 3_000);
const seed = Number(process.env['MODEL_SEED'] ?? 20_260_101);
const workspaceCount = 4;
const groupsOfWorkspace = Number(process.env['MODEL_GROUPS'] ?? 8);
const groupCount = workspaceCount * groupsOfWorkspace;
const walletNames = ['a', 'b', 'c'];
const faultEveryMs = 8_000;
const frozenMs = 6_000;
const shortHoldMs = 2_000;
const timeoutMs = 3_600_000;

interface OrderData {
  transferId: string;
  bizId: string;
  type: string;
  status: string;
  reversedAmount: string | null;
  hold: { state: string | null; captured: string; released: string } | null;
  failure: { code: string } | null;
}

let service: ServiceProcesses;
let workspaces: TestWorkspace[];
beforeAll(async () => {
  service = await startServiceProcesses({
    workers: 2,
    env: { KEY_RATE_PER_SECOND: '100000', KEY_RATE_BURST: '100000', POSTING_PARTITIONS: '4' },
  });
  workspaces = await Promise.all(Array.from({ length: workspaceCount }, () => createWorkspace(service)));
}, timeoutMs);
afterAll(() => service.stop());

/** Wallets that only one sequence of operations uses. */
interface Group {
  readonly name: string;
  readonly workspace: TestWorkspace;
  readonly walletIds: ReadonlyMap<string, string>;
  readonly random: Random;
  /** The transferIds of the orders that were recorded, by their names in the model. */
  readonly ids: Map<string, string>;
  readonly sent: Map<string, object>;
  model: Model;
  /** Holds that have not expired yet, and may. */
  readonly expiring: Set<string>;
  expired: number;
}

const amountText = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
const cents = (text: string): bigint => BigInt(text.replace('.', ''));

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!;
}

function draw({ random, model }: Group): Operation {
  const amount = BigInt(1 + Math.floor(random() ** 3 * 5_000));
  const [source = '', target = ''] = walletNames.toSorted(() => random() - 0.5);
  const kind = random();
  if (kind < 0.12) return { command: 'deposit', target, amount };
  if (kind < 0.18) return { command: 'withdraw', source, amount };
  if (kind < 0.4) return { command: 'create', source, target, amount };
  if (kind < 0.6) {
    const expiresAtMs = random() < 0.25 ? Date.now() + shortHoldMs : Infinity;
    return { command: 'hold', source, target: random() < 0.2 ? world : target, amount, expiresAtMs };
  }
  const names = [...model.orders.keys()];
  if (names.length === 0) return { command: 'deposit', target, amount };
  // The later ones mostly: of the earlier ones nothing is left.
  const order = names[names.length - 1 - Math.floor(random() ** 2 * Math.min(names.length, 30))]!;
  const command = pick(random, ['capture', 'capture', 'release', 'reverse', 'reverse'] as const);
  return { command, order, amount: random() < 0.3 ? undefined : amount, isFinal: random() < 0.5 };
}

function bodyOf({ walletIds, ids, random }: Group, operation: Operation, bizId: string): object {
  const notes = random() < 0.1 ? { reference: 'ref-1', metadata: { a: 'b' } } : {};
  const common = { bizId, ...notes };
  if ('order' in operation) {
    const { command, order, amount, isFinal } = operation;
    return {
      ...common,
      transferId: ids.get(order) ?? 'unknown',
      ...(amount === undefined ? {} : { amount: amountText(amount) }),
      ...(command === 'capture' && !isFinal ? { final: false } : {}),
    };
  }
  const sides = {
    ...('source' in operation ? { sourceWalletId: walletIds.get(operation.source) } : {}),
    ...('target' in operation && operation.target !== world ? { targetWalletId: walletIds.get(operation.target) } : {}),
  };
  const isShort = operation.command === 'hold' && Number.isFinite(operation.expiresAtMs);
  const expiry = isShort ? { expiresAt: new Date(operation.expiresAtMs).toISOString() } : {};
  return { ...common, ...sides, ...expiry, amount: amountText(operation.amount), currency: 'USD' };
}

/** Sends a request until it is answered: its bizId makes that safe. */
async function send<T>({ client }: TestWorkspace, method: string, path: string, options: object): Promise<Answer<T>> {
  for (;;) {
    const answer = await client.request<T>(method, path, options).catch(() => undefined);
    if (answer !== undefined && answer.status < 500) return answer;
    await sleep(200);
  }
}

async function find(group: Group, transferId: string): Promise<OrderData> {
  const path = `/api/v1/transfer/query/orders/${transferId}`;
  return (await send<OrderData>(group.workspace, 'GET', path, {})).envelope!.data;
}

async function command(group: Group, operation: Operation, name: string): Promise<Outcome> {
  const body = bodyOf(group, operation, name);
  const path = `/api/v1/transfer/command/${operation.command}`;
  const answer = await send<OrderData>(group.workspace, 'POST', path, { body, headers: { Prefer: 'wait=10' } });
  if (answer.status !== 200) return { refused: answer.envelope!.code };
  let order = answer.envelope!.data;
  group.ids.set(name, order.transferId);
  group.sent.set(name, { path, body });
  while (order.status === 'PENDING') {
    await sleep(50);
    order = await find(group, order.transferId);
  }
  return { failed: order.failure?.code };
}

/** A request that repeats another one finds its order; one that says something else with its bizId is refused. */
async function repeat(group: Group): Promise<void> {
  const [name, { path, body }] = pick(group.random, [...group.sent]) as [string, { path: string; body: object }];
  const again = await send<OrderData>(group.workspace, 'POST', path, { body });
  expect([again.status, again.envelope!.data.transferId]).toEqual([200, group.ids.get(name)]);
  const other = await send(group.workspace, 'POST', path, { body: { ...body, amount: '77777.77' } });
  expect(other.envelope!.code).toBe('TR4091');
}

const codeOf = (outcome: Outcome): string | undefined => ('refused' in outcome ? outcome.refused : outcome.failed);

interface Named {
  readonly operation: Operation;
  readonly name: string;
}

/** Does one operation, or two at once: then the model must know an order of the two in which they end as they did. */
async function step(group: Group, named: readonly Named[]): Promise<void> {
  const startedMs = Date.now();
  const outcomes = await Promise.all(named.map(({ operation, name }) => command(group, operation, name)));
  const inOrder = named.map((each, index) => ({ ...each, outcome: outcomes[index]! }));
  const due = [...group.expiring].filter((name) => group.model.orders.get(name)!.expiresAtMs <= Date.now());
  // A fault may take longer than a short hold lasts.
  const isLate = ({ operation }: Named): boolean => operation.command === 'hold' && operation.expiresAtMs <= Date.now();
  const ways = [inOrder, inOrder.toReversed()]
    .slice(0, named.length)
    .flatMap((sequence) =>
      [false, ...(due.length > 0 ? [true] : [])].flatMap((expireFirst) =>
        [false, ...(named.some(isLate) ? [true] : [])].map((postLate) => ({ sequence, expireFirst, postLate })),
      ),
    );
  const tried: unknown[] = [];
  for (const { sequence, expireFirst, postLate } of ways) {
    const model = group.model.clone();
    if (expireFirst) for (const name of due) model.expire(name);
    const expected = sequence.map((each) => model.run(each.operation, each.name, startedMs, postLate && isLate(each)));
    tried.push(expected);
    const isSo = sequence.every(({ outcome }, index) => {
      const [found, wanted] = [outcome, expected[index]!];
      // With another one at once, what is refused may be found out only when it is posted.
      return (
        codeOf(found) === codeOf(wanted) &&
        (named.length > 1 || due.length > 0 || 'refused' in found === 'refused' in wanted)
      );
    });
    if (!isSo) continue;
    for (const { operation, name, outcome } of sequence) {
      if ('failed' in outcome && !model.orders.has(name) && 'order' in operation) model.fail(operation, name);
      if ('refused' in outcome) model.orders.delete(name);
    }
    group.model = model;
    for (const { operation, name, outcome } of sequence) {
      const expires = operation.command === 'hold' && Number.isFinite(operation.expiresAtMs);
      if (expires && 'failed' in outcome && outcome.failed === undefined) group.expiring.add(name);
    }
    return;
  }
  throw new Error(`${group.name}: ${show(named)} ended as ${show(outcomes)}, not as one of ${show(tried)}`);
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
}

/** Waits until what is due has expired, so that the model knows it. */
async function settleExpired(group: Group): Promise<void> {
  for (const name of group.expiring) {
    const { expiresAtMs } = group.model.orders.get(name)!;
    if (left(group.model.orders.get(name)!) === 0n) {
      group.expiring.delete(name);
      continue;
    }
    if (expiresAtMs > Date.now() + 500) continue;
    for (;;) {
      const { hold } = await find(group, group.ids.get(name)!);
      if (hold!.state !== 'HELD') break;
      await sleep(100);
    }
    group.model.expire(name);
    group.expired += 1;
    group.expiring.delete(name);
  }
}

async function runGroup(group: Group, operations: number): Promise<void> {
  for (let done = 0; done < operations;) {
    await settleExpired(group);
    const count = group.random() < 0.2 ? 2 : 1;
    const named = Array.from({ length: count }, (_, index) => {
      const operation = draw(group);
      // Of two at once, what is left is known to neither.
      const isOpen = count > 1 && 'order' in operation && operation.amount === undefined;
      return { operation: isOpen ? { ...operation, amount: 1n } : operation, name: `${group.name}-${done + index}` };
    });
    await step(group, named);
    done += count;
    if (group.random() < 0.03 && group.sent.size > 0) await repeat(group);
  }
  while (group.expiring.size > 0) {
    await settleExpired(group);
    await sleep(100);
  }
}

/** @returns a function that ends it. */
function breakThings(random: Random): () => Promise<void> {
  const ended = new AbortController();
  const redis = new Redis(service.redisUrl);
  async function loop(): Promise<void> {
    for (;;) {
      const isOver = await sleep(faultEveryMs, false, { signal: ended.signal }).catch(() => true);
      if (isOver) break;
      const worker = pick(random, service.workers);
      const kind = random();
      if (kind < 0.4) {
        service.workers.splice(service.workers.indexOf(worker), 1);
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

async function total(workspace: TestWorkspace, query: Record<string, string>): Promise<number> {
  const path = '/api/v1/transfer/query/orders';
  const answer = await send<{ total: number }>(workspace, 'GET', path, { query: { ...query, size: '1' } });
  return answer.envelope!.data.total;
}

it(`${operationCount} operations end as the model says`, { timeout: timeoutMs }, async () => {
  // A few at once: wallets of one workspace are made one after the other.
  const groups = await pLimit(workspaceCount).map(
    Array.from({ length: groupCount }, (_, index) => index),
    async (index): Promise<Group> => {
      const workspace = workspaces[index % workspaceCount]!;
      const model = new Model();
      const ids: [string, string][] = [];
      for (const name of walletNames) ids.push([name, await workspace.wallet()]);
      for (const name of walletNames) model.wallets.set(name, { balance: 0n, held: 0n });
      return {
        ...{ name: `g${index}`, workspace, walletIds: new Map(ids), random: createRandom(seed + index) },
        ...{ ids: new Map(), sent: new Map(), model, expiring: new Set(), expired: 0 },
      };
    },
  );
  const mend = breakThings(createRandom(seed));
  try {
    await Promise.all(groups.map((group) => runGroup(group, Math.ceil(operationCount / groupCount))));
  } finally {
    await mend();
  }

  for (const { workspace, walletIds, model } of groups) {
    for (const [name, id] of walletIds) {
      const path = `/api/v1/wallets/${id}/balance`;
      const found = (await send<{ balance: string; held: string }>(workspace, 'GET', path, {})).envelope!.data;
      expect([cents(found.balance), cents(found.held)]).toEqual([model.wallet(name).balance, model.wallet(name).held]);
    }
  }
  for (const group of groups) {
    for (const [name, { type, status, reversed, captured, released }] of group.model.orders) {
      const order = await find(group, group.ids.get(name)!);
      expect([order.type, order.status]).toEqual([type, status]);
      if (order.reversedAmount !== null) expect(cents(order.reversedAmount)).toBe(reversed);
      if (order.hold !== null)
        expect([cents(order.hold.captured), cents(order.hold.released)]).toEqual([captured, released]);
    }
  }
  for (const workspace of workspaces) {
    const own = groups.filter((group) => group.workspace === workspace);
    const orders = own.flatMap(({ model }) => [...model.orders.values()]);
    const expired = own.reduce((sum, group) => sum + group.expired, 0);
    expect(await total(workspace, {})).toBe(orders.length + expired);
    for (const type of ['TRANSFER', 'DEPOSIT', 'WITHDRAWAL', 'REVERSAL', 'HOLD', 'CAPTURE', 'RELEASE']) {
      for (const status of ['COMPLETED', 'FAILED', 'PENDING']) {
        const counted = orders.filter((order) => order.type === type && order.status === status).length;
        const more = type === 'RELEASE' && status === 'COMPLETED' ? expired : 0;
        expect([type, status, await total(workspace, { type, status })]).toEqual([type, status, counted + more]);
      }
    }
  }
  const { breaches } = await service.admin<{ breaches: number }>('verify');
  expect(breaches).toBe(0);
});
