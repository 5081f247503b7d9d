import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type IRouter } from 'express';
import { markdownToMarkup } from './markdown.ts';
import { html, type Html } from './page/html.ts';
import { sendPage } from './page/layout.ts';

const folder = join(import.meta.dirname, '../../docs');

/** The headings of a page, as links that stay in view beside it, or above it on a phone. */
function contentsOf(markup: string): Html {
  const headings = [...markup.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h/g)].map(
    ([, depth = '', id = '', text = '']) => ({
      markup: `<li class="h${depth}"><a href="#${id}">${text.replaceAll(/<[^>]*>/g, '')}</a></li>`,
    }),
  );
  return html`<details class="contents">
    <summary>Contents</summary>
    <ul>
      ${headings}
    </ul>
  </details>`;
}

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
    sendPage(
      res,
      name,
      html`<div class="doc">
        ${contentsOf(markup)}
        <article>${{ markup }}</article>
      </div>`,
    );
  });
  app.use('/docs/images', express.static(join(folder, 'images'), { index: false }));
}
