import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { terminalText } from '../../src/terminal-text.ts';
import { watchStandardOutput } from '../standard-output.ts';
import { findLocalStack, type LocalStack } from './local-stack.ts';
import { manyTransfers, type LoadResult } from './many-transfers.ts';
import { oneTransfer } from './one-transfer.ts';
import { tour } from './tour.ts';
import { readOptions, USAGE, UsageError, type Options } from './options.ts';

const PROJECT_ROOT = join(import.meta.dirname, '../..');

const output = watchStandardOutput('script/demo');
process.exitCode = await output.exitCodeAfter(await main(process.argv.slice(2)));

async function main(args: string[]): Promise<number> {
  try {
    const options = readOptions(args, PROJECT_ROOT);
    if (options.help) {
      print(USAGE);
      return 0;
    }
    return (await run(options, await findLocalStack(options.dataDir, print))) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`script/demo: ${terminalText(messageOf(error))}\n`);
    if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run({ transfers, tour: isTour, concurrency }: Options, stack: LocalStack): Promise<boolean> {
  if (isTour) {
    await tour(stack, print);
    return verify(stack);
  }
  if (transfers === undefined) return oneTransfer(stack, print);
  print(`Pushing ${transfers} signed transfers to ${stack.apiUrl}, ${concurrency} at a time ...`);
  const result = await manyTransfers(stack, { transfers, concurrency, progress: showProgress });
  print(describe(result));
  const isBalanced = await verify(stack);
  return result.accepted === transfers && result.lost.length === 0 && isBalanced;
}

function describe(result: LoadResult): string {
  const statuses = [...result.byStatus].map(([status, count]) => `${count} ${status}`).join(', ');
  const rate = (seconds: number) => `${Math.round(result.accepted / seconds)}/s`;
  return [
    `  ended     ${statuses}`,
    `  lost      ${result.lost.length}${result.lost
      .slice(0, 5)
      .map((bizId) => ` ${bizId}`)
      .join('')}`,
    `  accepted  ${result.accepted} in ${result.acceptSeconds.toFixed(1)} s (${rate(result.acceptSeconds)})`,
    `  latency   p50 ${result.acceptP50Ms.toFixed(1)} ms, p99 ${result.acceptP99Ms.toFixed(1)} ms to accept`,
    `  retries   ${result.retries}`,
    `  all terminal, each asked for, after ${result.totalSeconds.toFixed(1)} s`,
  ].join('\n');
}

/** Runs the admin command line's check of the books, which prints what it found. */
async function verify({ stackFile }: LocalStack): Promise<boolean> {
  print('admin verify:');
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'src/admin/main.ts'), 'verify'], {
    stdio: 'inherit',
    env: { ...process.env, LOCAL_STACK_FILE: stackFile },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  print(code === 0 ? 'The books are balanced.' : 'The books are NOT balanced, or could not be checked.');
  return code === 0;
}

function print(text: string): void {
  process.stdout.write(`${terminalText(text)}\n`);
}

/** In a terminal one line that changes, elsewhere a new line each time. */
function showProgress(text: string): void {
  process.stdout.write(
    process.stdout.isTTY ? `\r\x1b[K  ${text}${/^(\d+) of \1 /.test(text) ? '\n' : ''}` : `  ${text}\n`,
  );
}

/** A refused connection is an error with an empty message, and with one error for each address that was tried. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
