import type { Collection } from 'mongodb';
import { flowId } from '../domain/ids.ts';
import type { Wallet } from '../domain/wallet.ts';
import { byId } from '../storage/shared/commands.ts';
import { bounded, timeLimit, type ReadTime } from '../storage/shared/page.ts';
import { IndeterminateError } from '../storage/shared/transaction.ts';
import type { FlowDocument } from '../storage/flows/flows.ts';

/** A wallet as it was just read. Of its flows only those up to its sequence are looked at. */
export type SearchedWallet = Pick<Wallet, 'workspaceId' | 'id' | 'sequence'> &
  Partial<Pick<Wallet, 'createdAt' | 'lastFlowAt'>>;

/** What a flow says of its wallet right after it. */
export type FlowMark = Pick<FlowDocument, 'sequence' | 'createdAt' | 'balanceAfter' | 'debits'>;

/** Where the flows before a time end. */
export interface FlowsBefore {
  /** Of the last of them; 0 where there is none. */
  readonly sequence: number;
  /** The last of them, unless the wallet as it was read answered by itself. */
  readonly mark: FlowMark | undefined;
}

/** Flows of sequences below `low` are dated before the time, those from `high` on are not. */
interface Search {
  readonly time: Date;
  readonly low: number;
  readonly high: number;
  readonly mark: FlowMark | undefined;
}

/** Flows looked at for one time in one round trip. With 31, four round trips search a million flows. */
const probesMax = 31;

/**
 * Finds the last flow before each of some times, all in the same round trips: as many as the logarithm of the wallet's flows
 * to the base 32, rounded up. Sequences run 1, 2, 3 … without a gap, and no flow is dated before its predecessor, so the
 * primary key alone is searched. A time after the last flow, or at or before the wallet's making, needs no search.
 * @returns in the order of the times. @throws as {@link timeLimit} and {@link bounded} do, and IndeterminateError where all flows
 * that could tell are missing: their shard has not yet what the wallet's has.
 */
export async function flowsBefore(
  collection: Collection<FlowDocument>,
  wallet: SearchedWallet,
  times: readonly Date[],
  readTime: ReadTime,
): Promise<FlowsBefore[]> {
  let searches = times.map((time) => beginning(wallet, time));
  for (let open = searches.filter(isOpen); open.length > 0; open = searches.filter(isOpen)) {
    const marks = await readMarks(collection, wallet, new Set(open.flatMap(probesOf)), readTime);
    const narrowed = searches.map((search) => marks.reduce(narrow, search));
    const stuck = searches.find((search, index) => isOpen(search) && narrowed[index] === search);
    if (stuck !== undefined) {
      throw new IndeterminateError(`wallet ${wallet.id} lacks flows from ${stuck.low} to ${stuck.high - 1}`);
    }
    searches = narrowed;
  }
  return searches.map(({ low, mark }) => ({ sequence: low - 1, mark }));
}

function beginning({ sequence, createdAt, lastFlowAt }: SearchedWallet, time: Date): Search {
  const [none, all] = [1, sequence + 1];
  if (lastFlowAt !== undefined && lastFlowAt < time) return { time, low: all, high: all, mark: undefined };
  if (createdAt !== undefined && createdAt >= time) return { time, low: none, high: none, mark: undefined };
  return { time, low: none, high: all, mark: undefined };
}

function isOpen({ low, high }: Search): boolean {
  return low < high;
}

async function readMarks(
  collection: Collection<FlowDocument>,
  { workspaceId, id }: SearchedWallet,
  sequences: ReadonlySet<number>,
  readTime: ReadTime,
): Promise<FlowMark[]> {
  const ids = Array.from(sequences, (sequence) => flowId(id, sequence));
  const projection = { sequence: 1, createdAt: 1, balanceAfter: 1, debits: 1 };
  const options = { projection, ...byId, ...timeLimit(readTime) };
  return bounded(collection.find({ workspaceId, _id: { $in: ids } }, options).toArray());
}

/** @returns the same search if the flow tells it nothing new. */
function narrow(search: Search, mark: FlowMark): Search {
  const { sequence } = mark;
  if (sequence < search.low || sequence >= search.high) return search;
  return mark.createdAt < search.time ? { ...search, low: sequence + 1, mark } : { ...search, high: sequence };
}

/** At most {@link probesMax} whole numbers, evenly spread over the range. */
function probesOf({ low, high }: Search): number[] {
  const count = Math.min(probesMax, high - low);
  const step = (high - low) / (count + 1);
  return [...new Set(Array.from({ length: count }, (_, index) => Math.floor(low + step * (index + 1))))];
}
