import type { StatementEntry, StatementRange, StatementTotals } from './api.ts';
import { checkMembers, checkTime } from './check.ts';
import type { Send } from './connection.ts';
import { firstPageOf, itemsFrom, type CallOptions, type ListRequest, type Page } from './lists.ts';

/** What moved on a wallet in a range of time: its entries, oldest first, of all pages. */
export interface Statement extends AsyncIterable<StatementEntry> {
  /**
   * The figures of the whole range: opening and closing balance, debits, credits, and how many entries. They are final up to
   * `settledUntil`; of a range that ends later, entries may be posted while it is read.
   */
  totals(): Promise<StatementTotals>;
}

type FirstPage = StatementTotals & Page<StatementEntry>;

/** Nothing is sent before it is used. The first page, which has the figures too, is fetched once and kept. */
export function statementOf(send: Send, id: string, range: StatementRange, options: CallOptions): Statement {
  const request: ListRequest = {
    template: '/api/v1/wallets/{id}/statement',
    path: { id },
    filters: { ...range },
    known: ['from', 'to'],
    options,
  };
  let kept: Promise<FirstPage> | undefined;

  async function fetchFirst(): Promise<FirstPage> {
    checkMembers('The range of a statement', range, ['from', 'to', 'size']);
    checkTime('from', range.from);
    checkTime('to', range.to);
    return firstPageOf(send, request);
  }

  async function first(): Promise<FirstPage> {
    kept ??= fetchFirst();
    try {
      return await kept;
    } catch (error) {
      kept = undefined;
      throw error;
    }
  }

  return {
    async totals() {
      const { items: _items, nextCursor: _nextCursor, ...totals } = await first();
      return totals;
    },
    async *[Symbol.asyncIterator]() {
      yield* itemsFrom(send, request, await first());
    },
  };
}
