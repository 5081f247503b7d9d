import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../local/executables.ts';
import { expectRequired, expectVectorsSigned, installPacked, programs } from './packed-project.ts';

const sources = join(import.meta.dirname, '../../packages/client');

let packed: Awaited<ReturnType<typeof installPacked>>;

beforeAll(async () => {
  packed = await installPacked();
});
afterAll(() => packed.remove());

it('can be imported and required after the commands of its page', async () => {
  expect(packed.printed).toMatch(/^createClient\ncreateClient\n$/m);
  await expectRequired(packed.project, process.execPath);
});

it('has types that compile, and no dependency', async () => {
  expect(await readdir(packed.project)).toEqual(expect.arrayContaining(programs.map((name) => `${name}.js`)));
  expect(await readdir(join(packed.project, 'node_modules'))).toEqual(['.package-lock.json', 'signed-wallet-client']);
});

it('has a file of code and one of types for each of its sources, and nothing else but what is said of it', async () => {
  const folder = join(packed.project, 'node_modules/signed-wallet-client');
  const modules = (await readdir(join(sources, 'src'))).map((name) => name.replace(/\.ts$/, ''));
  const built = modules.flatMap((name) => [`${name}.js`, `${name}.d.ts`]);
  expect((await readdir(folder)).toSorted()).toEqual([...built, 'LICENSE', 'README.md', 'package.json'].toSorted());
  const { version } = JSON.parse(await readFile(join(sources, 'package.json'), 'utf8')) as { version: string };
  expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).toMatchObject({
    ...{
      version,
      license: 'MIT',
      type: 'module',
      engines: { node: '>=20' },
      peerDependencies: { typescript: '>=5.0' },
    },
  });
});

it('signs every vector rightly', () => expectVectorsSigned(packed.project, process.execPath, '24'));

it('is not what npm publish makes of its sources: it refuses, and says what does', async () => {
  const refused = run('npm', ['publish', sources, '--dry-run', '--offline']);
  await expect(refused).rejects.toThrow('script/node packages/client/pack.ts');
});
