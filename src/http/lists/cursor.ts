import { z } from 'zod';
import { pageSizeMax } from './queries.ts';

const cursorLengthMax = 2_048;

const content = z.strictObject({
  /** The list that the cursor belongs to, and whose list it is. The cursor is valid for no other. */
  list: z.string(),
  /** Id of the last row of the page before. */
  below: z.string().regex(/^[a-z]{2}_[A-Za-z0-9_.]{1,80}$/),
  /** The number of rows, as counted for the first page. Pages by cursor never count again. */
  total: z.int().nonnegative(),
  /** Absent in cursors of the release before, which counted all. */
  totalIsExact: z.boolean().default(true),
  size: z.int().min(1).max(pageSizeMax),
  /** The query parameters that filter the list, as they were given. */
  filters: z.record(z.string(), z.string()),
});

/** Where the next page of a list begins, and all that makes it the same list. */
export type Cursor = Readonly<z.infer<typeof content>>;

export function encodeCursor(cursor: Readonly<z.input<typeof content>>): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/**
 * Reads a cursor. It is not signed, because it grants nothing: the API key decides whose rows are read, and the cursor only
 * says where to go on. A client that writes its own cursor deceives only itself, about the total.
 * @param list the list that it has to belong to.
 * @returns undefined if the text is no cursor of that list.
 */
export function decodeCursor(text: string, list: string): Cursor | undefined {
  if (text.length > cursorLengthMax || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    const { data } = content.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return data?.list === list ? data : undefined;
  } catch {
    return undefined;
  }
}
