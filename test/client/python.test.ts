import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChild } from '../../local/child.ts';
import { freePort } from '../../local/free-port.ts';
import { ordersPath, totalOf } from '../support/orders.ts';
import { folder as packageFolder, pythonEnv, pythonOrSkipped } from '../support/python.ts';
import { startService, type RunningService } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { legsOfSale, saleWallets } from './sale.ts';
import { waitFor } from '../support/wait-for.ts';

const runMaxMs = 120_000;
const execute = promisify(execFile);
const python = await pythonOrSkipped();
const page = readFileSync(join(packageFolder, 'README.md'), 'utf8');
const blocks = [...page.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd: tmpdir(), env: { ...pythonEnv, PIP_NO_CACHE_DIR: '1', ...env }, timeout: runMaxMs };
  return (await execute(command, args, options)).stdout;
}

describe.skipIf(python === undefined)('the wheel of the Python client', () => {
  let folder: string;
  /** The Python of an empty environment with the wheel alone. */
  let installed: string;
  let service: RunningService;
  let workspace: TestWorkspace;
  let env: NodeJS.ProcessEnv;
  let filesBefore: string[];

  beforeAll(async () => {
    filesBefore = await readdir(packageFolder, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'python-client-'));
    installed = join(folder, 'venv/bin/python3');
    const starting = startService({ env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
    const offline = ['--quiet', '--disable-pip-version-check', '--no-index'];
    const built = ['--no-deps', '--no-build-isolation', '-w', folder, packageFolder];
    await run(python!, ['-m', 'pip', 'wheel', ...offline, ...built]);
    await run(python!, ['-m', 'venv', join(folder, 'venv')]);
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? '';
    await run(installed, ['-m', 'pip', 'install', ...offline, join(folder, wheel)]);
    service = await starting;
    workspace = await createWorkspace(service);
    const { apiKey, apiSecret, workspaceId } = workspace;
    env = {
      ...{ BASE_URL: service.baseUrl, API_KEY: apiKey, API_SECRET: apiSecret, WORKSPACE: workspaceId },
      ...{ SOURCE: await workspace.wallet('100'), TARGET: await workspace.wallet() },
    };
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  it('is whole: pip finds nothing amiss, and each of its files has its hash', async () => {
    const program = `
import base64, csv, hashlib, importlib.metadata as metadata
files = metadata.files('signed-wallet-client')
wrong = [str(f) for f in files if f.hash and base64.urlsafe_b64encode(hashlib.sha256(f.read_binary()).digest()).decode().rstrip('=') != f.hash.value]
about = metadata.metadata('signed-wallet-client')
print(wrong, metadata.requires('signed-wallet-client'), about['Requires-Python'], any(f.name == 'py.typed' for f in files))`;
    expect(await run(installed, ['-c', program])).toBe('[] None >=3.9 True\n');
    expect(await run(installed, ['-m', 'pip', 'check'])).toContain('No broken requirements');
  });

  it('leaves nothing in the tree when it is built', async () => {
    expect(await readdir(packageFolder, { recursive: true })).toEqual(filesBefore);
  });

  it('moves money by the ten lines of its page', async () => {
    const lines = (await run(installed, ['-c', blocks[0]!], env)).trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+\+00:00$/);
    expect(lines[1]).toMatch(/ 1\.10 98\.90$/);
  });

  it('does what the rest of its page shows', async () => {
    const [first = '', later = '', sale = '', types = '', many = ''] = blocks;
    const program = `${first.split('with Client')[0] ?? ''}
client = Client(base_url=env["BASE_URL"], api_key=env["API_KEY"], api_secret=env["API_SECRET"])
${later}
print(client.transfer.get(later.transfer_id).status)
buyer, seller, fees, taxes = env["BUYER"], env["SELLER"], env["FEES"], env["TAXES"]
${sale}${types}
${many}`;
    const [BUYER, SELLER, FEES, TAXES] = await saleWallets(workspace);
    const told = await run(installed, ['-c', program], { ...env, BUYER, SELLER, FEES, TAXES });
    const [status, ...others] = told.trim().split('\n');
    const refused = others.pop();
    expect(status).toBe('CANCELLED');
    expect(others).toEqual(legsOfSale);
    expect(refused).toMatch(/^2 \S{36} AMOUNT_ZERO amount$/);
  });

  describe('makes the transfers of a file by its example', () => {
    const lines = 600;
    let books: NodeJS.ProcessEnv;
    let path: string;
    const write = (amounts: readonly string[]): Promise<void> => {
      const { SOURCE, TARGET } = books;
      const rows = amounts.map((amount) => `${SOURCE},${TARGET},${amount},USD,"=1+1, ""ä"";=2"`);
      const header = 'source_wallet_id,target_wallet_id,amount,currency,description';
      return writeFile(path, `\ufeff${[header, ...rows].join('\r\n')}\r\n`);
    };
    const runFile = () =>
      run(installed, [join(packageFolder, 'examples/transfers_of_file.py'), path, 'payroll'], books).catch(
        (error: unknown) => (error as { stdout: string; stderr: string }).stdout + (error as { stderr: string }).stderr,
      );
    const made = () => totalOf(workspace, `${ordersPath}/wallet/${books['TARGET'] ?? ''}`, {});

    beforeAll(async () => {
      path = join(folder, 'payroll.csv');
      books = { ...env, SOURCE: await workspace.wallet('100'), TARGET: await workspace.wallet() };
    });

    it('once, also where an earlier run ended in the middle', async () => {
      const amounts = Array.from({ length: lines }, () => '0.01');
      await write([...amounts.slice(0, 550), '0.01,more', ...amounts.slice(551)]);
      expect(await runFile()).toContain('payroll.csv, line 552: it has not as many cells as the first line');
      expect(await made()).toBe(500);
      await write(amounts);
      expect(await runFile()).toBe(`${lines} orders made or known, 0 rows refused\n`);
      expect(await made()).toBe(lines);
    });

    it('and writes what was refused, no cell of it a formula', async () => {
      await write(['0.01', '0', '＝1']);
      expect(await runFile()).toBe('1 orders made or known, 2 rows refused\n');
      const [, ...refused] = parse(await readFile(`${path}.refused.csv`, 'utf8'), { bom: false });
      const { SOURCE, TARGET } = books;
      const description = `'=1+1, "ä";'=2`;
      expect(refused).toEqual([
        ['3', SOURCE, TARGET, '0', 'USD', description, 'AMOUNT_ZERO', 'amount'],
        ['4', SOURCE, TARGET, "'＝1", 'USD', description, 'AMOUNT_MALFORMED', 'amount'],
      ]);
      expect(await made()).toBe(lines);
    });
  });

  it('receives webhooks by its examples', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const example = (name: string): string => join(packageFolder, 'examples', name);
    const secret = (await run(installed, [example('create_webhook.py')], { ...env, WEBHOOK_URL: url })).trim();
    // A second time it is there, and gets another secret.
    const other = (await run(installed, [example('create_webhook.py')], { ...env, WEBHOOK_URL: url })).trim();
    expect(other).not.toBe(secret);
    const lines: string[] = [];
    const receiver = await startChild({
      ...{ name: 'receiver', command: installed, args: [example('webhook_receiver.py')] },
      env: { ...pythonEnv, WEBHOOK_URL: url, WEBHOOK_SECRET: other },
      ...{ readyTimeoutMs: runMaxMs, readyFrom: (line: string) => line },
      onLine: (line) => lines.push(line),
    });
    await receiver.ready;
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
    await run(installed, ['-c', blocks[0]!], env);
    await waitFor(() => lines.some((line) => line.startsWith('transfer.completed ev_')), { timeoutMs: runMaxMs });
    receiver.kill('SIGKILL');
    await receiver.exited;
  });
});
