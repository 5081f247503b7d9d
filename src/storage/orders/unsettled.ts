import type { Collection, Document, FindOptions } from 'mongodb';
import { inOneReply } from '../shared/commands.ts';
import { orderIndexes } from '../schema/schema.ts';
import type { open, OrderDocument } from './documents.ts';

/** Where reading workspace by workspace, and oldest first in each, has come to. */
export interface UnsettledPlace {
  readonly workspaceId: string;
  readonly id: string;
}

/** Orders of one state, of one workspace or of many. */
type UnsettledFilter = Document & { readonly status: (typeof open)['$in'][number] };

/** The order of the keys of the index. All of it is named, so that a cluster's shards are merged in it. */
export const byWorkspace = { workspaceId: 1, status: 1, _id: 1 } as const;

/** Reads documents in the order of the index's keys: from the index alone if only fields of its keys are asked for. */
export function readUnsettled(
  collection: Collection<OrderDocument>,
  filter: UnsettledFilter,
  countMax: number,
  options: FindOptions = {},
): Promise<OrderDocument[]> {
  const rows = { sort: byWorkspace, limit: countMax, hint: orderIndexes.unsettled, ...inOneReply(countMax) };
  return collection.find(filter, { ...rows, ...options }).toArray();
}

/** A page of all workspaces' orders of one state, behind a place. Two commands, the first where the place is. */
export async function readUnsettledAfter(
  collection: Collection<OrderDocument>,
  { _id: ids = {}, ...filter }: UnsettledFilter & { readonly _id?: { readonly $lt?: string } },
  place: UnsettledPlace | undefined,
  countMax: number,
  options: FindOptions = {},
): Promise<OrderDocument[]> {
  const { workspaceId = '', id = '' } = place ?? {};
  const ofSame = { ...filter, workspaceId, _id: { ...ids, $gt: id } };
  const same = place === undefined ? [] : await readUnsettled(collection, ofSame, countMax, options);
  if (same.length === countMax) return same;
  const ofNext = { ...filter, workspaceId: { $gt: workspaceId }, _id: { $gt: '', ...ids } };
  return [...same, ...(await readUnsettled(collection, ofNext, countMax - same.length, options))];
}
