import { readFile } from 'node:fs/promises';
import { median, type Row } from './cells.ts';
import { capacityOf, type StageCosts } from './model/capacity.ts';
import { digits, medianCpu } from './report/table.ts';

/**
 * Process entry: `node bench/model.ts RESULT.json` reads what `npm run bench -- table --json RESULT.json` measured, and
 * prints what more workers and shards would reach.
 */
const [source] = process.argv.slice(2);
const workerCounts = [1, 4, 16, 64] as const;
const shardCounts = [1, 4] as const;
/** The embedded engine has one thread. */
const embeddedCores = 1;
/** A real server's CPU time a transfer and what one worker reached with it, from a prototype; see docs/benchmarks.md. */
const replicaSet = { mongodbMicros: 110 + 30, oneWorkerPerSecond: 5_500, cores: 8 } as const;

if (source === undefined) {
  process.stderr.write('node bench/model.ts RESULT.json\n');
  process.exitCode = 2;
} else {
  const { rows } = JSON.parse(await readFile(source, 'utf8')) as { rows: Row[] };
  const measured = costsOf(rows);
  print('embedded engine, measured here', measured, embeddedCores, [1]);
  print('replica set, 8 cores a primary', { ...measured, ...replicaSet }, replicaSet.cores, shardCounts);
}

function costsOf(rows: readonly Row[]): StageCosts {
  const runsOf = (name: string) => rows.find((row) => row.name === name)?.runs ?? [];
  const [accept, post] = [runsOf('accept, uniform'), runsOf('post, uniform')];
  const [acceptCpu, postCpu] = [medianCpu(accept), medianCpu(post)];
  const sum = (process: string): number => (acceptCpu[process] ?? 0) + (postCpu[process] ?? 0);
  return {
    webMicros: sum('web'),
    workerMicros: sum('worker'),
    redisMicros: sum('redis'),
    mongodbMicros: sum('mongodb'),
    oneWorkerPerSecond: median(post.map(({ perSecond }) => perSecond)),
  };
}

function print(title: string, costs: StageCosts, mongodbCores: number, shardNumbers: readonly number[]): void {
  for (const shards of shardNumbers) {
    for (const workers of workerCounts) {
      const { perSecond, limitedBy, webProcesses } = capacityOf(costs, { workers, mongodbCores, shards });
      const cells = [title, shards, workers, digits(perSecond), limitedBy, webProcesses];
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
  }
}
