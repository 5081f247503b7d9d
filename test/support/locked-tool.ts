import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const installTimeoutMs = 240_000;
const run = promisify(execFile);

/**
 * A program from npm that one test needs and nothing else: installed once, into .node, as `source`/package-lock.json says. Gives its
 * node_modules. Who starts the service does not install it.
 */
export async function lockedTool(source: string): Promise<string> {
  const name = source.replaceAll(/\W+/g, '-');
  const installed = join(root, '.node', name);
  const lock = join(root, source, 'package-lock.json');
  const wanted = await readFile(lock, 'utf8');
  const found = await readFile(join(installed, 'package-lock.json'), 'utf8').catch(() => '');
  if (found !== wanted) {
    await mkdir(join(root, '.node'), { recursive: true });
    const incoming = await mkdtemp(join(root, '.node', `${name}-`));
    for (const file of ['package.json', 'package-lock.json'])
      await copyFile(join(root, source, file), join(incoming, file));
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', ['ci', ...options], { cwd: incoming, timeout: installTimeoutMs });
    // Moved there whole: a broken installation never looks finished.
    await rm(installed, { recursive: true, force: true });
    await rename(incoming, installed);
  }
  return join(installed, 'node_modules');
}
