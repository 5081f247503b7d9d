import { z } from 'zod';
import { pageSizeMax } from './list-queries.ts';

/** Where the next page of a list begins, and all that makes it the same list. */
export interface Cursor {
  /** The list the cursor is of, with the workspace or wallet whose list it is; it is good for no other. */
  readonly list: string;
  /** Id of the last row of the page before. */
  readonly below: string;
  /** Rows in all, as counted for the first page: pages by cursor never count again. */
  readonly total: number;
  readonly size: number;
  /** The query parameters that filter the list, as they were given. */
  readonly filters: Readonly<Record<string, string>>;
}

const cursorLengthMax = 2_048;

const content = z.strictObject({
  l: z.string(),
  b: z.string().regex(/^[a-z]{2}_[A-Za-z0-9_.]{1,80}$/),
  t: z.int().nonnegative(),
  s: z.int().min(1).max(pageSizeMax),
  f: z.record(z.string(), z.string()),
});

export function encodeCursor({ list, below, total, size, filters }: Cursor): string {
  return Buffer.from(JSON.stringify({ l: list, b: below, t: total, s: size, f: filters })).toString('base64url');
}

/**
 * Reads a cursor. It is not signed, because it grants nothing: whose rows are read is decided by the API key, and a
 * cursor only says how far down to go on; a client that writes its own deceives itself about the total.
 * @param list which list it has to be of.
 * @returns undefined for what is no cursor of that list.
 */
export function decodeCursor(text: string, list: string): Cursor | undefined {
  if (text.length > cursorLengthMax || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  const parsed = content.safeParse(value);
  if (!parsed.success || parsed.data.l !== list) return undefined;
  const { b: below, t: total, s: size, f: filters } = parsed.data;
  return { list, below, total, size, filters };
}
