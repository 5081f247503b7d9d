import type { ClientSession, Db } from 'mongodb';
import { LRUCache } from 'lru-cache';
import { firstMomentOf, nothingGiven, type Given, type LimitWindow } from '../../domain/limits.ts';
import { Money } from '../../domain/money.ts';
import { dateOn, type Wallet } from '../../domain/wallet.ts';
import { toDecimal128 } from '../shared/decimal.ts';
import type { ReadTime } from '../shared/page.ts';
import type { FlowDocument } from './flows.ts';
import {
  newSearch,
  searchFlows,
  type FlowMark,
  type FlowsBefore,
  type FlowSearch,
  type SearchedWallet,
} from './search.ts';

interface WindowOptions extends ReadTime {
  readonly session?: ClientSession;
  readonly remembered?: ReturnType<typeof createRememberedWindows>;
}

/**
 * Reads what the limits of wallets are judged by: what each wallet had given before the window of each of its limits.
 *
 * What a wallet has given in a window is the difference of two points of its own history, because each flow says how much its wallet
 * has given so far. So each window is one search by time, however many flows are in it; those of all wallets share their round
 * trips. None is made where the window reaches back behind the wallet's making, or all flows came before it, or the worker
 * remembers the flows at its beginning.
 * @returns by wallet; undefined of a limit that has no window. `keep` remembers what was read: call it once that is known to be
 * committed. @throws as `searchFlows` does.
 */
export function openWindows(db: Db) {
  const collection = db.collection<FlowDocument>('flows');
  return async (wallets: readonly Wallet[], at: Date, { remembered, ...options }: WindowOptions = {}) => {
    const searches = new Map<string, FlowSearch>();
    for (const wallet of wallets) {
      for (const { window } of wallet.limits ?? []) {
        const time = firstMomentOf(window, dateOn(wallet, at));
        const key = keyOf(wallet, window);
        if (time === undefined || searches.has(key)) continue;
        const search = newSearch(wallet, time);
        searches.set(key, remembered === undefined ? search : remembered.narrow(key, search));
      }
    }
    const ends = await searchFlows(collection, [...searches.values()], options);
    const found = new Map([...searches.keys()].map((key, place) => [key, ends[place]]));
    const beforeOf = (wallet: Wallet, window: LimitWindow): Given | undefined => {
      const end = found.get(keyOf(wallet, window));
      return end && givenAt(wallet, end);
    };
    return {
      before: new Map(
        wallets.map((wallet) => [wallet.id, wallet.limits?.map(({ window }) => beforeOf(wallet, window)) ?? []]),
      ),
      keep: (): void => {
        for (const [key, { wallet, low, high }] of searches) {
          const { mark = beforeFirst(wallet), behind = [] } = found.get(key) ?? {};
          if (low < high) remembered?.add(key, [mark, ...behind]);
        }
      },
    };
  };
}

function keyOf({ id }: Wallet, window: LimitWindow): string {
  if (window === 'order') return '';
  return `${id} ${'rolling' in window ? window.rolling : `${window.calendar} ${window.timeZone}`}`;
}

/** What a wallet had given with its last flow before a time. */
function givenAt(wallet: Wallet, { sequence, mark }: Pick<FlowsBefore, 'sequence' | 'mark'>): Given {
  if (mark !== undefined) return { debits: new Money(mark.debits), debitOrders: mark.debitOrders ?? 0 };
  return sequence === 0 ? nothingGiven : wallet;
}

/** Stands before the first flow of a wallet. */
function beforeFirst({ id: walletId, createdAt = new Date(0) }: SearchedWallet): FlowMark {
  return { walletId, sequence: 0, createdAt, balanceAfter: toDecimal128(nothingGiven.debits), debits: '0' };
}

/** Some 20 MB of memory. */
const marksMax = 100_000;
/** For a database that was itself set back. */
const keptMaxMs = 60_000;

/**
 * The flows at the beginnings of windows, as they were read last: the last before it, and some that follow. Flows never change, so
 * what is remembered of committed ones stays true.
 */
export function createRememberedWindows() {
  const remembered = new LRUCache<string, readonly FlowMark[]>({
    maxSize: marksMax,
    ttl: keptMaxMs,
    noUpdateTTL: true,
    perf: performance,
    sizeCalculation: (marks) => marks.length,
  });
  return {
    /** A search with what is known of its window. */
    narrow(key: string, search: FlowSearch): FlowSearch {
      const marks = search.low < search.high ? (remembered.get(key) ?? []) : [];
      const index = marks.findLastIndex(({ createdAt }) => createdAt < search.time);
      const mark = marks[index];
      if (mark === undefined) return search;
      if (index > 0) remembered.set(key, marks.slice(index));
      const low = mark.sequence + 1;
      return { ...search, low, mark, high: marks[index + 1] === undefined ? search.high : low, isNear: true };
    },
    /** @param marks of committed flows. */
    add(key: string, marks: readonly FlowMark[]): void {
      remembered.set(key, marks);
    },
  };
}
