import { hasIdForm, isExternalWalletId } from '../domain/ids.ts';
import { Money } from '../domain/money.ts';
import { searchedStates, type OrderSearch, type SearchedState } from '../storage/orders/search.ts';

const textLengthMax = 64;

/** What a request for the list of orders asks for. */
export interface AskedOrders {
  /** The fields of the form as they were written, and the last order of the page before. */
  readonly given: Readonly<Partial<Record<SearchField | 'below', string>>>;
  readonly search: OrderSearch;
  readonly below: string | undefined;
  /** What is wrong with the request, in words; empty if nothing is. */
  readonly wrong: readonly string[];
}

/** A field of the form: what it has to be, and what it adds to the search; undefined if a text is not that. */
const fields = {
  workspace: ['an id (ws_…)', (id) => (hasIdForm('workspace', id) ? { workspaceId: id } : undefined)],
  status: [`one of ${searchedStates.join(', ')}`, (text) => (isState(text) ? { state: text } : undefined)],
  wallet: ['an id (wa_…)', (id) => (hasIdForm('wallet', id) || isExternalWalletId(id) ? { walletId: id } : undefined)],
  amount: [
    'a decimal, such as 12.50',
    (text) => (/^\d{1,30}(\.\d{1,30})?$/.test(text) ? { amount: new Money(text) } : undefined),
  ],
} as const satisfies Readonly<Record<string, readonly [string, (text: string) => OrderSearch | undefined]>>;

export type SearchField = keyof typeof fields;

/** Reads a request for the list. Never throws: what is wrong with it is said. */
export function readAskedOrders(query: URLSearchParams): AskedOrders {
  const names = [...(Object.keys(fields) as SearchField[]), 'below'] as const;
  const texts = names.map((name) => [name, (query.get(name) ?? '').trim().slice(0, textLengthMax + 1)] as const);
  const given: AskedOrders['given'] = Object.fromEntries(texts.filter(([, text]) => text !== ''));
  const { below, ...asked } = given;
  const wrong: string[] = [];
  let search: OrderSearch = {};
  for (const [name, text] of Object.entries(asked) as [SearchField, string][]) {
    const [says, read] = fields[name];
    const found = read(text);
    if (found === undefined) wrong.push(`${name} has to be ${says}.`);
    search = { ...search, ...found };
  }
  if (below !== undefined && !hasIdForm('order', below)) wrong.push('below has to be the id of an order (tr_…).');
  if (search.walletId !== undefined && search.workspaceId === undefined)
    wrong.push('A wallet needs its workspace beside it; its page has the link.');
  return { given, search, below, wrong };
}

function isState(text: string): text is SearchedState {
  return (searchedStates as readonly string[]).includes(text);
}
