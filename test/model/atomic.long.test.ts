import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal128, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom, type Random } from '../../bench/load/random.ts';
import {
  commandsPath,
  expectSoundBooks,
  findOrder,
  hasEnded,
  ordersIn,
  patient,
  untilAnswered,
  untilOrder,
  type BatchData,
} from '../support/orders.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { breakThings } from './break-things.ts';

/*
 * A stream of atomic batches while workers are killed and frozen, and Redis is emptied. Each moves all that it says, or nothing.
 * Two of them have a line that cannot be posted at all: they are set aside as a whole, hold up nobody, and are released as a
 * whole.
 */

/** How many batches, in all. */
const batchCount = Number(process.env['ATOMIC_BATCHES'] ?? 400);
const seed = Number(process.env['ATOMIC_SEED'] ?? 20_260_101);
const streams = 8;
const walletCount = 6;
const partitionCount = 4;
/** Of each wallet at first: little enough for some batches to fail. */
const funds = 300;
const linesMax = 20;
const amountMax = 40;
const faults = { everyMs: 3_000, killed: 0.55, frozen: 0.15 };
/** Far longer than a batch takes that is posted at once. */
const probeMs = 1_000;
const setAsideWithinMs = 120_000;
const timeoutMs = 3_600_000;

interface OrderRow {
  _id: string;
  status: string;
}
/** Wallets by their places. */
interface Line {
  readonly source: number;
  readonly target: number;
  readonly amount: number;
}
interface Sent {
  readonly lines: readonly Line[];
  readonly ids: readonly string[];
}

let service: ServiceProcesses;
let mongodb: MongoClient;
let workspace: TestWorkspace;
const wallets: string[] = [];
beforeAll(async () => {
  const rates = { KEY_RATE_PER_SECOND: '100000' };
  service = await startServiceProcesses({
    workers: 2,
    env: { ...rates, POSTING_PARTITIONS: String(partitionCount) },
  });
  mongodb = new MongoClient(service.mongodbUri);
  workspace = await createWorkspace(service);
  for (let made = 0; made < walletCount; made += 1) wallets.push(await workspace.wallet(String(funds)));
});
afterAll(async () => {
  await mongodb.close();
  await service.stop();
});

const orders = () => mongodb.db().collection<OrderRow>('orders');

function drawLines(random: Random): Line[] {
  const below = (count: number): number => Math.floor(random() * count);
  return Array.from({ length: 1 + below(linesMax) }, () => {
    const source = below(walletCount);
    return { source, target: (source + 1 + below(walletCount - 1)) % walletCount, amount: 1 + below(amountMax) };
  });
}

async function send(lines: readonly Line[], name: string, headers: Record<string, string> = patient): Promise<Sent> {
  const transfers = lines.map(({ source, target, amount }, index) => ({
    ...{ bizId: `${name}.${index}`, sourceWalletId: wallets[source], targetWalletId: wallets[target] },
    ...{ amount: String(amount), currency: 'USD' },
  }));
  const { status, envelope } = await untilAnswered<BatchData>(workspace, 'POST', `${commandsPath}/batch`, {
    body: { transfers, atomic: true },
    headers,
  });
  expect([status, envelope!.code]).toEqual([200, '2000']);
  const orders = ordersIn(envelope!.data);
  expect(orders.map(({ batchId }) => batchId)).toEqual(lines.map(() => envelope!.data.batchId));
  return { lines, ids: orders.map(({ transferId }) => transferId) };
}

/** Waits until all of a batch have ended: together, as far as anybody sees. @returns whether they are COMPLETED. */
async function isMoved({ ids }: Sent): Promise<boolean> {
  await untilOrder(workspace, ids[0]!, hasEnded);
  const ended = await Promise.all(ids.map((id) => findOrder(workspace, id)));
  const codes = ended.map(({ failure }) => failure?.code);
  const isDone = ended[0]!.status === 'COMPLETED';
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set([isDone ? 'COMPLETED' : 'FAILED']));
  expect(new Set(ended.map(({ completedAt }) => completedAt)).size).toBe(1);
  if (!isDone) expect(codes.toSorted()).toEqual(['TR4223', ...ids.slice(1).map(() => 'TR4229')]);
  return isDone;
}

/** Batches of which one line cannot be posted: its amount is none, from before a worker sees it. */
async function poison(places: readonly number[]) {
  const turn = async (verb: string) => {
    for (let partition = 0; partition < partitionCount; partition += 1)
      await service.admin('partitions', verb, '--partition', String(partition), '--reason', 'a test');
  };
  const lines = [0, 1, 2].map((source) => ({ source, target: source + 1, amount: 1 }));
  await turn('pause');
  const probes: Sent[] = [];
  // Workers hear of the pause one after the other.
  await waitFor(async () => {
    const probe = await send(lines, `probe-${probes.length}`, {});
    probes.push(probe);
    await sleep(probeMs);
    return (await findOrder(workspace, probe.ids[0]!)).status === 'PENDING';
  });
  const batches: Sent[] = [];
  for (const place of places) batches.push(await send(lines, `poisoned-${place}`, {}));
  for (const [index, { ids }] of batches.entries()) await setAmount(ids[places[index]!]!, Decimal128.fromString('NaN'));
  await turn('resume');
  return { batches, probes };
}

async function setAmount(_id: string, amount: Decimal128): Promise<void> {
  const { modifiedCount } = await orders().updateOne(
    { _id, status: { $nin: ['COMPLETED', 'FAILED'] } },
    { $set: { amount } },
    { bypassDocumentValidation: true },
  );
  expect(modifiedCount).toBe(1);
}

const rowsOf = ({ ids }: Sent) =>
  orders()
    .find({ _id: { $in: [...ids] } })
    .sort({ _id: 1 })
    .toArray();

it(`${batchCount} atomic batches are each posted as a whole`, { timeout: timeoutMs }, async () => {
  const balances = wallets.map(() => funds);
  let [moved, failed] = [0, 0];
  const settle = async (sent: Sent): Promise<void> => {
    const isDone = await isMoved(sent);
    if (isDone) moved += 1;
    else failed += 1;
    for (const { source, target, amount } of isDone ? sent.lines : []) {
      balances[source]! -= amount;
      balances[target]! += amount;
    }
  };
  const { batches: poisoned, probes } = await poison([0, 2]);
  for (const probe of probes) await settle(probe);
  const mend = breakThings(service, createRandom(seed), faults);
  try {
    const stream = async (index: number): Promise<void> => {
      const random = createRandom(seed + index + 1);
      for (let done = 0; done < batchCount / streams; done += 1)
        await settle(await send(drawLines(random), `s${index}-${done}`));
    };
    await Promise.all(Array.from({ length: streams }, (_, index) => stream(index)));
    await waitFor(
      async () => (await Promise.all(poisoned.map(rowsOf))).every(([first]) => first!.status === 'SET_ASIDE'),
      { timeoutMs: setAsideWithinMs, what: 'Being set aside' },
    );
  } finally {
    await mend();
  }
  for (const batch of poisoned) {
    const rows = await rowsOf(batch);
    expect(rows.filter(({ status }) => !status.startsWith('SET_ASIDE'))).toEqual([]);
    expect((await findOrder(workspace, batch.ids[1]!)).status).toBe('PENDING');
    expect(
      await mongodb
        .db()
        .collection('flows')
        .countDocuments({ transferId: { $in: [...batch.ids] } }),
    ).toBe(0);
  }
  for (const [index, { ids }] of poisoned.entries()) {
    await setAmount(ids[index === 0 ? 0 : 2]!, Decimal128.fromString('1'));
    // By whichever order of the batch.
    await service.admin('transfer', 'retry', '--id', ids[index]!, '--reason', 'the amount was mended');
  }
  for (const batch of poisoned) await settle(batch);
  console.log(`${moved} batches were moved, ${failed} failed`);
  expect(moved + failed).toBe(Math.ceil(batchCount / streams) * streams + probes.length + poisoned.length);

  for (const [index, id] of wallets.entries()) {
    const { envelope } = await untilAnswered<{ balance: string }>(workspace, 'GET', `/api/v1/wallets/${id}/balance`);
    expect([index, Number(envelope!.data.balance)]).toEqual([index, balances[index]]);
  }
  await expectSoundBooks(service);
});
