import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, pythonEnv, pythonOrSkipped } from '../support/python.ts';
import { lockedTool } from '../support/locked-tool.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

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
    const child = spawn(python!, [join(import.meta.dirname, 'programs/creates.py'), String(count)], {
      env: { ...env, PYTHONPATH: join(folder, 'src') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let lines = 0;
    let last = '{}';
    for await (const line of createInterface({ input: child.stdout })) {
      last = line;
      lines += 1;
      if (lines === count / 2) await replaceWeb(service);
    }
    const told = JSON.parse(last) as Record<'bizIds' | 'listed', string[]> & Record<'repetitions', number>;
    expect(told.listed.toSorted()).toEqual(told.bizIds.toSorted());
    expect(told).toMatchObject({ completed: count, balance: '10.00' });
    expect(told.repetitions).toBeGreaterThan(0);
  });
});

/** Kills the web process, and starts another at its port: the client meets refused connections until it listens. */
async function replaceWeb(service: ServiceProcesses): Promise<void> {
  const killed = service.webs.at(-1)!;
  const { port = 0 } = await killed.ready;
  killed.kill('SIGKILL');
  await killed.exited;
  await service.startWeb({ PORT: String(port) });
}
