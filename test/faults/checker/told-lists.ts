import type { Told } from '../harness/sent.ts';
import type { RawDocument } from './books.ts';
import type { Histories } from './histories.ts';
import type { Known } from './known.ts';
import { legsIn, walletsIn } from './legs.ts';
import { isEnd, ordersPath, walletPath } from './tellings.ts';

type Item = Readonly<Record<string, unknown>>;

/** A list as it was walked: its pages, each by the cursor of the one before. */
interface Walk {
  first: Told;
  last: Told;
  items: readonly Item[];
  isThrough: boolean;
}

/** What is right of a list. */
interface List {
  /** All that there are in the end, in any order, whether they fit or not. */
  rows: readonly RawDocument[];
  fits: Fits;
  /** Whether a row that fits was there, and did fit, before the walk began. */
  isSure: Fits;
}

type Fits = (row: RawDocument) => boolean;

/**
 * A walk through a list shows whatever was there when it began and fits the filters, once, newest first, as far as it went; and
 * nothing that does not fit. A page that nobody went on from is a walk as well. @returns a sentence for each breach.
 */
export function checkToldLists(histories: Histories, told: readonly Told[], known: Known): string[] {
  const listOf = listsOf(histories, known);
  return walksOf(told).flatMap((walk) => {
    const list = listOf(walk);
    return list === undefined ? [] : checkWalk(walk, list);
  });
}

/** The page that a walk began with. */
export function firstPage(page: Told): Told {
  return page.follows === undefined ? page : firstPage(page.follows);
}

export function itemsOf({ data }: Told): readonly Item[] {
  return (data as { items?: readonly Item[] } | null)?.items ?? [];
}

function walksOf(told: readonly Told[]): Walk[] {
  const followed = new Set(told.map(({ follows }) => follows));
  const isLast = (each: Told): boolean =>
    each.method === 'GET' && Array.isArray((each.data as { items?: unknown } | null)?.items) && !followed.has(each);
  return told.filter(isLast).map((last) => {
    const pages = [last];
    for (let page = last.follows; page !== undefined; page = page.follows) pages.unshift(page);
    const { nextCursor = null } = last.data as { nextCursor?: unknown };
    return { first: pages[0]!, last, items: pages.flatMap(itemsOf), isThrough: nextCursor === null };
  });
}

function checkWalk({ first, items, isThrough }: Walk, { rows, fits, isSure }: List): string[] {
  const ids = items.map((item) => String(item['id'] ?? item['transferId']));
  const [shown, last] = [new Set(ids), ids.at(-1) ?? '~'];
  const isDue = (row: RawDocument): boolean => (isThrough || row._id > last) && fits(row) && isSure(row);
  const { status } = first.query;
  const wrong: Readonly<Record<string, readonly string[]>> = {
    'has again, or too late,': ids.filter((id, index) => index > 0 && id >= ids[index - 1]!),
    'has, though they do not fit,': [
      ...rows.filter((row) => shown.has(row._id) && !fits(row)).map(({ _id }) => _id),
      ...ids.filter((_, index) => status !== undefined && items[index]!['status'] !== status),
    ],
    lacks: rows.filter((row) => !shown.has(row._id) && isDue(row)).map(({ _id }) => _id),
  };
  return Object.entries(wrong)
    .filter(([, those]) => those.length > 0)
    .map(([what, those]) => `the list ${first.path} ${JSON.stringify(first.query)} ${what} ${those.join(' ')}`);
}

/** @returns a function that finds what is right of a walk; undefined of a statement, whose flows are checked with its figures. */
function listsOf({ orders, wallets }: Histories, known: Known) {
  const ordersOf = Map.groupBy(orders.values(), ({ workspaceId }) => String(workspaceId));
  const walletsOf = Map.groupBy(
    [...wallets.values()].map(({ wallet }) => wallet).filter(({ kind }) => kind !== 'EXTERNAL'),
    ({ workspaceId }) => String(workspaceId),
  );
  return ({ first, last, items }: Walk): List | undefined => {
    const { path, query, workspaceId, askedAtMs } = first;
    const { id, what } = walletPath.exec(path)?.groups ?? {};
    if (what === 'statement') return undefined;
    const fitsFilters = fitsOf(query);
    if (what === 'flows') {
      // One that is shown proves that those before it are there.
      const least = Math.max(known.sequenceAt(id!, askedAtMs), ...items.map(({ sequence }) => Number(sequence)));
      const isSure = ({ sequence }: RawDocument): boolean => Number(sequence) <= least;
      return { rows: wallets.get(id!)?.flows ?? [], fits: fitsFilters, isSure };
    }
    if (walletPath.test(path)) return { rows: walletsOf.get(workspaceId) ?? [], fits: fitsFilters, isSure: () => true };
    const { walletId } = ordersPath.exec(path)?.groups ?? {};
    const { status } = query;
    return {
      rows: ordersOf.get(workspaceId) ?? [],
      fits: (order) => fitsFilters(order) && (walletId === undefined || walletsIn(order).has(walletId)),
      isSure({ _id }) {
        if (status === undefined) return known.existsSince(_id) < askedAtMs;
        if (isEnd(status)) return known.endedSince(_id) < askedAtMs;
        return known.existsSince(_id) < askedAtMs && known.openUntil(_id) > last.toldAtMs;
      },
    };
  };
}

const conditions: Readonly<Record<string, (asked: string) => Fits>> = {
  size: () => () => true,
  type: (asked) => (row) => row['type'] === asked,
  direction: (asked) => (row) => row['direction'] === asked,
  currency: (asked) => (row) => legsIn(row).some(({ currency }) => currency === asked),
  from: (asked) => (row) => Number(row['createdAt']) >= Date.parse(asked),
  to: (asked) => (row) => Number(row['createdAt']) < Date.parse(asked),
  // What is shown as COMPLETED is so in the end, and what ends was PENDING before.
  status: (asked) => (row) => asked === 'PENDING' || row['status'] === asked,
};

/** @throws of a filter that is not known. */
function fitsOf(query: Told['query']): Fits {
  const all = Object.entries(query).map(([name, asked]) => {
    const condition = conditions[name];
    if (condition === undefined) throw new Error(`what a list by ${name} tells is not checked`);
    return condition(asked);
  });
  return (row) => all.every((fits) => fits(row));
}
