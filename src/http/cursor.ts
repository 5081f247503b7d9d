import { z } from 'zod';
import { pageSizeMax } from './list-queries.ts';

/** Where the next page of a list begins, and all that makes it the same list. */
export interface Cursor {
  /** The list that the cursor belongs to, and whose list it is. The cursor is valid for no other. */
  readonly list: string;
  /** Id of the last row of the page before. */
  readonly below: string;
  /** The number of rows, as counted for the first page. Pages by cursor never count again. */
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
 * Reads a cursor. It is not signed, because it grants nothing: the API key decides whose rows are read, and the cursor only
 * says where to go on. A client that writes its own cursor deceives only itself, about the total.
 * @param list the list that it has to belong to.
 * @returns undefined if the text is no cursor of that list.
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
