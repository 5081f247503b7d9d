import type { Collection, Db } from 'mongodb';
import { flowId, sequenceMax } from '../domain/ids.ts';
import type { Direction, ListedFlow, Wallet } from '../domain/wallet.ts';
import { listedFlow, type FlowDocument } from '../storage/flows/flows.ts';
import { flowsBefore } from '../storage/flows/search.ts';
import {
  countRows,
  idsBelow,
  readPage,
  type IdRange,
  type Page,
  type PagePlace,
  type ReadOptions,
  type ReadTime,
  type TimeRange,
} from '../storage/shared/page.ts';
import { flowIndexes } from '../storage/schema/schema.ts';
import { byId } from '../storage/shared/commands.ts';

export interface FlowListQuery extends ReadTime, TimeRange {
  /**
   * As it was just read, with the number of its flows. That it is the workspace's is known, unless there is a direction and a
   * cursor; then the sequence is needed only for a range of times.
   */
  readonly wallet: Pick<Wallet, 'workspaceId' | 'id'> &
    Partial<Pick<Wallet, 'sequence' | 'debitFlows' | 'createdAt' | 'lastFlowAt'>>;
  readonly direction?: Direction | undefined;
}

/** Sequences from `first` to `last`, both inclusive; none where `last` is less. */
interface Sequences {
  readonly first: number;
  readonly last: number;
}

/**
 * Lists of a wallet's flows, newest first. Their ids hold the sequences 1, 2, 3 …, and no flow is dated before its
 * predecessor. So a range of times is a range of sequences, and a list is a range of the primary key. That saves the
 * collection that is written most an index by time. Only a direction in a range of times has to be counted.
 */
export function openFlowLists(db: Db) {
  const collection: Collection<FlowDocument> = db.collection('flows');

  async function sequencesOf({ wallet, from, to, timeLeftMs }: FlowListQuery): Promise<Sequences> {
    const times = [from, to].filter((time) => time !== undefined);
    if (times.length === 0) return { first: 1, last: wallet.sequence ?? sequenceMax };
    const searched = { ...wallet, sequence: wallet.sequence ?? 0 };
    const ends = (await flowsBefore(collection, searched, times, { timeLeftMs })).map(({ sequence }) => sequence);
    const [before = 0] = from === undefined ? [] : ends;
    const last = to === undefined ? searched.sequence : (ends.at(-1) ?? 0);
    return { first: before + 1, last };
  }

  return {
    async page(query: FlowListQuery, place: PagePlace): Promise<Page<ListedFlow>> {
      const { first, last } = await sequencesOf(query);
      const { wallet, direction, timeLeftMs } = query;
      // Sequences have no gap, so rows to skip need not be read, unless only one direction is listed.
      const skipped = direction === undefined ? place.skip : 0;
      const ids = idsOf(wallet.id, { first, last: Math.max(0, last - skipped) });
      const filter = filterOf(wallet, direction, idsBelow(ids, place.below));
      const rest = { ...place, skip: place.skip - skipped };
      return readPage(collection, filter, rest, listedFlow, { ...indexOf(direction), timeLeftMs });
    },

    async count(query: FlowListQuery): Promise<number> {
      const { wallet, direction, timeLeftMs } = query;
      const { sequence = 0, debitFlows = 0 } = wallet;
      const isWhole = query.from === undefined && query.to === undefined;
      if (isWhole && direction !== undefined) return direction === 'DEBIT' ? debitFlows : sequence - debitFlows;
      const sequences = await sequencesOf(query);
      if (direction === undefined) return Math.max(0, sequences.last - sequences.first + 1);
      const range = idsOf(wallet.id, sequences);
      return countRows(collection, filterOf(wallet, direction, range), { ...indexOf(direction), timeLeftMs });
    },
  };
}

function filterOf({ workspaceId }: FlowListQuery['wallet'], direction: Direction | undefined, range: IdRange) {
  const _id = { $gte: range.from, $lt: range.before };
  return direction === undefined ? { workspaceId, _id } : { workspaceId, direction, _id };
}

function indexOf(direction: Direction | undefined): Pick<ReadOptions, 'hint'> {
  return direction === undefined ? byId : { hint: flowIndexes.byDirection };
}

function idsOf(walletId: string, { first, last }: Sequences): IdRange {
  return { from: flowId(walletId, first), before: flowId(walletId, last + 1) };
}
