import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../local/executables.ts';
import { apiDescription } from '../../script/docs/api-description.ts';

/** What generators make of the description, used as a client would. */
const program = `
import type { components } from './types.ts';
import { createTransfer, getCompletion, getKey, type ErrorCode, type FailureAnswer, type Order } from './client/index.ts';

const code: components['schemas']['ErrorCode'] = 'GA2012' satisfies ErrorCode;
const reason: components['schemas']['ErrorReason'] = 'NONCE_REUSED';
const body: components['schemas']['CreateTransfer'] = {
  sourceWalletId: 'wa_1', targetWalletId: 'wa_2', amount: '1.10', currency: 'USD',
};
const { data, error } = await createTransfer({ body, headers: { Prefer: 'wait=10' } });
const order: Order | undefined = data?.data;
const failure: FailureAnswer | undefined = error;
const completion = await getCompletion({ path: { bizId: order?.bizId ?? 'invoice-42' } });
const decimals: number | undefined = (await getKey()).data?.data.currencies[0]?.decimals;
// @ts-expect-error a wallet is named by its id
await createTransfer({ body: { amount: '1.10', currency: 'USD' } });
export { code, completion, decimals, failure, reason };
`;

const strictly = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--noUncheckedIndexedAccess',
  '--allowImportingTsExtensions',
];
const modern = ['--target', 'es2024', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', 'node'];

let folder: string;
let description: string;

/** A package's program, under this Node. */
const tool = (path: string, ...args: string[]): Promise<string> =>
  run(process.execPath, [join('node_modules', path), ...args], { ...process.env, REDOCLY_TELEMETRY: 'off' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generators-'));
  description = join(folder, 'openapi.json');
  await writeFile(description, JSON.stringify(apiDescription()));
});
afterAll(() => rm(folder, { recursive: true }));

it('the linter has nothing to say of the description', async () => {
  const said = await tool(
    '@redocly/cli/bin/cli.js',
    'lint',
    '--config',
    'redocly.yaml',
    '--format',
    'json',
    description,
  );
  expect(JSON.parse(said)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
});

it('what two generators make of it compiles, and is used as a client would', async () => {
  await tool('openapi-typescript/bin/cli.js', description, '-o', join(folder, 'types.ts'));
  const output = join(folder, 'client');
  await tool('@hey-api/openapi-ts/bin/run.js', '-i', description, '-o', output, '--silent', '--no-log-file');
  const used = join(folder, 'program.ts');
  await writeFile(used, program);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  const typeRoots = ['--typeRoots', join(process.cwd(), 'node_modules/@types')];
  await tool('typescript/bin/tsc', ...strictly, ...modern, ...typeRoots, '--ignoreConfig', used).catch(
    (error: unknown) => {
      throw new Error((error as { stdout?: string }).stdout ?? String(error));
    },
  );
});
