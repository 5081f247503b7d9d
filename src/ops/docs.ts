import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type IRouter } from 'express';
import { markdownToMarkup } from './markdown.ts';
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
