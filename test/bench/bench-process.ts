import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from '../../bench/cells.ts';
import '../support/started.ts';

const entry = join(import.meta.dirname, '../../bench/main.ts');

/** Runs `npm run bench` with these arguments, to its end. */
export async function bench(args: string[], mongodbUri: string) {
  const env = { ...process.env, MONGODB_URI: mongodbUri };
  const child = spawn(process.execPath, [entry, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors };
}

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
