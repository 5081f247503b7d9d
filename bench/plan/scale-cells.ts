import type { Cell } from '../cells.ts';
import type { Measured } from '../measure/measured.ts';
import type { BenchOptions } from '../options.ts';
import { openManyBooks, type ManyBooks } from '../scale/books.ts';
import { measureKill } from '../scale/measure-kill.ts';
import { measureScale } from '../scale/measure-scale.ts';

/** Posting by one worker, two, four, up to `--workers`. */
export function scaleCells(options: BenchOptions): readonly Cell[] {
  const { seconds, seed, hot: hotPercent, delay: delayMs, orders: ordersPerWorker } = options;
  const cells: Cell[] = [];
  for (let workers = 1; workers <= options.workers; workers *= 2) {
    const first = cells[0]?.name;
    const given = { workers, seconds, hotPercent, delayMs, ordersPerWorker };
    cells.push({
      name: nameOf('scale', workers, options),
      role: 'product',
      unit: 'orders',
      against: first === undefined ? [] : [first],
      times: workers,
      measure: withBooks(options, (books, run) => measureScale(books, { ...given, seed: seed + run })),
    });
  }
  return cells;
}

/** One of several workers is killed. */
export function killCell(options: BenchOptions): Cell {
  const { workers, seconds, seed, hot: hotPercent, delay: delayMs, rate: ratePerSecond = 0 } = options;
  const given = { workers, seconds, hotPercent, delayMs, ratePerSecond };
  return {
    name: nameOf('kill', workers, options),
    role: 'product',
    unit: 'orders',
    against: [],
    measure: withBooks(options, (books, run) => measureKill(books, { ...given, seed: seed + run })),
  };
}

function nameOf(what: string, workers: number, { hot, delay }: BenchOptions): string {
  const count = `${workers} worker${workers === 1 ? '' : 's'}`;
  return [what, count, `${delay} ms each way`, ...(hot === 0 ? [] : [`${hot} % hot`])].join(', ');
}

function withBooks(
  { workspaces, wallets }: BenchOptions,
  measure: (books: ManyBooks, run: number) => Promise<Measured>,
): Cell['measure'] {
  return async (servers, run) => {
    const books = await openManyBooks(servers, workspaces, wallets);
    try {
      return await measure(books, run);
    } finally {
      await books.stage.close();
    }
  };
}
