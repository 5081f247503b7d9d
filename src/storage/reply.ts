/**
 * Options of a `find` whose documents, at most so many, come in the first reply and close its cursor: a first batch is
 * otherwise 101 documents, and the rest another round trip. Source: MongoDB manual, "Cursor Batches".
 */
export function inOneReply(countMax: number): { readonly batchSize: number } {
  return { batchSize: countMax + 1 };
}

/** How long a command for the operator may take: such questions give way to the service's work. */
export const operatorMaxMs = 1_000;
