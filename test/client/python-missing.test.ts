import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { namesOfTests } from '../support/python.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

it('without a Python the tests of its client are skipped, counted as such, and said to be', async () => {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--project', 'client-python', 'test/client-python/own.test.ts'];
  const { COUNTS_FILE: _ofThisRun, ...env } = process.env;
  const { stdout, stderr } = await run(process.execPath, args, { cwd: root, env: { ...env, PATH: '' } });
  expect(stdout + stderr).toContain(
    'There is no python3 from 3.9 on the PATH: tests of the Python client are skipped.',
  );
  expect(stdout.trim().split('\n').at(-1)).toBe(`0 passed, 0 failed, ${namesOfTests().length + 1} skipped`);
});
