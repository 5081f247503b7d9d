import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommand } from '../../src/admin/run.ts';
import type { Stage } from '../servers/stage.ts';
import { WrongWorkError } from './wrong-work.ts';

/** Orders of a measurement by the state that they must have reached; the funding orders are added here. */
export interface ExpectedOrders {
  readonly completed: number;
  readonly failed: number;
  readonly pending: number;
  /** Creates whose answer never came: they may or may not have become orders. */
  readonly unknown: number;
  /** Of each order but those that fund wallets; undefined: one. */
  readonly legs?: number | undefined;
}

/** Orders that earlier measurements left in the same stage. */
export type EarlierOrders = Omit<ExpectedOrders, 'pending' | 'legs'>;

interface VerifySummary {
  readonly orders: number;
  readonly flows: number;
  readonly byStatus: Readonly<Record<string, number>>;
}

const idsPerQuery = 1_000;

/**
 * Verifies the whole books with the administrator's own command, then counts: nothing lost, nothing doubled.
 * @throws WrongWorkError saying what is wrong.
 */
export async function checkBooks(stage: Stage, expected: ExpectedOrders): Promise<void> {
  const { code, output } = await runAdmin(['verify', '--json'], stage.env);
  if (code !== 0) throw new WrongWorkError(`the books do not verify:\n${output.slice(-2_000)}`);
  const summary = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as VerifySummary;
  const completed = expected.completed + stage.world.fundingOrders;
  const states = { COMPLETED: completed, FAILED: expected.failed, PENDING: expected.pending };
  for (const [status, count] of Object.entries(states)) {
    const found = summary.byStatus[status] ?? 0;
    if (found < count || found > count + expected.unknown) {
      throw new WrongWorkError(`${found} orders are ${status}, and ${count} have to be`);
    }
  }
  const { fundingOrders } = stage.world;
  const { legs = 1 } = expected;
  const flows = 2 * (fundingOrders + ((summary.byStatus['COMPLETED'] ?? 0) - fundingOrders) * legs);
  if (summary.flows !== flows) throw new WrongWorkError(`there are ${summary.flows} flows, and ${flows} have to be`);
}

/**
 * Every order that was answered for is there, once.
 * @throws WrongWorkError naming the first that is not.
 */
export async function checkAccepted(stage: Stage, acceptedIds: readonly string[]): Promise<void> {
  const distinct = new Set(acceptedIds);
  if (distinct.size !== acceptedIds.length) throw new WrongWorkError('two creates were answered with one order');
  const orders = stage.world.db.collection<{ _id: string }>('orders');
  for (let at = 0; at < acceptedIds.length; at += idsPerQuery) {
    const ids = acceptedIds.slice(at, at + idsPerQuery);
    const rows = await orders.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const found = new Set(rows.map(({ _id }) => _id));
    const lost = ids.find((id) => !found.has(id));
    if (lost !== undefined) throw new WrongWorkError(`order ${lost} was answered for, and does not exist`);
  }
}

/** In this process, and once nothing is measured any more. */
async function runAdmin(args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [output, errors] = [text(stdout), text(stderr)];
  const code = await runCommand(args, { env, stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, output: code === 0 ? await output : (await output) + (await errors) };
}
