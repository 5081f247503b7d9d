import type { Response } from 'express';
import { html, type Html } from './html.ts';

const reloadSeconds = 10;

/** Answers with a page that does not refresh itself. */
export function sendPage(res: Response, title: string, body: Html, status = 200): void {
  res
    .status(status)
    .type('html')
    .send(layout(title, body, false));
}

const searchForm = html`<form action="/search" method="get">
  <input name="id" aria-label="Id" placeholder="Order, bizId, wallet or workspace" required />
  <button>Find</button>
</form>`;

/** A whole page. A live one reloads itself, without a script; what is typed would be lost, so it has no field. */
export function layout(title: string, body: Html, isLive: boolean): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/page.css" />
        ${isLive ? html`<meta http-equiv="refresh" content="${reloadSeconds}" />` : ''}
      </head>
      <body>
        <header>
          <h1><a href="/">Transfers</a></h1>
          ${isLive ? '' : searchForm}
          <nav>
            <a href="/search">Find</a> <a href="/orders">Failed</a> <a href="/orders?status=SET_ASIDE">Set aside</a>
            <a href="/queues">Queue</a>
            <a href="/docs/operations.md">Runbook</a>
          </nav>
        </header>
        <main>${body}</main>
      </body>
    </html>`.markup;
}
