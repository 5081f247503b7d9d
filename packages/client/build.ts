// Writes the package as it is published, compiled and with its types: node build.ts [FOLDER] (default: dist), to be packed from
// there. In the repository its sources run as they are.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

const here = import.meta.dirname;
const folder = resolve(process.argv[2] ?? join(here, 'dist'));
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

rmSync(folder, { recursive: true, force: true });
execFileSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.build.json'), '--outDir', folder], {
  stdio: 'inherit',
});
const source = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as Record<string, unknown>;
const { name, version, description, license, type, engines } = source;
const published = { name, version, description, license, type, engines, sideEffects: false };
const exported = { exports: { '.': { types: './index.d.ts', default: './index.js' } } };
writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...published, ...exported }, undefined, 2)}\n`);
copyFileSync(join(here, 'README.md'), join(folder, 'README.md'));
copyFileSync(join(here, '../../LICENSE'), join(folder, 'LICENSE'));
