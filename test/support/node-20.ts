import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { lockedTool } from './locked-tool.ts';

const run = promisify(execFile);

/** A Node 20 to run with: this machine's, or the pinned one from npm. */
export async function node20(): Promise<string> {
  for (const folder of [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin']) {
    const node = join(folder, 'node');
    const version = await run(node, ['--version']).catch(() => undefined);
    if (version?.stdout.startsWith('v20.')) return node;
  }
  const modules = await lockedTool('test/client/tools/node-20');
  return join(modules, `node-${process.platform}-${process.arch}`, 'bin/node');
}
