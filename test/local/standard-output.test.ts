import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const local = join(import.meta.dirname, '../../local');
const entries = { 'script/start': 'main.ts', 'script/demo': 'demo/main.ts' };

it.each(Object.entries(entries))(
  '%s on a full disk, or whose reader left, shows no stack trace',
  async (name, entry) => {
    const args = [join(local, entry), '--help'];
    const full = await open('/dev/full', 'w');
    const onFullDisk = spawn(process.execPath, args, { stdio: ['ignore', full.fd, 'pipe'] });
    const withoutReader = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    withoutReader.stdout.destroy();
    const end = async (child: typeof onFullDisk): Promise<{ stderr: string; code: unknown }> => {
      const [stderr, exit] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
      return { stderr, code: exit[0] as unknown };
    };
    const [{ stderr, code }, quiet] = await Promise.all([end(onFullDisk), end(withoutReader)]);
    expect(stderr).toMatch(new RegExp(`^${name}: standard output failed: .*\n$`));
    expect(code).toBe(1);
    expect(quiet).toEqual({ stderr: '', code: 0 });
    await full.close();
  },
);

it('a process whose log is on a full disk goes on with its work', async () => {
  const full = await open('/dev/full', 'w');
  const program = `
    import { createLogger } from ${JSON.stringify(join(local, '../src/log.ts'))};
    const { log } = createLogger('web', 'info');
    log.info('a line that finds no room');
    setTimeout(() => process.exit(7), 50);`;
  const args = ['--input-type=module', '--eval', program];
  const child = spawn(process.execPath, args, { stdio: ['ignore', full.fd, 'pipe'] });
  const [stderr, exit] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  expect([stderr, exit[0]]).toEqual(['', 7]);
  await full.close();
});
