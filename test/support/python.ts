import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const folder = join(import.meta.dirname, '../../packages/client-python');
const runMaxMs = 120_000;
const run = promisify(execFile);

/** Nothing that Python compiles is left in the tree. */
export const pythonEnv = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };

/** The full path of the `python3` of the PATH; undefined where there is none, or one before 3.9. */
export async function findPython(): Promise<string | undefined> {
  const program = 'import sys; print(sys.executable if sys.version_info >= (3, 9) else "")';
  try {
    const { stdout } = await run('python3', ['-c', program], { env: pythonEnv });
    return stdout.trim() === '' ? undefined : stdout.trim();
  } catch {
    return undefined;
  }
}

/** What {@link findPython} found; where it is nothing, says that the tests of this file are skipped. */
export async function pythonOrSkipped(): Promise<string | undefined> {
  const python = await findPython();
  if (python === undefined) {
    process.stderr.write('There is no python3 from 3.9 on the PATH: tests of the Python client are skipped.\n');
  }
  return python;
}

/** The names of Python's own tests, as they stand in its files. */
export function namesOfTests(): string[] {
  const files = readdirSync(join(folder, 'tests')).filter((file) => /^test_\w+\.py$/.test(file));
  return files.flatMap((file) => {
    let inClass = '';
    return readFileSync(join(folder, 'tests', file), 'utf8')
      .split('\n')
      .flatMap((line) => {
        inClass = /^class (\w+)/.exec(line)?.[1] ?? inClass;
        const name = /^ {4}def (test_\w+)\(/.exec(line)?.[1];
        return name === undefined ? [] : `tests.${file.slice(0, -'.py'.length)}.${inClass}.${name}`;
      });
  });
}

/** Runs Python's own tests. @returns what was wrong with each, by its name; nothing where it passed. */
export async function runTests(python: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const options = { cwd: folder, env: pythonEnv, timeout: runMaxMs, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await run(python, ['-m', 'tests'], options).catch((error: unknown) => {
    const ended = error as { code?: unknown; stdout: string };
    // It ends with 1 where a test failed, which that test tells.
    if (ended.code === 1 && ended.stdout !== '') return ended;
    throw error;
  });
  const told = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; faults: string[] });
  return new Map(told.map(({ name, faults }) => [name, faults]));
}
