import type { Db, Document } from 'mongodb';
import { afterEach } from 'vitest';

/** What a test stores that MongoDB itself would refuse. */
export const unvalidated = { bypassDocumentValidation: true };

/**
 * Has these collections stand again after each test as they did when they were remembered.
 * @returns remembers them as they stand; to be called once the books are made.
 */
export function restoredAfterEach(db: Db, names: readonly string[]): () => Promise<void> {
  const sound = new Map<string, Document[]>();
  afterEach(async () => {
    for (const [name, rows] of sound) {
      await db.collection(name).deleteMany({});
      await db.collection(name).insertMany(rows, unvalidated);
    }
  });
  return async () => {
    for (const name of names) sound.set(name, await db.collection(name).find().toArray());
  };
}
