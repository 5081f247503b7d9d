import { join } from 'node:path';
import type { IRouter, Request, RequestHandler } from 'express';
import type { Clock } from '../../clock.ts';
import type { Presenter } from '../../orders/present.ts';
import type { OpenOrderSearch } from '../../reading/order-search.ts';
import type { Collections } from '../../storage/collections.ts';

// How the pages are asked for and sent: their query, with which headers, and their styles.

/** From what the pages are made that somebody looks up. */
export interface PageContext {
  readonly collections: Collections;
  readonly orderSearch: OpenOrderSearch;
  readonly present: Presenter;
  readonly clock: Clock;
  /** Whether an order that is set aside can be released here. */
  readonly canAct: boolean;
}

const styles = join(import.meta.dirname, 'page.css');

/** The pages have no scripts, and load only files of this server, so they work without the Internet. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function withPolicy(policy: string): RequestHandler {
  return (_req, res, next) => {
    res.set({
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    });
    next();
  };
}

export function addStyles(app: IRouter): void {
  app.get('/page.css', (_req, res) => {
    res.sendFile(styles);
  });
}

/** What stands behind the question mark. Of a name that comes twice, whoever reads it decides. */
export function queryOf({ url }: Request): URLSearchParams {
  return new URLSearchParams(url.split('?')[1]);
}
