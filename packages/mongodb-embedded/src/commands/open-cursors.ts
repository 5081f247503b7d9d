import type { ClientTransaction, Session } from '../sessions/sessions.ts';

/** Results not yet fetched, and who may fetch them. */
export interface Cursor {
  id: bigint;
  ns: string;
  results: Results;
  session: Session | undefined;
  transaction: ClientTransaction | undefined;
  usedAt: number;
}

/** Encoded documents, made as they are taken. `remaining` is what is left of a limit. */
export interface Results {
  documents: Iterator<Uint8Array, unknown>;
  remaining: number;
  /** Taken already, but found too large for its batch. */
  held?: Uint8Array;
}

export type Cursors = Map<bigint, Cursor>;

const batchBytesMax = 16 * 1024 * 1024;

/** Takes the next results, up to `size` and to what a reply may hold. */
export function takeBatch(results: Results, size: number): { documents: Uint8Array[]; isDone: boolean } {
  const documents: Uint8Array[] = [];
  let bytes = 0;
  while (documents.length < size && results.remaining > 0) {
    const next = results.held ?? results.documents.next();
    delete results.held;
    const document = next instanceof Uint8Array ? next : next.done ? undefined : next.value;
    if (document === undefined) return { documents, isDone: true };
    bytes += document.length;
    if (bytes > batchBytesMax && documents.length > 0) {
      results.held = document;
      return { documents, isDone: false };
    }
    documents.push(document);
    results.remaining--;
  }
  return { documents, isDone: results.remaining === 0 };
}
