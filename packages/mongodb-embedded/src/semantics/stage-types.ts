import type { StringOrder } from './compare.ts';
import type { Variables } from './expression-types.ts';
import type { Document } from './values.ts';

/** What the stages of a pipeline share: other collections and the variables in force. */
export interface PipelineScope {
  read: (collection: string) => Iterable<Document>;
  variables: Variables;
  stringOrder?: StringOrder;
}

/** A compiled stage or a whole pipeline. */
export type Stage = (input: Iterable<Document>, scope: PipelineScope) => Iterable<Document>;
