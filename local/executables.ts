import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const RUN_TIMEOUT_MS = 30_000;
const executeFile = promisify(execFile);

/** The full path of a program on the PATH, or undefined. */
export async function findExecutable(name: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found && folder !== '') return path;
  }
  return undefined;
}

/** Standard output of a short command; rejects where it fails, takes over 30 s, or is ended by the signal. */
export async function run(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  signal?: AbortSignal,
): Promise<string> {
  const { stdout } = await executeFile(command, args, { env, signal, timeout: RUN_TIMEOUT_MS, encoding: 'utf8' });
  return stdout;
}
