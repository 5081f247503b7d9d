import { CommandError } from '../errors.ts';
import type { Document } from './values.ts';

/** What a pipeline may reach besides its source. */
export interface PipelineContext {
  read: (collection: string) => Iterable<Document>;
  now: Date;
}

/** Runs a pipeline lazily. */
export function runPipeline(
  source: Iterable<Document>,
  stages: Document[],
  _context: PipelineContext,
): Iterable<Document> {
  if (stages.length === 0) return source;
  throw new CommandError(40324, 'Unrecognized pipeline stage name');
}
