/**
 * Options of a `find` of at most `countMax` documents, so that all come in the first reply, which closes the cursor. By
 * default the first reply has 101 documents, and the rest costs another round trip. Source: MongoDB manual, "Cursor Batches".
 */
export function inOneReply(countMax: number): { readonly batchSize: number } {
  return { batchSize: countMax + 1 };
}

/** How long a command for the operator may take. It is short, because the service's work comes first. */
export const operatorMaxMs = 1_000;
