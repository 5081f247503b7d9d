import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const folder = join(import.meta.dirname, '../../packages/client-python');

/** Nothing that Python compiles is left in the tree. */
export const pythonEnv = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };

/** The full path of the `python3` of the PATH. Where there is none from 3.9, says that the tests of this file are skipped. */
export async function pythonOrSkipped(): Promise<string | undefined> {
  const program = 'import sys; print(sys.executable if sys.version_info >= (3, 9) else "")';
  const found = await promisify(execFile)('python3', ['-c', program], { env: pythonEnv }).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  if (found !== '') return found;
  process.stderr.write('There is no python3 from 3.9 on the PATH: tests of the Python client are skipped.\n');
  return undefined;
}
