import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectVectorsSigned, installPacked, programs } from './packed-project.ts';

let packed: Awaited<ReturnType<typeof installPacked>>;

beforeAll(async () => {
  packed = await installPacked();
});
afterAll(() => packed.remove());

it('has types that compile, and no dependency', async () => {
  expect(await readdir(packed.project)).toEqual(expect.arrayContaining(programs.map((name) => `${name}.js`)));
  expect(await readdir(join(packed.project, 'node_modules'))).toEqual(['.package-lock.json', 'signed-wallet-client']);
});

it('signs every vector rightly', () => expectVectorsSigned(packed.project, process.execPath, '24'));
