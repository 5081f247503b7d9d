import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { generatedPages } from '../../script/docs/pages.ts';

it.each([...(await generatedPages())])('%s is what its script writes', async (path, text) => {
  expect(await readFile(path, 'utf8')).toBe(text);
});
