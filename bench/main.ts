import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { measureCells, type Cell } from './cells.ts';
import type { Measured } from './measure/measured.ts';
import { WrongWorkError } from './measure/wrong-work.ts';
import { parseOptions, type BenchOptions } from './options.ts';
import { planOf } from './plan.ts';
import { describeEnvironment, environmentLines } from './report/environment.ts';
import { plot } from './report/plot.ts';
import { digits, resultTables } from './report/table.ts';
import { startServers } from './servers/servers.ts';

const exitCodes = { right: 0, wrongWork: 1, wrongUsage: 2 } as const;

const parsed = parseOptions(process.argv.slice(2));
if (parsed.kind === 'run') {
  try {
    await run(parsed.options);
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = exitCodes.wrongWork;
  }
} else {
  const stream = parsed.kind === 'help' ? process.stdout : process.stderr;
  stream.write(`${parsed.text}\n`);
  process.exitCode = parsed.kind === 'help' ? exitCodes.right : exitCodes.wrongUsage;
}

async function run(options: BenchOptions): Promise<void> {
  if (options.profile !== undefined) await mkdir(options.profile, { recursive: true });
  const servers = await startServers(options.mongodbPid);
  try {
    const environment = await describeEnvironment(servers);
    process.stdout.write(`${environmentLines(environment).join('\n')}\n\n`);
    const rows = await measureCells(planOf(options), options.runs, servers, showProgress);
    process.stdout.write(`${resultTables(rows)}\n`);
    await writeWhereAsked(options.json, () => `${JSON.stringify({ environment, options, rows }, undefined, 2)}\n`);
    await writeWhereAsked(options.svg, () => plot(rows));
  } finally {
    await servers.close();
  }
}

function showProgress({ name, unit }: Cell, runIndex: number, { perSecond, note }: Measured): void {
  const remark = note === undefined ? '' : ` (${note})`;
  process.stderr.write(`run ${runIndex + 1}: ${name}${remark}: ${digits(perSecond)} ${unit} a second\n`);
}

async function writeWhereAsked(path: string | undefined, text: () => string): Promise<void> {
  if (path === undefined) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text());
}

function describe(error: unknown): string {
  if (error instanceof WrongWorkError) return `The work was wrong, so there are no figures: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
