import type { Collection } from 'mongodb';
import { flowId } from '../../domain/ids.ts';
import type { Wallet } from '../../domain/wallet.ts';
import { anyOf, byId } from '../shared/commands.ts';
import { findRows, type ReadOptions } from '../shared/page.ts';
import { IndeterminateError } from '../shared/transaction.ts';
import type { FlowDocument } from './flows.ts';

/** A wallet as it was just read. Of its flows only those up to its sequence are looked at. */
export type SearchedWallet = Pick<Wallet, 'workspaceId' | 'id' | 'sequence'> &
  Partial<Pick<Wallet, 'createdAt' | 'lastFlowAt'>>;

/** What a flow says of its wallet right after it. */
export type FlowMark = Pick<
  FlowDocument,
  'walletId' | 'sequence' | 'createdAt' | 'balanceAfter' | 'debits' | 'debitOrders'
>;

/** Where the flows before a time end. */
export interface FlowsBefore {
  /** Of the last of them; 0 where there is none. */
  readonly sequence: number;
  /** The last of them, unless the wallet as it was read answered by itself. */
  readonly mark: FlowMark | undefined;
  /** The flows right behind it that were read on the way. */
  readonly behind: readonly FlowMark[];
}

/** The flows of a wallet before a time. Flows of sequences below `low` are dated before it, those from `high` on are not. */
export interface FlowSearch {
  readonly wallet: SearchedWallet;
  readonly time: Date;
  readonly low: number;
  readonly high: number;
  readonly mark?: FlowMark | undefined;
  /** Whether the end is looked for right behind `low` first. */
  readonly isNear?: boolean;
}

/** Flows looked at for one time in one round trip. With 31, four round trips search a million flows. */
const probesMax = 31;

/**
 * Finds the last flow of a wallet before each of some times.
 * @returns in the order of the times. @throws as {@link searchFlows} does.
 */
export function flowsBefore(
  collection: Collection<FlowDocument>,
  wallet: SearchedWallet,
  times: readonly Date[],
  options: ReadOptions,
): Promise<FlowsBefore[]> {
  return searchFlows(
    collection,
    times.map((time) => newSearch(wallet, time)),
    options,
  );
}

/** The search for a time of which nothing is known. A time after the last flow, or at or before the wallet's making, needs none. */
export function newSearch(wallet: SearchedWallet, time: Date): FlowSearch {
  const { sequence, createdAt, lastFlowAt } = wallet;
  const [none, all] = [1, sequence + 1];
  if (lastFlowAt !== undefined && lastFlowAt < time) return { wallet, time, low: all, high: all };
  if (createdAt !== undefined && createdAt >= time) return { wallet, time, low: none, high: none };
  return { wallet, time, low: none, high: all };
}

/**
 * Finds the last flow before each of some times, all in the same round trips: as many as the logarithm of a wallet's flows
 * to the base 32, rounded up; one more where it was looked for nearby in vain. Sequences run 1, 2, 3 … without a gap, and no flow
 * is dated before its predecessor, so the primary key alone is searched.
 * @returns in the order of the searches. @throws as {@link findRows} does, and IndeterminateError where all flows
 * that could tell are missing: their shard has not yet what the wallet's has.
 */
export async function searchFlows(
  collection: Collection<FlowDocument>,
  beginning: readonly FlowSearch[],
  options: ReadOptions,
): Promise<FlowsBefore[]> {
  let searches = beginning;
  const read = new Map<string, FlowMark>();
  for (let open = searches.filter(isOpen); open.length > 0; open = searches.filter(isOpen)) {
    const byWallet = Map.groupBy(await readMarks(collection, open, options), ({ walletId }) => walletId);
    for (const mark of [...byWallet.values()].flat()) read.set(flowId(mark.walletId, mark.sequence), mark);
    searches = searches.map((search) => {
      if (!isOpen(search)) return search;
      const { wallet, low, high } = search;
      const narrowed = (byWallet.get(wallet.id) ?? []).reduce(narrow, search);
      if (narrowed === search)
        throw new IndeterminateError(`wallet ${wallet.id} lacks flows from ${low} to ${high - 1}`);
      return { ...narrowed, isNear: false };
    });
  }
  return searches.map(({ wallet, low, mark }) => ({ sequence: low - 1, mark, behind: behindIn(read, wallet.id, low) }));
}

function isOpen({ low, high }: FlowSearch): boolean {
  return low < high;
}

async function readMarks(
  collection: Collection<FlowDocument>,
  searches: readonly FlowSearch[],
  options: ReadOptions,
): Promise<FlowMark[]> {
  const workspaceId = anyOf(searches.map(({ wallet }) => wallet.workspaceId));
  const ids = new Set(searches.flatMap((search) => probesOf(search).map((probe) => flowId(search.wallet.id, probe))));
  const projection = { walletId: 1, sequence: 1, createdAt: 1, balanceAfter: 1, debits: 1, debitOrders: 1 };
  const asked = { filter: { workspaceId, _id: { $in: [...ids] } }, limit: ids.size, projection };
  return findRows(collection, asked, { ...options, ...byId });
}

/** @returns the same search if the flow tells it nothing new. */
function narrow(search: FlowSearch, mark: FlowMark): FlowSearch {
  const { sequence } = mark;
  if (sequence < search.low || sequence >= search.high) return search;
  return mark.createdAt < search.time ? { ...search, low: sequence + 1, mark } : { ...search, high: sequence };
}

/** At most {@link probesMax} whole numbers, evenly spread over the range, or at its beginning. */
function probesOf({ low, high, isNear = false }: FlowSearch): number[] {
  const count = Math.min(probesMax, high - low);
  const step = isNear ? 1 : (high - low) / (count + 1);
  const before = isNear ? low - 1 : low;
  return [...new Set(Array.from({ length: count }, (_, index) => Math.floor(before + step * (index + 1))))];
}

/** Those of a wallet that were read without a gap from a sequence on. */
function behindIn(read: ReadonlyMap<string, FlowMark>, walletId: string, from: number): FlowMark[] {
  const behind: FlowMark[] = [];
  for (
    let mark = read.get(flowId(walletId, from));
    mark !== undefined;
    mark = read.get(flowId(walletId, from + behind.length))
  )
    behind.push(mark);
  return behind;
}
