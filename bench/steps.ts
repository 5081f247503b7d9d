import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stepsOf, type OrderSteps, type SpanLine } from './profile/steps.ts';

/** Process entry: `node bench/steps.ts FOLDER N` says where the last N orders waited, by what `bench/profile/spans.ts` left. */
const [folder, last] = process.argv.slice(2);
/** Orders that are averaged to stand for a percentile: as many beside it on either side. */
const besidePart = 200;
const steps = ['recorded', 'taken', 'begun', 'posted', 'total'] as const;

if (folder === undefined || !(Number(last) > 0)) {
  process.stderr.write('node bench/steps.ts FOLDER N\n');
  process.exitCode = 2;
} else {
  const files = await readdir(folder);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const lines = texts.flatMap((text) => text.trimEnd().split('\n'));
  const orders = stepsOf(
    lines.map((line) => JSON.parse(line) as SpanLine),
    Number(last),
  );
  process.stdout.write(`${orders.length} orders; milliseconds\n`);
  process.stdout.write(`${['', ...steps].map((name) => name.padStart(10)).join('')}\n`);
  for (const percentile of [50, 90, 99]) process.stdout.write(`${row(`p${percentile}`, around(orders, percentile))}\n`);
  const slowest = orders.at(-1);
  if (slowest !== undefined) process.stdout.write(`${row('slowest', slowest)}\n`);
}

/** The mean of the orders whose total is about that percentile. Its steps sum to it, but for the end of the job after its group. */
function around(orders: readonly OrderSteps[], percentile: number): OrderSteps {
  const middle = Math.floor((orders.length * percentile) / 100);
  const beside = Math.ceil(orders.length / besidePart);
  const those = orders.slice(Math.max(0, middle - beside), middle + beside);
  const mean = (step: (typeof steps)[number]): number =>
    those.reduce((sum, order) => sum + order[step], 0) / those.length;
  return Object.fromEntries(steps.map((step) => [step, mean(step)])) as unknown as OrderSteps;
}

function row(name: string, order: OrderSteps): string {
  return [name, ...steps.map((step) => order[step].toFixed(1))].map((cell) => cell.padStart(10)).join('');
}
