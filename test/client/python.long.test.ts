import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, pythonEnv, pythonOrSkipped } from '../support/python.ts';
import { lockedTool } from '../support/locked-tool.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';
import { runWhileWebIsKilled } from './killed-web.ts';

const python = await pythonOrSkipped();
const count = 1_000;

it('the types of the Python client hold, as pyright sees them in Python 3.9', async () => {
  const modules = await lockedTool('test/client/tools/pyright');
  const args = [join(modules, 'pyright/index.js'), '--pythonversion', '3.9', 'src', 'examples', 'build_backend.py'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  expect(stdout).toContain('0 errors, 0 warnings');
});

describe.skipIf(python === undefined)('the Python client', () => {
  let service: ServiceProcesses;
  beforeAll(async () => {
    service = await startServiceProcesses();
  });
  afterAll(() => service.stop());

  it('creates each of 1,000 transfers once, though the web process is killed in the middle', async () => {
    const workspace = await createWorkspace(service);
    const { apiKey, apiSecret } = workspace;
    const wallets = { SOURCE: await workspace.wallet('10'), TARGET: await workspace.wallet() };
    const env = { ...pythonEnv, BASE_URL: service.baseUrl, API_KEY: apiKey, API_SECRET: apiSecret, ...wallets };
    const command = [python!, join(import.meta.dirname, 'programs/creates.py'), String(count)];
    const told = await runWhileWebIsKilled<Record<'bizIds' | 'listed', string[]> & Record<'repetitions', number>>(
      service,
      command,
      { ...env, PYTHONPATH: join(folder, 'src') },
      count / 2,
    );
    expect(told.listed.toSorted()).toEqual(told.bizIds.toSorted());
    expect(told).toMatchObject({ completed: count, balance: '10.00' });
    expect(told.repetitions).toBeGreaterThan(0);
  });
});
