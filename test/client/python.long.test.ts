import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { lockedTool } from '../support/locked-tool.ts';
import { folder } from '../support/python.ts';

it('the types of the Python client hold, as pyright sees them in Python 3.9', async () => {
  const modules = await lockedTool('test/client/tools/pyright');
  const args = [join(modules, 'pyright/index.js'), '--pythonversion', '3.9', 'src', 'examples', 'build_backend.py'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  expect(stdout).toContain('0 errors, 0 warnings');
});
