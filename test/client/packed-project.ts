import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { run } from '../../local/executables.ts';

const root = join(import.meta.dirname, '../..');
export const programs = ['vectors', 'creates', 'webhooks', 'types'];

/**
 * Packs the package, and installs the tarball into an empty project with programs of TypeScript, compiled.
 * @returns its folder; and what deletes everything.
 */
export async function installPacked(): Promise<{ project: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'packed-client-'));
  const project = join(folder, 'project');
  const dist = join(folder, 'dist');
  await run(process.execPath, [join(root, 'packages/client/build.ts'), dist]);
  await run('npm', ['pack', dist, '--pack-destination', folder]);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const offline = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', '--prefix', project, ...offline, join(folder, tarball)]);
  for (const name of programs) {
    await copyFile(join(import.meta.dirname, `programs/${name}.ts`), join(project, `${name}.ts`));
  }
  const typeRoots = [join(root, 'node_modules/@types')];
  const options = { strict: true, target: 'es2022', module: 'nodenext', types: ['node'], typeRoots };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project]);
  return { project, remove: () => rm(folder, { recursive: true }) };
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
