import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

const TRANSFERS_MAX = 1_000_000;
const CONCURRENCY_MAX = 1_024;

export interface Options {
  dataDir: string;
  /** Undefined: one transfer, shown request by request. */
  transfers: number | undefined;
  tour: boolean;
  concurrency: number;
  help: boolean;
}

export const USAGE = `Usage: script/demo [--transfers N [--concurrency N] | --tour] [--data DIR]

Without options: creates one signed transfer on the running stack, follows it to COMPLETED, and shows each
request and answer.

  --transfers N     pushes N signed transfers in both directions, waits until each is terminal, and checks the books
  --concurrency N   requests under way at once (default 64)
  --tour            shows an order of each type: a deposit, a hold, its capture in part, a reversal, a withdrawal; a sale of
                    several legs; a wallet from its making to its statement; a hold of a week and a rent of three
                    months, in seconds; and checks the books
  --data DIR        data folder of the stack (default .data in this project)
  --help            this text
`;

/** Thrown for a wrong command line; its message is for the user. */
export class UsageError extends Error {}

/** Reads script/demo's command line. Throws UsageError if it is wrong. */
export function readOptions(args: string[], projectRoot: string): Options {
  const values = parse(args);
  if (values.concurrency !== undefined && values.transfers === undefined) {
    throw new UsageError('--concurrency goes with --transfers.');
  }
  if (values.tour === true && values.transfers !== undefined) {
    throw new UsageError('--tour and --transfers do not go together.');
  }
  return {
    dataDir: values.data === undefined ? resolve(projectRoot, '.data') : resolve(values.data),
    transfers: values.transfers === undefined ? undefined : count('--transfers', values.transfers, TRANSFERS_MAX),
    concurrency: count('--concurrency', values.concurrency ?? '64', CONCURRENCY_MAX),
    tour: values.tour ?? false,
    help: values.help ?? false,
  };
}

function count(option: string, text: string, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw new UsageError(`${option} takes a whole number from 1 to ${max}.`);
  }
  return value;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        transfers: { type: 'string' },
        concurrency: { type: 'string' },
        data: { type: 'string' },
        tour: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
