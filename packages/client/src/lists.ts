import { checkMembers, checkSignal } from './check.ts';
import type { QueryValue, Send } from './connection.ts';
import { unexpectedData } from './exchange.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export const callOptionNames = ['signal'];

type Query = Readonly<Record<string, QueryValue | undefined>>;

export interface ListRequest {
  readonly template: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly filters: Query;
  /** Those that the list takes. */
  readonly known: readonly string[];
  readonly options: CallOptions;
}

const sizeDefault = 100;

/** A page of a list, with whatever else its answer says. */
export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor: string | null;
}

/** Lists are walked by cursor: nothing is missed or repeated, whatever arrives meanwhile. */
export async function* itemsOf<Item>(send: Send, request: ListRequest): AsyncGenerator<Item, void, undefined> {
  yield* itemsFrom(send, request, await firstPageOf<Page<Item>>(send, request));
}

export async function firstPageOf<Of extends Page<unknown>>(send: Send, request: ListRequest): Promise<Of> {
  const { filters, known, options } = request;
  checkMembers('The filters of a list', filters, ['size', ...known]);
  checkMembers('The options of a list', options, callOptionNames);
  checkSignal(options.signal);
  return pageOf(send, request, { ...filters, size: sizeIn(request) });
}

/** The items of this page, and of all that follow it. */
export async function* itemsFrom<Item>(
  send: Send,
  request: ListRequest,
  first: Page<Item>,
): AsyncGenerator<Item, void, undefined> {
  let page = first;
  for (;;) {
    yield* page.items;
    const { nextCursor: cursor } = page;
    if (cursor === null) return;
    page = await pageOf(send, request, { cursor, size: sizeIn(request) });
  }
}

function sizeIn({ filters }: ListRequest): QueryValue {
  return filters['size'] ?? sizeDefault;
}

async function pageOf<Of extends Page<unknown>>(
  send: Send,
  { template, path = {}, options }: ListRequest,
  query: Query,
): Promise<Of> {
  const { data, status } = await send('GET', template, { path, query, signal: options.signal });
  if (!isPage(data)) throw unexpectedData(`GET ${template}: no page of a list`, status, data);
  if (data.nextCursor !== null && data.nextCursor === query['cursor']) {
    throw unexpectedData(`GET ${template}: a cursor that leads to itself`, status, data);
  }
  return data as Of;
}

function isPage(data: unknown): data is Page<unknown> {
  if (typeof data !== 'object' || data === null || !('items' in data) || !('nextCursor' in data)) return false;
  return Array.isArray(data.items) && (typeof data.nextCursor === 'string' || data.nextCursor === null);
}
