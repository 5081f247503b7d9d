import type { Cell } from '../cells.ts';
import { saturatingRate } from '../load/schedule.ts';
import type { Measured } from '../measure/measured.ts';
import { measureRequests } from '../measure/requests.ts';
import { productWeb } from '../measure/sides.ts';
import type { BenchOptions } from '../options.ts';
import { measureMedici, type MediciOptions } from '../peers/measure-medici.ts';
import { measurePostgresql, type PostgresqlOptions } from '../peers/measure-postgresql.ts';
import { postgresqlPrograms, startPostgresql, type Postgresql } from '../peers/postgresql.ts';
import type { Servers } from '../servers/servers.ts';
import { bestOf, walletCounts, withStage } from './common.ts';
import { postCell } from './post-cells.ts';
import { endToEndCell } from './request-cells.ts';
import { requestOptions } from './request-options.ts';

/** Connections that are tried, of which the best counts. */
const clientsTried = [4, 8, 32] as const;
const trialSeconds = 2;
const perTransaction = 200;
const mediciAtOnceTried = [1, 4, 16] as const;
const mediciTrialTransfers = 100;
const mediciTransfersMax = 1_000;
const mediciWarmUpTransfers = 300;
/** As many lines as a request may have. */
const batchLines = 500;
const batchesName = `end to end, batches of ${batchLines}`;
const legsAnOrder = 10;

const names = {
  function: 'PostgreSQL: function, uniform',
  functionHot: 'PostgreSQL: function, hot-target',
  functionShared: `PostgreSQL: function, ${perTransaction} a transaction`,
  medici: 'medici: uniform, nothing checked',
  mediciChecked: 'medici: uniform, balance checked',
  mediciHot: 'medici: hot-source, balance checked',
} as const;

/** What people would take instead, without queue, signature or HTTP, each right before what of the service is compared with it. */
export function peerCells(options: BenchOptions): readonly Cell[] {
  const comparedAs = (cell: Cell, against: readonly string[]): Cell => ({ ...cell, against });
  return [
    ...postgresqlCells(options),
    ...mediciCells(options),
    comparedAs(postCell(options, 'uniform'), [names.function, names.medici, names.mediciChecked]),
    comparedAs(postCell(options, 'hot-target'), [names.functionHot]),
    comparedAs(postCell(options, 'hot-source'), [names.mediciHot]),
    endToEndCell(options, 'uniform', [names.function, names.mediciChecked]),
    batchesCell(options),
    legsCell(options),
  ];
}

/** Orders of many legs, counted by legs. */
function legsCell(options: BenchOptions): Cell {
  return {
    name: `end to end, legs in orders of ${legsAnOrder}`,
    role: 'product',
    unit: 'legs',
    against: [names.function, names.functionShared, batchesName],
    measure: withStage(walletCounts(options, 'uniform'), (stage, run) =>
      measureRequests(stage, productWeb(options.workers, options.profile), {
        ...requestOptions(options, 'uniform', 'create', run),
        legs: legsAnOrder,
        ratePerSecond: (options.rate ?? saturatingRate) / legsAnOrder,
        connections: Math.ceil(options.connections / legsAnOrder),
      }),
    ),
  };
}

function batchesCell(options: BenchOptions): Cell {
  return {
    name: batchesName,
    role: 'product',
    unit: 'orders',
    against: [names.function, names.functionShared],
    measure: withStage(walletCounts(options, 'uniform'), (stage, run) =>
      measureRequests(stage, productWeb(options.workers, options.profile), {
        ...requestOptions(options, 'uniform', 'create', run),
        batch: { lines: batchLines, isAtomic: false },
        ratePerSecond: (options.rate ?? saturatingRate) / batchLines,
        connections: Math.ceil(options.connections / batchLines),
      }),
    ),
  };
}

function postgresqlCells({ wallets, seconds }: BenchOptions): readonly Cell[] {
  const programs = postgresqlPrograms();
  if (programs === undefined) {
    process.stderr.write('PostgreSQL is not installed (package postgresql), so it is left out.\n');
    return [];
  }
  let starting: Promise<Postgresql> | undefined;
  const close = async (): Promise<void> => {
    await starting?.then((server) => server.close());
    starting = undefined;
  };
  const cell = (name: string, given: Pick<PostgresqlOptions, 'pattern' | 'perTransaction'>): Cell => {
    const measureWith = async (clients: number, ofSeconds: number): Promise<Measured> =>
      measurePostgresql(await (starting ??= startPostgresql(programs)), {
        ...given,
        wallets,
        clients,
        seconds: ofSeconds,
      });
    const tried = given.perTransaction === 1 ? clientsTried : [1];
    const best = bestOf(tried, (clients) => measureWith(clients, trialSeconds));
    return { ...peer(name), measure: async () => measureWith(await best(), seconds), close };
  };
  return [
    cell(names.function, { pattern: 'uniform', perTransaction: 1 }),
    cell(names.functionHot, { pattern: 'hot-target', perTransaction: 1 }),
    cell(names.functionShared, { pattern: 'uniform', perTransaction }),
  ];
}

function mediciCells(options: BenchOptions): readonly Cell[] {
  const { wallets, orders, seed } = options;
  const cell = (name: string, given: Pick<MediciOptions, 'isChecked' | 'isHot'>): Cell => {
    const measureWith = (servers: Servers, run: number, atOnce: number, transfers: number): Promise<Measured> => {
      const all = { ...given, wallets, atOnce, transfers, warmUpTransfers: mediciWarmUpTransfers, seed: seed + run };
      // Its accounts are its own: the stage's wallets stay as they are.
      return withStage({ funded: 2, unfunded: 0 }, (stage) => measureMedici(stage, all))(servers, run);
    };
    let best: (() => Promise<number>) | undefined;
    return {
      ...peer(name),
      measure: async (servers, run) => {
        best ??= bestOf(mediciAtOnceTried, (atOnce) => measureWith(servers, 0, atOnce, mediciTrialTransfers));
        return measureWith(servers, run, await best(), Math.min(orders, mediciTransfersMax));
      },
    };
  };
  return [
    cell(names.medici, { isChecked: false, isHot: false }),
    cell(names.mediciChecked, { isChecked: true, isHot: false }),
    cell(names.mediciHot, { isChecked: true, isHot: true }),
  ];
}

function peer(name: string): Omit<Cell, 'measure'> {
  return { name, role: 'baseline', unit: 'orders', against: [] };
}
