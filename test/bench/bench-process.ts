import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../../bench/cells.ts';
import { runProgram } from '../support/program.ts';
import '../support/started.ts';

const entry = join(import.meta.dirname, '../../bench/main.ts');

/** Runs `npm run bench` with these arguments, to its end. */
export const bench = (args: string[], mongodbUri: string) =>
  runProgram(entry, args, { ...process.env, MONGODB_URI: mongodbUri });

/** The same, with what it measured. @throws where it has no figures. */
export async function benchRows(args: string[], mongodbUri: string): Promise<{ rows: Row[]; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-test-'));
  try {
    const json = join(folder, 'result.json');
    const { code, output, errors } = await bench([...args, '--json', json], mongodbUri);
    if (code !== 0) throw new Error(errors);
    const { rows } = JSON.parse(await readFile(json, 'utf8')) as { rows: Row[] };
    return { rows, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
