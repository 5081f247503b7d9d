import type { Document, Filter, MatchKeysAndValues } from 'mongodb';

/** A document of any of the collections that a posting writes. */
export interface PostedDocument extends Document {
  readonly _id: string;
}

/** Sets fields of documents, named by their ids and workspaces, that must all still be as they were read. */
export interface GuardedUpdate {
  readonly filter: Filter<PostedDocument>;
  readonly set: MatchKeysAndValues<PostedDocument>;
  /** How many documents the filter names; fewer match where another writer was faster. */
  readonly count: number;
}
