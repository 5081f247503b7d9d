import type { Document, Filter, MatchKeysAndValues } from 'mongodb';

/** A document of any collection that a posting writes. */
export interface PostedDocument extends Document {
  readonly _id: string;
}

/** Sets fields of documents by their ids and workspaces. All of them must still be as they were read. */
export interface GuardedUpdate {
  readonly filter: Filter<PostedDocument>;
  readonly set: MatchKeysAndValues<PostedDocument>;
  /** How many documents the filter names. Fewer match if another writer was faster. */
  readonly count: number;
}
