import { checkMembers, checkSignal } from './check.ts';
import type { Send } from './connection.ts';
import { UnexpectedAnswerError } from './errors.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export const callOptionNames = ['signal'];

type Query = Readonly<Record<string, string | number | undefined>>;

interface ListRequest {
  readonly template: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly filters: Query;
  /** Those that the list takes. */
  readonly known: readonly string[];
  readonly options: CallOptions;
}

const sizeDefault = 100;

/** Lists are walked by cursor: nothing is missed or repeated, whatever arrives meanwhile. */
export async function* itemsOf<Item>(send: Send, request: ListRequest): AsyncGenerator<Item, void, undefined> {
  const { template, path = {}, filters, known, options } = request;
  checkMembers('The filters of a list', filters, ['size', ...known]);
  checkMembers('The options of a list', options, callOptionNames);
  checkSignal(options.signal);
  const { size = sizeDefault } = filters;
  let query: Query = { ...filters, size };
  for (;;) {
    const { data, status } = await send('GET', template, { path, query, signal: options.signal });
    if (!isPage(data)) throw new UnexpectedAnswerError(`GET ${template}: no page of a list`, received(status, data));
    yield* data.items as Item[];
    const { nextCursor } = data;
    if (nextCursor === null) return;
    if (nextCursor === query['cursor']) {
      throw new UnexpectedAnswerError(`GET ${template}: a cursor that leads to itself`, received(status, data));
    }
    query = { cursor: nextCursor, size };
  }
}

function received(status: number, data: unknown): { status: number; text: string } {
  return { status, text: JSON.stringify(data) };
}

function isPage(data: unknown): data is { items: unknown[]; nextCursor: string | null } {
  if (typeof data !== 'object' || data === null || !('items' in data) || !('nextCursor' in data)) return false;
  return Array.isArray(data.items) && (typeof data.nextCursor === 'string' || data.nextCursor === null);
}
