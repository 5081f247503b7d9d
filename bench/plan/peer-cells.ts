import type { Cell } from '../cells.ts';
import { saturatingRate } from '../load/schedule.ts';
import type { Measured, Terms } from '../measure/measured.ts';
import { measureRequests } from '../measure/requests.ts';
import { productWeb } from '../measure/sides.ts';
import type { BenchOptions } from '../options.ts';
import { measureExecutor, type ExecutorOptions } from '../peers/measure-executor.ts';
import { measureFunction, type FunctionPattern } from '../peers/measure-function.ts';
import { measureMedici, type MediciOptions } from '../peers/measure-medici.ts';
import { postgresqlPrograms, startPostgresql, type Postgresql } from '../peers/postgresql.ts';
import type { Servers } from '../servers/servers.ts';
import { bestOf, walletCounts, withStage } from './common.ts';
import { postCell } from './post-cells.ts';
import { endToEndCell, fewInFlight, inFlightCell } from './request-cells.ts';
import { requestOptions } from './request-options.ts';

/** Connections that are tried, of which the best counts. */
const clientsTried = [4, 8, 32] as const;
/** Batches at once that are tried, of which the best counts. */
const executorsTried = [1, 2] as const;
const trialSecondsMax = 2;
const mediciAtOnceTried = [1, 4, 16] as const;
const mediciTrialTransfers = 100;
const mediciTransfersMax = 1_000;
const mediciWarmUpTransfers = 300;
/** As many lines as a request may have. */
const batchLines = 500;
const batchesName = `end to end, batches of ${batchLines}`;
const legsAnOrder = 10;

const names = {
  function: (pattern: FunctionPattern) => `PostgreSQL: function, ${pattern}`,
  functionFew: `PostgreSQL: function, ${fewInFlight} in flight`,
  executor: (pattern: ExecutorOptions['pattern']) => `PostgreSQL: batches, ${pattern}`,
  executorFew: `PostgreSQL: batches, ${fewInFlight} in flight`,
  medici: 'medici: uniform, nothing checked',
  mediciChecked: 'medici: uniform, balance checked',
  mediciHot: 'medici: hot-source, balance checked',
} as const;

/** What people would take instead, without queue, signature or HTTP, each right before what of the service is compared with it. */
export function peerCells(options: BenchOptions): readonly Cell[] {
  const posts = (pattern: FunctionPattern, against: readonly string[] = []): Cell => ({
    ...postCell(options, pattern),
    against: [names.function(pattern), names.executor(pattern), ...against],
  });
  const hotSource: Cell = { ...postCell(options, 'hot-source'), against: [names.mediciHot] };
  const postgresql = postgresqlCells(options);
  return [
    ...mediciCells(options),
    onTerms(hotSource, posting),
    ...postgresql.of('uniform'),
    onTerms(posts('uniform', [names.medici, names.mediciChecked]), posting),
    onTerms(endToEndCell(options, 'uniform', [names.function('uniform'), names.executor('uniform')]), service),
    onTerms(batchesCell(options), service),
    onTerms(legsCell(options), service),
    ...postgresql.of('zipf'),
    onTerms(posts('zipf'), posting),
    ...postgresql.of('hot-target'),
    onTerms(posts('hot-target'), posting),
    ...postgresql.few(),
    onTerms(inFlightCell(options, fewInFlight, [names.functionFew, names.executorFew]), service),
  ];
}

/** Orders are recorded beforehand. */
const posting = ({ engine }: Servers): Terms => ({
  ...{ checksBalance: true, isSigned: false, durability: engine.durability },
});
const service = (servers: Servers): Terms => ({ ...posting(servers), isSigned: true });

function onTerms(cell: Cell, termsOf: (servers: Servers) => Terms): Cell {
  return {
    ...cell,
    measure: async (servers, run) => ({ ...(await cell.measure(servers, run)), terms: termsOf(servers) }),
  };
}

/** Orders of many legs, counted by legs. */
function legsCell(options: BenchOptions): Cell {
  return {
    name: `end to end, legs in orders of ${legsAnOrder}`,
    role: 'product',
    unit: 'legs',
    against: [names.function('uniform'), names.executor('uniform'), batchesName],
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
    against: [names.function('uniform'), names.executor('uniform')],
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

/** One server for all of them, which is started when it is first needed. */
function postgresqlCells({ wallets, seconds, connections, seed }: BenchOptions) {
  const programs = postgresqlPrograms();
  if (programs === undefined)
    process.stderr.write('PostgreSQL is not installed (package postgresql), so it is left out.\n');
  let starting: Promise<Postgresql> | undefined;
  const close = async (): Promise<void> => {
    await starting?.then((server) => server.close());
    starting = undefined;
  };
  type MeasureWith = (server: Postgresql, value: number, ofSeconds: number, run: number) => Promise<Measured>;
  /** @param tried of which the best counts. */
  const cells = (name: string, tried: readonly number[], measureWith: MeasureWith): Cell[] => {
    if (programs === undefined) return [];
    const started = (): Promise<Postgresql> => (starting ??= startPostgresql(programs));
    const best = bestOf(tried, async (value) =>
      measureWith(await started(), value, Math.min(trialSecondsMax, seconds), 0),
    );
    const measure = async (run: number): Promise<Measured> => {
      const server = await started();
      const { durability } = server;
      const measured = await measureWith(server, await best(), seconds, run);
      return { ...measured, terms: { checksBalance: true, isSigned: false, durability } };
    };
    return [{ ...peer(name), measure: (_servers, run) => measure(run), close }];
  };
  const functionCells = (name: string, pattern: FunctionPattern, tried: readonly number[]): Cell[] =>
    cells(name, tried, (server, clients, ofSeconds) =>
      measureFunction(server, { pattern, wallets, clients, seconds: ofSeconds }),
    );
  const executorCells = (name: string, pattern: FunctionPattern, inFlight: number): Cell[] =>
    cells(name, executorsTried, (server, executors, ofSeconds, run) =>
      measureExecutor(server, { pattern, wallets, inFlight, executors, seconds: ofSeconds, seed: seed + run }),
    );
  return {
    of: (pattern: FunctionPattern): Cell[] => [
      ...functionCells(names.function(pattern), pattern, clientsTried),
      ...executorCells(names.executor(pattern), pattern, connections),
    ],
    few: (): Cell[] => [
      ...functionCells(names.functionFew, 'uniform', [fewInFlight]),
      ...executorCells(names.executorFew, 'uniform', fewInFlight),
    ],
  };
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
        const measured = await measureWith(servers, run, await best(), Math.min(orders, mediciTransfersMax));
        return { ...measured, terms: { ...posting(servers), checksBalance: given.isChecked } };
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
