import { failureNames, type FailureName } from '../domain/effects.ts';
import { hasIdForm, isExternalWalletId } from '../domain/ids.ts';
import { searchedStates, type OrderSearch, type SearchedState } from '../storage/orders/search.ts';

/** A field of the list's form and links: what it has to be, and what it adds to the search. */
interface Field {
  readonly says: string;
  /** @returns undefined if a text is not what it has to be. */
  readonly read: (text: string) => OrderSearch | undefined;
}

/** What a request for the list of orders asks for. */
export interface AskedOrders {
  /** The fields that were given, as they were written. */
  readonly given: Readonly<Partial<Record<SearchField, string>>>;
  readonly search: OrderSearch;
  readonly isSlowest: boolean;
  /** The last order of the page before. */
  readonly below: string | undefined;
  /** What is wrong with the request, in words; empty if nothing is. */
  readonly wrong: readonly string[];
}

const textLengthMax = 500;
const timeForm = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?)?$/;
const typeForm = /^[A-Z_]{1,40}$/;

const fields = {
  workspace: { says: 'an id (ws_…)', read: idOf('workspace', 'workspaceId') },
  status: {
    says: `one of ${searchedStates.join(', ')}`,
    read: (text) => (isState(text) ? { state: text } : undefined),
  },
  type: { says: 'the name of a type, such as HOLD', read: (type) => (typeForm.test(type) ? { type } : undefined) },
  reason: {
    says: `no longer than ${textLengthMax} characters`,
    read: (text) => (isFailure(text) ? { failure: text } : { fault: text }),
  },
  from: { says: 'a time in UTC, such as 2026-11-26 14:03', read: timeOf('from') },
  to: { says: 'a time in UTC, such as 2026-11-26 14:03', read: timeOf('to') },
  wallet: {
    says: 'an id (wa_…)',
    read: (id) => (hasIdForm('wallet', id) || isExternalWalletId(id) ? { walletId: id } : undefined),
  },
  parent: { says: 'the id of an order (tr_…)', read: idOf('order', 'parentId') },
  batch: { says: 'an id (ba_…)', read: idOf('batch', 'batchId') },
} as const satisfies Readonly<Record<string, Field>>;

export type SearchField = keyof typeof fields;
export const searchFields = Object.keys(fields) as readonly SearchField[];

/** Reads a request for the list. Never throws: what is wrong with it is said. */
export function readAskedOrders(query: URLSearchParams): AskedOrders {
  const textOf = (name: string): string => (query.get(name) ?? '').trim();
  const given = Object.fromEntries(
    searchFields.map((name) => [name, textOf(name).slice(0, textLengthMax + 1)]).filter(([, text]) => text !== ''),
  ) as AskedOrders['given'];
  const wrong: string[] = [];
  let search: OrderSearch = {};
  for (const [name, text] of Object.entries(given)) {
    const { says, read }: Field = fields[name as SearchField];
    const found = text.length > textLengthMax ? undefined : read(text);
    if (found === undefined) wrong.push(`${name} has to be ${says}.`);
    search = { ...search, ...found };
  }
  const [order, below] = [textOf('order'), textOf('below')];
  const isSlowest = order === 'slowest';
  if (order !== '' && !isSlowest) wrong.push('order has to be slowest, or absent for the newest first.');
  if (below !== '' && !hasIdForm('order', below)) wrong.push('below has to be the id of an order (tr_…).');
  search = { ...search, state: search.state ?? stateAsked(search, isSlowest) };
  return {
    given,
    search,
    isSlowest,
    below: below === '' ? undefined : below,
    wrong: [...wrong, ...contradictions(search, isSlowest)],
  };
}

/** The state that a search means that names none. */
function stateAsked({ failure, fault }: OrderSearch, isSlowest: boolean): SearchedState | undefined {
  if (isSlowest) return 'PENDING';
  if (failure !== undefined) return 'FAILED';
  return fault === undefined ? undefined : 'SET_ASIDE';
}

function contradictions(search: OrderSearch, isSlowest: boolean): string[] {
  const { workspaceId, state, failure, fault, walletId, parentId, batchId, from, to } = search;
  return [
    ...(failure !== undefined && state !== 'FAILED' ? [`Only FAILED orders have the reason ${failure}.`] : []),
    ...(fault !== undefined && state !== 'PENDING' && state !== 'SET_ASIDE'
      ? [
          'Such a reason is of PENDING and SET_ASIDE orders; one of FAILED orders is a name, as INSUFFICIENT_BALANCE is.',
        ]
      : []),
    ...(isSlowest && state !== 'PENDING' ? ['Only PENDING orders can be slow.'] : []),
    ...(from !== undefined && to !== undefined && from >= to ? ['from has to be before to.'] : []),
    ...(workspaceId === undefined && (walletId ?? parentId ?? batchId) !== undefined
      ? ['A wallet, a parent or a batch needs its workspace beside it.']
      : []),
  ];
}

function idOf(kind: Parameters<typeof hasIdForm>[0], name: 'workspaceId' | 'parentId' | 'batchId'): Field['read'] {
  return (text) => (hasIdForm(kind, text) ? { [name]: text } : undefined);
}

/** A time in UTC as the pages show it, in the form of a form's field. */
export function plainTime(text: string): string {
  return text.replace(/( UTC|Z)$/, '').replace(' ', 'T');
}

/** Times as a form's field sends them, or as the pages show them. */
function timeOf(name: 'from' | 'to'): Field['read'] {
  return (text) => {
    const plain = plainTime(text);
    if (!timeForm.test(plain)) return undefined;
    const at = new Date(plain.includes('T') ? `${plain}Z` : plain);
    // What no calendar has, such as 30 February, would be read as a day of the next month.
    const isDay = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(plain.slice(0, 10));
    return isDay ? { [name]: at } : undefined;
  };
}

function isState(text: string): text is SearchedState {
  return (searchedStates as readonly string[]).includes(text);
}

function isFailure(text: string): text is FailureName {
  return (failureNames as readonly string[]).includes(text);
}
