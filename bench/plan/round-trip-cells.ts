import type { Cell } from '../cells.ts';
import { measureRoundTrips } from '../measure/round-trips.ts';
import type { AnsweringSide } from '../measure/requests.ts';
import { naiveWeb, productWeb } from '../measure/sides.ts';
import type { BenchOptions } from '../options.ts';
import type { Step } from '../profile/round-trips.ts';
import { walletCounts, withStage } from './common.ts';
import { idleOptions } from './request-options.ts';

/** Of wallets that the web process has not seen for a second, and that the worker remembers: any of a thousand. */
const productSteps: readonly Step[] = [
  { process: 'web', name: 'spendNonces', about: 'spends the nonce, counts the request against the rate of its key' },
  { process: 'web', name: 'aggregate wallets', about: 'both wallets are there, active, and of the currency' },
  { process: 'web', name: 'insert orders', about: 'records the order, on a majority' },
  {
    process: 'web',
    name: 'addStandardJob',
    wakes: true,
    about: 'wakes the worker (the workspace gets in line beside it)',
  },
  { process: 'worker', name: 'moveToActive', about: 'gives the job, and so the bucket, to this worker alone' },
  { process: 'worker', name: 'takeWoken', about: 'takes the workspaces in line, tells who had the bucket before' },
  { process: 'worker', name: 'find orders', about: 'reads what is PENDING' },
  { process: 'worker', name: 'update orders', about: 'COMPLETED or FAILED, if still PENDING; begins the transaction' },
  { process: 'worker', name: 'update wallets', about: 'the balances, if the versions are those that were read' },
  { process: 'worker', name: 'insert flows', about: 'a debit and a credit' },
  { process: 'worker', name: 'commitTransaction', about: 'all or nothing, on a majority' },
  { process: 'worker', name: 'publish', wakes: true, about: 'tells whoever waits to look' },
  { process: 'web', name: 'find orders', about: 'reads the order as it ended, for the answer' },
];

const naiveSteps: readonly Step[] = [
  { process: 'web', name: 'set', about: 'spends the nonce' },
  { process: 'web', name: 'find wallets', about: 'the source' },
  { process: 'web', name: 'find wallets', about: 'the target' },
  { process: 'web', name: 'insert orders', about: 'records the order, on a majority' },
  { process: 'web', name: 'addStandardJob', wakes: true, about: 'wakes the worker' },
  { process: 'worker', name: 'moveToActive', about: 'takes the job' },
  { process: 'worker', name: 'find orders', about: 'reads the order; begins the transaction' },
  { process: 'worker', name: 'find wallets', about: 'the source' },
  { process: 'worker', name: 'find wallets', about: 'the target' },
  { process: 'worker', name: 'update wallets', about: 'the source' },
  { process: 'worker', name: 'update wallets', about: 'the target' },
  { process: 'worker', name: 'insert flows', about: 'a debit and a credit' },
  { process: 'worker', name: 'update orders', about: 'COMPLETED' },
  { process: 'worker', name: 'update wallets', about: 'counts the order in the totals' },
  { process: 'worker', name: 'commitTransaction', about: 'all or nothing, on a majority' },
  { process: 'worker', name: 'publish', wakes: true, about: 'tells whoever waits' },
];

/** What one order waits for, of a service that is idle. */
export function roundTripCells(options: BenchOptions): readonly Cell[] {
  const cell = (name: string, side: AnsweringSide, steps: readonly Step[], awaitsEnd: boolean): Cell => ({
    ...{ name, role: awaitsEnd ? 'product' : 'baseline', unit: 'orders', against: [] },
    measure: withStage(walletCounts(options, 'uniform'), (stage, run) =>
      measureRoundTrips(stage, side, steps, { ...idleOptions(options, run), awaitsEnd }),
    ),
  });
  return [
    cell('naive: until the notice of its end', naiveWeb(1), naiveSteps, false),
    cell('a create that waits, until its answer', productWeb(1), productSteps, true),
  ];
}
