import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';
import { openApiDocument } from './openapi.ts';
import type { Route } from './routes.ts';

/** The page loads from here alone, and runs nothing that is not its own script. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The description of the API for machines and a page to read and try it. Neither needs a signature: both are public. Each is
 * one buffer, made once: as text it would be copied for every answer.
 */
export function docsPages(routes: readonly Route[]): RequestHandler {
  const files: Readonly<Record<string, { readonly type: string; readonly bytes: Buffer }>> = {
    '/openapi.json': { type: 'application/json', bytes: Buffer.from(JSON.stringify(openApiDocument(routes))) },
    '/docs': { type: 'text/html', bytes: read('docs.html') },
    '/docs/page.css': { type: 'text/css', bytes: read('page.css') },
    '/docs/sign.js': { type: 'text/javascript', bytes: read('sign.js') },
    '/docs/page.js': { type: 'text/javascript', bytes: read('page.js') },
  };
  return (req, res, next) => {
    const file = req.method === 'GET' && Object.hasOwn(files, req.path) ? files[req.path] : undefined;
    if (file === undefined) {
      next();
      return;
    }
    res.set({ 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer' });
    res.type(file.type).send(file.bytes);
  };
}

function read(name: string): Buffer {
  return readFileSync(new URL(`page/${name}`, import.meta.url));
}
