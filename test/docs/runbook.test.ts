import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operatorsPages, readPage } from './pages.ts';
import { runAdmin } from '../support/admin.ts';

const root = join(import.meta.dirname, '../..');

describe('the pages', async () => {
  it('names commands of the administrator that there are, with options that they have', async () => {
    const texts = await Promise.all(operatorsPages.map(readPage));
    // In a sentence, or as a line of a block.
    const named = texts.flatMap((text) => [...text.matchAll(/(?:`|^ *|\$\()admin ([^`|>)\n]+)/gm)]);
    expect(named.length).toBeGreaterThan(20);
    for (const [, words = ''] of named) {
      const given = words.trim().split(/\s+/);
      const options = given.filter((word) => word.startsWith('--'));
      const command = given.slice(0, given.findIndex((word) => !/^[a-z][a-z-]*$/.test(word)) >>> 0);
      const { code, stdout } = await runAdmin([...command, '--help'], {});
      expect([words, code]).toEqual([words, 0]);
      expect(stdout.split('\n')[0]).toContain(command.join(' '));
      for (const option of options) expect(stdout, words).toContain(option);
    }
  });

  it.each(await pagesOfDocs())('%s links to what exists', async (page) => {
    const text = await readPage(page);
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(root, 'docs', page) : join(root, 'docs', path);
      expect(existsSync(file), `${page}: ${target}`).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(await readFile(file, 'utf8')), `${page}: ${target}`).toContain(anchor);
    }
  });
});

async function pagesOfDocs(): Promise<string[]> {
  return (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
