import { createClient } from 'signed-wallet-client';
import { systemClock } from '../../src/clock.ts';
import { newIdOf } from '../../src/domain/ids.ts';
import { newOrder } from '../../src/orders/order.ts';
import type { LoadResult } from '../load/load-order.ts';
import { startDelayProxy } from '../servers/delay-proxy.ts';
import type { Stage } from '../servers/stage.ts';
import { createWorkspace, currency, type Workspace } from '../servers/workspace.ts';
import { checkAccepted, checkBooks } from './check-books.ts';
import { record, wake } from './enqueue.ts';
import type { Measured } from './measured.ts';
import { terminalMs } from './noisy-neighbour.ts';
import { checkAnswers, load, loadOrder, type RequestOptions } from './requests.ts';
import { productWeb } from './sides.ts';
import { WrongWorkError } from './wrong-work.ts';

export interface TestClockOptions {
  readonly workers: number;
  /** Between the service and MongoDB, in each direction, so that the cores suffice. */
  readonly delayMs: number;
  /** How many orders come due in a month. */
  readonly orders: number;
  /** The transfers of another workspace. */
  readonly transfers: RequestOptions;
}

const dayMs = 86_400_000;
/** Twice a day for a month. */
const moments = 62;

/**
 * How long the transfers of a workspace take: by themselves, beside another workspace that has as many orders posted at once, and
 * beside a test workspace that advances by a month in which as many come due.
 */
export async function measureTestClock(stage: Stage, options: TestClockOptions): Promise<Measured> {
  const { workers, delayMs, orders, transfers } = options;
  const { world } = stage;
  const tested = await createWorkspace(world, transfers.wallets, 1, newIdOf('workspace', true, systemClock()));
  const busy = await createWorkspace(world, transfers.wallets, 1);
  const side = productWeb(workers);
  const proxy = await startDelayProxy(stage, delayMs);
  const running = await side.start({ ...stage, env: proxy.env });
  const ask = async (seed: number): Promise<LoadResult> =>
    (await load(loadOrder(stage, side, { ...transfers, seed }, running.port), running.pids)).result;
  const advance = async (): Promise<number> => {
    await schedule(stage, tested, orders);
    const startedAt = performance.now();
    const [key = { apiKey: '', apiSecret: '' }] = tested.keys;
    const client = createClient({ baseUrl: `http://127.0.0.1:${running.port}`, ...key });
    const { started } = await client.test.clock.advance({ by: 'P31D' });
    if (started !== orders) throw new WrongWorkError(`of ${orders} orders ${started} came due`);
    return (performance.now() - startedAt) / 1_000;
  };
  try {
    const warmUp = await ask(transfers.seed + 2);
    const alone = await ask(transfers.seed);
    const [besideBusy] = await Promise.all([ask(transfers.seed + 3), post(stage, busy, orders)]);
    const byItself = await advance();
    const [beside, seconds] = await Promise.all([ask(transfers.seed + 1), advance()]);
    await running.stop();
    const results = [warmUp, alone, besideBusy, beside];
    const acceptedIds = results.flatMap((result) => result.acceptedIds);
    checkAnswers(results);
    await checkAccepted(stage, acceptedIds);
    const completed = acceptedIds.length + tested.fundingOrders + busy.fundingOrders + 3 * orders;
    await checkBooks(stage, { completed, failed: 0, pending: 0, unknown: 0 });
    const p99 = {
      'p99 alone, ms': terminalMs(alone, 99),
      'p99 beside a busy workspace, ms': terminalMs(besideBusy, 99),
      'p99 beside, ms': terminalMs(beside, 99),
      'p99 beside ÷ alone': terminalMs(beside, 99) / terminalMs(alone, 99),
      'p99 beside ÷ beside a busy workspace': terminalMs(beside, 99) / terminalMs(besideBusy, 99),
    };
    return figures(beside, { 'advance by itself, s': byItself, 'advance beside, s': seconds, ...p99 });
  } finally {
    await running.stop().catch(() => undefined);
    await proxy.stop();
  }
}

/** Records orders of a test workspace that come due within a month of its time. */
async function schedule(stage: Stage, { workspaceId, walletIds }: Workspace, count: number): Promise<void> {
  const now = (await stage.world.collections.testClocks.clockOf(workspaceId))();
  const [sourceWalletId, targetWalletId] = walletIds;
  const due = Array.from({ length: count }, (_, index) => {
    const executeAt = new Date(now.getTime() + ((1 + (index % moments)) * 30.5 * dayMs) / moments);
    const values = { type: 'TRANSFER', workspaceId, sourceWalletId, targetWalletId, amount: '1', currency, executeAt };
    return newOrder(values as Parameters<typeof newOrder>[0], now);
  });
  await record(stage, due);
}

/** Has orders of a workspace posted at once. */
async function post(stage: Stage, { workspaceId, walletIds }: Workspace, count: number): Promise<void> {
  const [sourceWalletId, targetWalletId] = walletIds;
  const values = { type: 'TRANSFER', workspaceId, sourceWalletId, targetWalletId, amount: '1', currency };
  const orders = Array.from({ length: count }, () => newOrder(values as Parameters<typeof newOrder>[0]));
  await record(stage, orders);
  await wake(stage, orders);
}

function figures(beside: LoadResult, more: Readonly<Record<string, number>>): Measured {
  const done = beside.acceptedIds.length;
  return {
    done,
    recorded: done,
    seconds: beside.answerSeconds,
    perSecond: done / beside.answerSeconds,
    dropped: beside.dropped,
    figures: more,
    cpuMicros: {},
    ...(beside.answerLatency === undefined ? {} : { answerLatency: beside.answerLatency }),
    ...(beside.terminalLatency === undefined ? {} : { terminalLatency: beside.terminalLatency }),
  };
}
