import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../local/executables.ts';
import { serviceForTests } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';
import { legsOfSale, saleWallets } from './sale.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'packages/client/README.md'), 'utf8');
const [, programs = ''] = /^\*\*A sale\*\*([\s\S]*?)^\*\*Many/m.exec(page) ?? [];
const service = await serviceForTests({});

it('the sale of the client’s page is made, and a part of it moved back', async () => {
  const workspace = await createWorkspace(service);
  const { apiKey, apiSecret } = workspace;
  const folder = await mkdtemp(join(tmpdir(), 'client-page-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const wallets = JSON.stringify(await saleWallets(workspace));
  const given = [
    "import { createClient } from 'signed-wallet-client';",
    `const client = createClient(${JSON.stringify({ baseUrl: service.baseUrl, apiKey, apiSecret })});`,
    `const [buyer, seller, fees, taxes] = ${wallets};`,
  ];
  const blocks = [...programs.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  const file = join(folder, 'program.mts');
  await writeFile(file, [...given, ...blocks].join('\n'));
  expect((await run(process.execPath, [file])).trim().split('\n')).toEqual(legsOfSale);
});
