import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { run } from '../../local/executables.ts';

const root = join(import.meta.dirname, '../..');
const installTimeoutMs = 120_000;
export const programs = ['vectors', 'types'];

/**
 * Packs the package and installs it into an empty project, by the commands of its page, and compiles programs of TypeScript there.
 * @returns its folder; what the commands printed; and what deletes everything.
 */
export async function installPacked(): Promise<{ project: string; printed: string; remove: () => Promise<void> }> {
  const project = await mkdtemp(join(tmpdir(), 'packed-client-'));
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const page = await readFile(join(root, 'packages/client/README.md'), 'utf8');
  const [, commands = ''] = /^## Install$[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const offline = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  const env = { ...process.env, ...offline, PROJECT: project };
  const shell = { cwd: root, env, timeout: installTimeoutMs };
  const execute = promisify(execFile);
  const { stdout: printed } = await execute('sh', ['-euc', commands], shell);
  for (const name of programs) {
    await copyFile(join(import.meta.dirname, `programs/${name}.ts`), join(project, `${name}.ts`));
  }
  const typeRoots = [join(root, 'node_modules/@types')];
  const options = { strict: true, target: 'es2022', module: 'nodenext', types: ['node'], typeRoots };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
  await execute(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project], shell);
  return { project, printed, remove: () => rm(project, { recursive: true }) };
}

/** Signs every vector by the installed package. @param node the executable. @param version it must have. */
export async function expectVectorsSigned(project: string, node: string, version: string): Promise<void> {
  const vectors = join(root, 'docs/signing-vectors.json');
  const told = await run(node, [join(project, 'vectors.js'), vectors]);
  const { node: own, count: signed, wrong } = JSON.parse(told) as { node: string; count: number; wrong: string[] };
  expect(own).toMatch(new RegExp(`^v${version}`));
  expect(signed).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
}

/** Loads the installed package from a CommonJS module, in silence. @param node the executable. */
export async function expectRequired(project: string, node: string): Promise<void> {
  const program = join(project, 'required.cjs');
  await writeFile(program, "console.log(typeof require('signed-wallet-client').createClient);");
  expect(await run(node, [program])).toBe('function\n');
}
