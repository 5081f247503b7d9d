import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DEPCRUISE = join(ROOT, 'node_modules/.bin/depcruise');
const FOLDERS = ['src', 'workers', 'local', 'packages/one', 'packages/other', 'test'];

// Files of a made-up project: what imports what, and the rule that forbids it.
const FORBIDDEN = [
  ['src/domain/a.ts', '../storage/to.ts', 'domain-is-pure'],
  ['src/orders/a.ts', '../storage/to.ts', 'orders-are-pure'],
  ['src/storage/a.ts', '../redis/to.ts', 'storage-imports-upward'],
  ['src/redis/a.ts', '../queue/to.ts', 'redis-imports-upward'],
  ['src/queue/a.ts', '../auth/to.ts', 'queue-imports-upward'],
  ['src/auth/a.ts', '../posting/to.ts', 'auth-imports-upward'],
  ['src/accepting/a.ts', '../posting/to.ts', 'accepting-imports-upward'],
  ['src/posting/a.ts', '../verify/to.ts', 'posting-imports-upward'],
  ['src/verify/a.ts', '../http/to.ts', 'verify-imports-upward'],
  ['src/webhooks/a.ts', '../http/to.ts', 'webhooks-import-upward'],
  ['src/posting/b.ts', '../webhooks/to.ts', 'posting-imports-upward'],
  ['src/http/a.ts', '../ops/to.ts', 'http-imports-upward'],
  ['src/ops/a.ts', '../admin/to.ts', 'ops-imports-upward'],
  ['src/log.ts', './domain/to.ts', 'basics-import-basics'],
  ['src/http/entry.ts', '../main.ts', 'nobody-imports-an-entry-point'],
  ['src/http/local.ts', '../../local/to.ts', 'product-stands-alone'],
  ['src/http/engine.ts', '../../packages/one/to.ts', 'product-stands-alone'],
  ['src/http/support.ts', '../../test/to.ts', 'product-stands-alone'],
  ['test/support/signing.ts', '../../src/auth/to.ts', 'test-client-stands-alone'],
  ['local/a.ts', '../src/errors.ts', 'local-stands-alone'],
  ['local/b.ts', '../packages/one/to.ts', 'package-by-its-name'],
  ['packages/one/a.ts', '../../src/errors.ts', 'package-stands-alone'],
  ['packages/one/b.ts', '../../local/to.ts', 'package-stands-alone'],
  ['packages/one/c.ts', '../other/to.ts', 'package-stands-alone'],
  ['src/posting/driver.ts', 'mongodb', 'mongodb-only-in-storage'],
  ['workers/driver.ts', 'mongodb', 'mongodb-only-in-storage'],
  ['src/http/development.ts', 'pino-pretty', 'no-dev-dependency-in-product'],
  ['src/http/nowhere.ts', './nowhere-to-be-found.ts', 'unresolvable'],
] as const;
const CYCLE = { 'src/http/cycle-a.ts': './cycle-b.ts', 'src/http/cycle-b.ts': './cycle-a.ts' };
const CYCLE_OF_TYPES = {
  'src/http/types-a.ts': "export type * from './types-b.ts';\n",
  'src/http/types-b.ts': "export type * from './types-a.ts';\n",
};
const ALLOWED = {
  'src/domain/money.ts': '../errors.ts',
  'src/orders/fine.ts': '../domain/to.ts',
  'src/storage/driver.ts': 'mongodb',
  'src/http/fine.ts': '../storage/to.ts',
  'src/admin/fine.ts': '../http/to.ts',
  'src/main.ts': './errors.ts',
  'src/web.ts': './http/to.ts',
  'workers/main.ts': '../src/errors.ts',
  'workers/worker.ts': '../src/storage/to.ts',
  'local/fine.ts': 'mongodb-embedded',
  'packages/one/fine.ts': 'bson',
  'packages/one/core.ts': 'node:net',
  'packages/one/near.ts': './to.ts',
  'test/fine.ts': '../src/http/to.ts',
};
const LEAVES = ['src/errors.ts', ...FOLDERS.map((folder) => `${folder}/to.ts`)].concat(
  [
    'domain',
    'orders',
    'storage',
    'redis',
    'queue',
    'auth',
    'accepting',
    'posting',
    'verify',
    'webhooks',
    'http',
    'ops',
    'admin',
  ].map((name) => `src/${name}/to.ts`),
);

let rulesBrokenBy: Map<string, string[]>;

beforeAll(async () => {
  const project = await mkdtemp(join(tmpdir(), 'import-rules-'));
  const imports = [...FORBIDDEN, ...Object.entries(CYCLE), ...Object.entries(ALLOWED)];
  const sources = imports.map(([path, imported]) => [path, `export * from '${imported}';\n`] as const);
  const typed = Object.entries(CYCLE_OF_TYPES);
  for (const [path, text] of [
    ...sources,
    ...typed,
    ...LEAVES.map((leaf) => [leaf, 'export const x = 1;\n'] as const),
  ]) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), text);
  }
  for (const name of ['package.json', 'tsconfig.json', 'node_modules'])
    await symlink(join(ROOT, name), join(project, name));
  rulesBrokenBy = await cruise(project);
  await rm(project, { recursive: true });
});

async function cruise(project: string): Promise<Map<string, string[]>> {
  const args = ['--config', join(ROOT, '.dependency-cruiser.json'), '--output-type', 'json', ...FOLDERS];
  const output = await new Promise<string>((resolve) => {
    execFile(DEPCRUISE, args, { cwd: project, maxBuffer: 16 * 1024 * 1024 }, (_, stdout) => {
      resolve(stdout);
    });
  });
  const { summary } = JSON.parse(output) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  const broken = new Map<string, string[]>();
  for (const { from, rule } of summary.violations) broken.set(from, [...(broken.get(from) ?? []), rule.name]);
  return broken;
}

it.each(FORBIDDEN)('forbids %s to import %s', (from, _, rule) => {
  expect(rulesBrokenBy.get(from)).toEqual([rule]);
});

it('forbids cycles, by types too', () => {
  expect(rulesBrokenBy.get('src/http/cycle-a.ts')).toEqual(['no-cycles']);
  expect(rulesBrokenBy.get('src/http/types-a.ts')).toEqual(['no-cycles']);
});

it.each(Object.entries(ALLOWED))('allows %s to import %s', (from) => {
  expect(rulesBrokenBy.get(from)).toBeUndefined();
});
