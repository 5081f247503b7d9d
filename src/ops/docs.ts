import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type IRouter } from 'express';
import { Marked } from 'marked';
import { html } from './page/html.ts';
import { sendPage } from './page/layout.ts';

const folder = join(import.meta.dirname, '../../docs');

/**
 * The project's own pages at `/docs`, among them the runbook. They are those of the release that runs, and there even if the
 * Internet is not. Links between them are as in the repository.
 */
export function addDocs(app: IRouter): void {
  app.get('/docs/:name', async (req, res, next) => {
    const { name } = req.params;
    const names = await readdir(folder).catch((): string[] => []);
    if (!name.endsWith('.md') || !names.includes(name)) {
      next();
      return;
    }
    const markup = markdownToMarkup(await readFile(join(folder, name), 'utf8'));
    sendPage(res, name, html`<article>${{ markup }}</article>`);
  });
  app.use('/docs/images', express.static(join(folder, 'images'), { index: false }));
}

/**
 * The project's own Markdown as markup. Headings have the anchors that they have on GitHub; what is wider than the window
 * scrolls by itself, by keyboard too.
 */
function markdownToMarkup(text: string): string {
  const marked = new Marked({
    async: false,
    renderer: {
      heading({ tokens, depth, text: heading }) {
        return `<h${depth} id="${anchorOf(heading)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  return marked
    .parse(text, { async: false })
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
}

/** As GitHub names a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
