import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** What the lines below use. */
const globals = `
declare const kind: 'a' | 'b';
declare const newId: (kind: string, now?: Date) => string;
`;

// A module's line, and the one rule that it breaks: the project's own, one that needs types, and the rule of unused exceptions.
const forbidden = [
  [`switch (kind) { case 'a': newId(kind, new Date(0)); }`, 'typescript(switch-exhaustiveness-check)'],
  ['export const f = Date.now();', 'project(ask-a-clock)'],
  [`export const f = newId('order');`, 'project(say-the-time)'],
  ['export const f = process.env;', 'project(settings-in-config)'],
  ['// oxlint-disable-next-line eqeqeq -- It is not broken.', 'unused'],
] as const;
const allowed = [
  [`export const f = [new Date(0), newId('order', new Date(0))];`],
  ['// oxlint-disable-next-line project/ask-a-clock -- As it may be.\nexport const f = new Date();'],
] as const;

let brokenBy: Map<string, string[]>;

beforeAll(async () => {
  const project = await mkdtemp(join(tmpdir(), 'lint-rules-'));
  await mkdir(join(project, 'src'));
  for (const name of ['.oxlintrc.jsonc', 'tsconfig.json', 'package.json'])
    await copyFile(join(root, name), join(project, name));
  for (const name of ['node_modules', 'script']) await symlink(join(root, name), join(project, name));
  await writeFile(join(project, 'src/globals.d.ts'), globals);
  const lines = [...forbidden, ...allowed].map(([line]) => line);
  for (const [at, line] of lines.entries())
    await writeFile(join(project, `src/${at}.ts`), `export const own = 1;\n${line}\n`);
  const found = await lint(project);
  brokenBy = new Map(lines.map((line, at) => [line, found.get(`src/${at}.ts`) ?? []]));
  await rm(project, { recursive: true });
});

/** @returns the rules that each file breaks. */
async function lint(project: string): Promise<Map<string, string[]>> {
  const output = await new Promise<string>((resolve) => {
    execFile(join(root, 'node_modules/.bin/oxlint'), ['--format', 'json', 'src'], { cwd: project }, (_, stdout) => {
      resolve(stdout);
    });
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { filename: string; code?: string }[] };
  const broken = new Map<string, string[]>();
  for (const { filename, code = 'unused' } of diagnostics)
    broken.set(filename, [...(broken.get(filename) ?? []), code]);
  return broken;
}

it.each(forbidden)('does not pass %s: %s', (line, rule) => {
  expect(brokenBy.get(line)).toEqual([rule]);
});

it.each(allowed)('passes %s', (line) => {
  expect(brokenBy.get(line)).toEqual([]);
});
