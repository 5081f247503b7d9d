// Makes the package that is published, compiled and with its types: script/node packages/client/pack.ts [FOLDER]. Prints the path of
// the .tgz in that folder (default: the working one). In the repository its sources run as they are.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const here = import.meta.dirname;
const destination = resolve(process.argv[2] ?? '.');
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

function manifest(): object {
  const source = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, version, description, license, type } = source;
  return {
    ...{ name, version, description, license, type, sideEffects: false },
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    files: ['*.js', '*.d.ts'],
    // Web Crypto is a global from Node 20 on. `export type *` is TypeScript's from 5.0 on; who writes JavaScript needs none.
    engines: { node: '>=20' },
    peerDependencies: { typescript: '>=5.0' },
    peerDependenciesMeta: { typescript: { optional: true } },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
try {
  const compile = [compiler, '-p', join(here, 'tsconfig.build.json'), '--outDir', folder];
  execFileSync(process.execPath, compile, { stdio: ['ignore', process.stderr, 'inherit'] });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
  copyFileSync(join(here, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(here, '../../LICENSE'), join(folder, 'LICENSE'));
  const packed = execFileSync('npm', ['pack', folder, '--pack-destination', destination, '--silent'], {
    encoding: 'utf8',
  });
  console.log(join(destination, packed.trim()));
} finally {
  rmSync(folder, { recursive: true });
}
