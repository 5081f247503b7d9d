import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a program of this project with the Node that runs this, to its end, with nothing to read. @param entry its full path. */
export async function runProgram(entry: string, args: readonly string[], env = process.env): Promise<Ended> {
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors };
}
