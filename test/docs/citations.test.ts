import { globSync, readFileSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folders = '{src,workers,local,bench,test,packages,docs,script,deploy}';
const files = globSync(['*.md', `${folders}/**/*.{ts,md}`], { cwd: root, exclude: ['**/node_modules/**'] });
const documents = files.filter((file) => file.endsWith('.md'));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

/** `docs/contract.md, "Nonce" and "Signature"`: a page of this repository, and headings of it. Comments are broken anywhere. */
const citation = /\b(docs\/[a-z-]+\.md), ((?:"[^"]+"(?:(?:,| and) )?)+)/g;
const link = /\]\(([^)\s]+)\)/g;

interface Cited {
  readonly file: string;
  readonly page: string;
  readonly heading: string;
}

const cited: Cited[] = [...texts].flatMap(([file, text]) =>
  [...text.replaceAll(/\s*\n\s*(?:\*|\/\/)? ?/g, ' ').matchAll(citation)].flatMap(([, page = '', headings = '']) =>
    [...headings.matchAll(/"([^"$]+)"/g)].map(([, heading = '']) => ({ file, page, heading })),
  ),
);

const headingsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.trim());
/** As GitHub makes it of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

describe('what is cited is in the repository', () => {
  it('by the code: each heading of each page', () => {
    expect(cited.length).toBeGreaterThan(10);
    const missing = cited.filter(({ page, heading }) => !headingsOf(texts.get(page) ?? '').includes(heading));
    expect(missing).toEqual([]);
  });

  it.each(documents)('by %s: each file and heading that it links to', async (document) => {
    const links = [...(texts.get(document) ?? '').matchAll(link)].map(([, target = '']) => target);
    for (const target of links.filter((each) => !/^[a-z]+:/.test(each))) {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? document : join(dirname(document), path);
      await expect(access(join(root, file)), `${target} in ${document}`).resolves.toBeUndefined();
      if (anchor === undefined || !file.endsWith('.md')) continue;
      const anchors = headingsOf(await readFile(join(root, file), 'utf8')).map(anchorOf);
      expect(anchors, `${target} in ${document}`).toContain(anchor);
    }
  });
});
