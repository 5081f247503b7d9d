import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import { openApiDocument } from './openapi.ts';
import type { Route } from '../route.ts';

/** The page loads only files of this server, and no inline script or style. Its icons are data in its style. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Two megabytes that change only with a release, so a browser need not fetch them for each visit. */
const cacheControl = 'public, max-age=3600';

/**
 * The description of the API for machines, and a page to read and try it, to which `/` and `/docs/` redirect, with the packed
 * clients beside it. All are public, so they need no signature. Each is one buffer, made once, because a text would be copied for
 * every answer.
 * @param clients the folder with the packed clients: an image has them, and a checkout has not.
 */
export function docsPages(
  routes: readonly Route[],
  clients = new URL('../../../docs/clients/', import.meta.url),
): RequestHandler {
  const ofPage = (name: string): Buffer => readFileSync(new URL(`page/${name}`, import.meta.url));
  const ofPackage = (url: string): Buffer => readFileSync(new URL(url));
  const inDocs = (name: string): Buffer => readFileSync(new URL(`../../../docs/${name}`, import.meta.url));
  const packed = existsSync(clients) ? readdirSync(clients) : [];
  const files: Readonly<Record<string, Buffer>> = {
    '/openapi.json': Buffer.from(JSON.stringify(openApiDocument(routes))),
    '/docs': ofPage('docs.html'),
    '/docs/sign.js': ofPage('sign.js'),
    '/docs/page.js': ofPage('page.js'),
    '/docs/signing-vectors.json': inDocs('signing-vectors.json'),
    '/docs/clients/postman-collection.json': inDocs('postman-collection.json'),
    ...Object.fromEntries(packed.map((name) => [`/docs/clients/${name}`, readFileSync(new URL(name, clients))])),
    '/docs/swagger-ui.css': ofPackage(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
    '/docs/swagger-ui-bundle.js': ofPackage(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  };
  return (req, res, next) => {
    const isFront = req.method === 'GET' && ['/', '/docs/'].includes(req.path);
    const file = req.method === 'GET' && Object.hasOwn(files, req.path) ? files[req.path] : undefined;
    if (file === undefined && !isFront) {
      next();
      return;
    }
    res.set({ 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer' });
    if (file === undefined) {
      res.redirect('/docs');
      return;
    }
    if (req.path.startsWith('/docs/swagger-ui')) res.set('Cache-Control', cacheControl);
    res.type(extname(req.path) || 'html').send(file);
  };
}
