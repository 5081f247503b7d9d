import type { StatementEntry, StatementRange, StatementTotals } from './api.ts';
import { checkMembers, checkTime } from './check.ts';
import type { Send } from './connection.ts';
import { firstPageOf, itemsFrom, type CallOptions, type ListRequest, type Page } from './lists.ts';

/**
 * The figures of a range of time: opening and closing balance, debits, credits, and how many entries. They are final up to
 * `settledUntil`; of a range that ends later, entries may be posted while it is read. Iterate it for its entries, oldest first:
 * each iteration asks for the pages behind the first.
 */
export interface Statement extends StatementTotals, AsyncIterable<StatementEntry> {}

/** Asks for the first page, which has the figures too. */
export async function statementOf(
  send: Send,
  id: string,
  range: StatementRange,
  options: CallOptions,
): Promise<Statement> {
  checkMembers('The range of a statement', range, ['from', 'to', 'size']);
  checkTime('from', range.from);
  checkTime('to', range.to);
  const request: ListRequest = {
    template: '/api/v1/wallets/{id}/statement',
    path: { id },
    filters: { ...range },
    known: ['from', 'to'],
    options,
  };
  const first = await firstPageOf<StatementTotals & Page<StatementEntry>>(send, request);
  const { items: _items, nextCursor: _nextCursor, ...totals } = first;
  return { ...totals, [Symbol.asyncIterator]: () => itemsFrom(send, request, first) };
}
