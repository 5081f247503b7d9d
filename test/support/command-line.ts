import { randomInt } from 'node:crypto';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Thrown for wrong usage; its message is for the user. */
class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const seedMax = 0x7fffffff;

type Known = NonNullable<ParseArgsConfig['options']>;
type Values<T extends Known> = ReturnType<typeof parseArgs<{ options: T }>>['values'];

interface Program<T extends Known> {
  readonly options: T;
  readonly helpText: string;
  /** @returns the exit code. */
  readonly run: (values: Values<T>) => Promise<number>;
}

/**
 * Runs a program of the tests with the arguments of this process. Exits with 0 where everything held, 1 where it did not or
 * could not go on, 2 for wrong usage.
 */
export async function runMain<const T extends Known>({ options, helpText, run }: Program<T>): Promise<void> {
  try {
    const help = { help: { type: 'boolean', short: 'h' } } as const;
    const { help: isHelp, ...values } = readArguments({ ...options, ...help });
    if (isHelp === true) process.stdout.write(helpText);
    else process.exitCode = await run(values as Values<T>);
  } catch (error) {
    process.exitCode = error instanceof UsageError ? 2 : 1;
    process.stderr.write(`${error instanceof UsageError ? error.message : String((error as Error).stack)}\n`);
  }
}

function readArguments(options: Known): Record<string, unknown> {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`${(error as Error).message}\nThere are ${names.join(', ')}.`, { cause: error });
  }
}

/** From now on the first SIGINT ends nothing but this signal. */
export function interrupted(): AbortSignal {
  const stopping = new AbortController();
  process.once('SIGINT', () => {
    stopping.abort(new Error('stopped by SIGINT'));
  });
  return stopping.signal;
}

interface Limits<Otherwise> {
  otherwise: Otherwise;
  min: number;
  max: number;
}

/** @throws UsageError what was given is none, or beyond the limits. */
export function whole<Otherwise extends number | undefined>(
  option: string,
  text: string | undefined,
  { otherwise, min, max }: Limits<Otherwise>,
): number | Otherwise {
  if (text === undefined) return otherwise;
  if (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw new UsageError(`${option} takes a whole number from ${min} to ${max}.`);
}

export const readSeed = (text: string | undefined): number =>
  whole('--seed', text, { otherwise: randomInt(seedMax), min: 0, max: seedMax });

/** Those of these names; all where none is given. @throws UsageError naming those that there are. */
export function chosenOf<T extends { readonly name: string }>(
  what: string,
  names: readonly string[] | undefined,
  all: readonly T[],
): readonly T[] {
  return (
    names?.map((name) => {
      const found = all.find((each) => each.name === name);
      if (found !== undefined) return found;
      throw new UsageError(`There is no ${what} "${name}"; there are:\n  ${all.map((each) => each.name).join('\n  ')}`);
    }) ?? all
  );
}

/** Lines that name each, and say what it is. */
export function listed(all: readonly { readonly name: string; readonly what: string }[]): string[] {
  const width = Math.max(...all.map(({ name }) => name.length));
  return all.map(({ name, what }) => `  ${name.padEnd(width)}  ${what}`);
}
