import type { Collection, Document, Filter, FindOptions } from 'mongodb';
import { inOneReply } from './commands.ts';

interface PagesOptions<Row> extends Pick<FindOptions, 'hint' | 'projection' | 'session'> {
  readonly filter?: Filter<Row>;
  /** The pages begin behind this id: the last of those that were read before. */
  readonly after?: string;
  /** Where the ids begin or end. */
  readonly ids?: { readonly $gte?: string; readonly $lt?: string };
}

/**
 * All documents that match, by id, each page by a command of its own: so no cursor lives long, memory stays flat however many
 * there are, and who keeps the last id can go on behind it. What is stored meanwhile may or may not be seen. It ends with the
 * first page that is empty, which is not handed out.
 */
export async function* pagesById<Row extends { readonly _id: string }>(
  collection: Collection<Row>,
  pageSize: number,
  { filter, after = '', ids, ...options }: PagesOptions<Row> = {},
): AsyncGenerator<Row[], void, undefined> {
  for (let last: string | undefined = after; last !== undefined;) {
    const rows: Document[] = await collection
      .find({ ...filter, _id: { ...ids, $gt: last } } as Filter<Row>, { ...options, ...inOneReply(pageSize) })
      .sort({ _id: 1 })
      .limit(pageSize)
      .toArray();
    last = (rows as Row[]).at(-1)?._id;
    if (last !== undefined) yield rows as Row[];
  }
}
