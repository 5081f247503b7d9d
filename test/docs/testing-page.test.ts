import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { run } from '../../local/executables.ts';
import { freePort } from '../../local/free-port.ts';
import { pythonOrSkipped } from '../support/python.ts';
import { sendCommand } from '../support/orders.ts';
import { serviceForTests } from '../support/service.ts';
import { allScopes, createWorkspace } from '../support/workspace.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/testing.md'), 'utf8');
const programOf = (language: string): string =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text).join('\n');
/** What each line that prints says, behind it, that it prints, but for what is in brackets. */
const toldIn = (program: string): string[] =>
  [...program.matchAll(/^ *(?:console\.log|print)\(.*?(?:\/\/|  #) (.*?)(?: \(.*\))?$/gm)].map(([, told = '']) => told);

const python = await pythonOrSkipped();
const service = await serviceForTests({ env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
const folder = await mkdtemp(join(tmpdir(), 'testing-page-'));
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
afterAll(() => rm(folder, { recursive: true }));

/** What `admin sandbox create` prints. */
async function sandbox(): Promise<Record<string, string>> {
  const made = await service.admin<object>('sandbox', 'create', '--name', 'ci', '--currency', 'USD');
  return { BASE_URL: service.baseUrl, ...made };
}
const clients = {
  ...process.env,
  PYTHONPATH: join(root, 'packages/client-python/src'),
  PYTHONDONTWRITEBYTECODE: '1',
};

describe('what docs/testing.md shows', () => {
  it.for([
    ['ts', process.execPath, 'program.mts', 8],
    ['python', python, 'program.py', 7],
  ] as const)('runs in %s, and prints what it says', async ([language, command, name, count], { skip }) => {
    if (command === undefined) return skip();
    const program = programOf(language);
    await writeFile(join(folder, name), program);
    const told = toldIn(program);
    expect(told.length).toBeGreaterThanOrEqual(count);
    const printed = await run(command, [join(folder, name)], { ...clients, ...(await sandbox()) });
    expect(printed.trim().split('\n')).toEqual(told);
  });

  it('runs in its job of CI: the examples of both clients, with the lines of a sandbox', async ({ skip }) => {
    if (python === undefined) return skip();
    const { jobs } = parse(/^```yaml\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '') as {
      jobs: { test: { steps: { name?: string; run?: string }[] } };
    };
    const examples = ['packages/client/examples/payments.test.mjs', 'packages/client-python/examples/test_payments.py'];
    for (const each of examples) await copyFile(join(root, each), join(folder, basename(each)));
    const lines = Object.entries(await sandbox()).map(([name, value]) => `export ${name}='${value}'\n`);
    await writeFile(join(folder, 'sandbox.env'), lines.join(''));
    const { run: commands = '' } = jobs.test.steps.find(({ name }) => name === 'Test') ?? {};
    await writeFile(join(folder, 'test.sh'), `exec 2>&1\ncd '${folder}'\n${commands}`);
    const printed = await run('sh', ['-eu', join(folder, 'test.sh')], clients);
    expect(printed).toMatch(/^ℹ pass 4\n[\s\S]*^Ran 4 tests in .*\n\nOK$/m);
  });

  it('is so of a webhook whose receiver does not answer: it is disabled', async () => {
    const workspace = await createWorkspace(service, allScopes, '--test');
    const id = await workspace.webhook(`http://127.0.0.1:${await freePort()}/`);
    const targetWalletId = await workspace.wallet();
    await sendCommand(workspace, 'deposit', { targetWalletId, amount: '1', currency: 'USD' });
    await workspace.post('test/clock', { advanceBy: 'P2D' });
    const { envelope } = await workspace.client.request('GET', `/api/v1/webhooks/${id}`);
    expect(envelope!.data).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
  });
});
