import type { Document } from 'mongodb';
import { productWeb } from './sides.ts';
import { checkAnswers, load, loadOrder, type RequestOptions } from './requests.ts';
import { indexEntriesWritten } from './index-entries.ts';
import type { MongodbCost } from './measured.ts';
import { commandIn, countingOptions, isOfRequest, sumOf, type CountedCommand } from '../servers/command-count.ts';
import type { Stage } from '../servers/stage.ts';
import { WrongWorkError } from './wrong-work.ts';

/** Long enough for what looks after the process itself to be of no weight. */
const countedSeconds = 2;
const settledWithinMs = 30_000;
const pollMs = 100;

/** What reads cost MongoDB, each, and the bytes of their answers: under load, because those of one moment share commands. */
export async function countReads(stage: Stage, options: RequestOptions): Promise<MongodbCost> {
  const { commands, answered, bytes } = await run(stage, options, 0);
  return { ...each(commands.web, answered), indexEntries: 0, answerBytes: bytes / answered };
}

/** The same of creates and, apart, of the posting of their orders by one worker. */
export async function countCreates(
  stage: Stage,
  options: RequestOptions,
): Promise<{ readonly create: MongodbCost; readonly transfer: MongodbCost }> {
  const { commands, answered, bytes, sampleId } = await run(stage, options, 1);
  const entries = await entriesOfTransfer(stage, sampleId ?? '');
  return {
    create: { ...each(commands.web, answered), indexEntries: entries.create, answerBytes: bytes / answered },
    transfer: { ...each(commands.worker, answered), indexEntries: entries.transfer },
  };
}

async function run(stage: Stage, options: RequestOptions, workers: number) {
  const commands = { web: [] as CountedCommand[], worker: [] as CountedCommand[] };
  const env = { ...stage.env, NODE_OPTIONS: countingOptions };
  const side = productWeb(workers, undefined, (kind, line) => {
    const command = commandIn(line);
    if (command !== undefined && isOfRequest(command)) commands[kind].push(command);
  });
  const running = await side.start({ ...stage, env });
  try {
    const order = loadOrder(stage, side, options, running.port);
    const { result } = await load({ ...order, seconds: countedSeconds }, {});
    checkAnswers([result]);
    await untilNothingWaits(stage);
    await running.stop();
    return { commands, answered: result.byStatus['200'] ?? 0, bytes: result.bytes, sampleId: result.acceptedIds[0] };
  } finally {
    await running.stop().catch(() => undefined);
  }
}

async function untilNothingWaits({ world }: Stage): Promise<void> {
  const deadline = performance.now() + settledWithinMs;
  while ((await world.collections.backlog.snapshot({ countMax: 1, perWorkspaceMax: 1 })).waiting > 0) {
    if (performance.now() > deadline) throw new WrongWorkError('orders still wait');
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function each(commands: readonly CountedCommand[], count: number): Omit<MongodbCost, 'indexEntries'> {
  const sum = sumOf(commands);
  return {
    commands: sum.commands / count,
    read: sum.read / count,
    written: sum.written / count,
    bytes: sum.bytes / count,
  };
}

/** Of one order that was created over HTTP and COMPLETED, its two flows, and its two wallets as if by itself. */
async function entriesOfTransfer({ world }: Stage, orderId: string): Promise<{ create: number; transfer: number }> {
  const rows = (name: string, filter: Document) => world.db.collection(name).find(filter).toArray();
  const [order] = await rows('orders', { _id: orderId });
  if (order?.['status'] !== 'COMPLETED') throw new WrongWorkError(`order ${orderId} is not COMPLETED`);
  const pending = { ...order, status: 'PENDING', completedAt: null };
  const workspaceId = String(order['workspaceId']);
  const sides = { $in: [String(order['sourceWalletId']), String(order['targetWalletId'])] };
  const wallets = await rows('wallets', { workspaceId, _id: sides });
  const ofWallets = await rows('flows', { workspaceId, counterpartyWalletId: sides });
  const flows = ofWallets.filter(({ transferId }) => transferId === orderId);
  if (flows.length !== 2) throw new WrongWorkError(`order ${orderId} has ${flows.length} flows`);
  const changed = wallets.map((wallet) =>
    indexEntriesWritten('wallets', { ...wallet, sequence: -1, version: -1 }, wallet),
  );
  const inserted = flows.map((flow) => indexEntriesWritten('flows', undefined, flow));
  return {
    create: indexEntriesWritten('orders', undefined, pending),
    transfer: [indexEntriesWritten('orders', pending, order), ...changed, ...inserted].reduce((sum, n) => sum + n, 0),
  };
}
