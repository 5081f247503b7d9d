import type { Collection, Db } from 'mongodb';
import { upsert } from '../shared/commands.ts';

/** A known text, sealed with one version of the master key. A process that can open it has that key. */
export interface KeyCheckValue {
  readonly masterKeyVersion: number;
  readonly sealed: Uint8Array;
  readonly createdAt: Date;
}

interface KeyCheckDocument extends Omit<KeyCheckValue, 'masterKeyVersion'> {
  readonly _id: number;
}

/** The `masterKeys` collection: one check value a version; never a key. */
export function openKeyCheckValues(db: Db) {
  const collection: Collection<KeyCheckDocument> = db.collection('masterKeys', { promoteBuffers: true });
  return {
    /** By version. */
    async all(): Promise<Map<number, KeyCheckValue>> {
      const documents = await collection.find().toArray();
      return new Map(documents.map((document) => [document._id, toCheckValue(document)]));
    },

    /** Records the check value of a version that has none; of several at once, one wins. @returns the one that is recorded. */
    async record({ masterKeyVersion: _id, sealed, createdAt }: KeyCheckValue): Promise<KeyCheckValue> {
      const recorded = await upsert(() =>
        collection.findOneAndUpdate(
          { _id },
          { $setOnInsert: { sealed, createdAt } },
          { upsert: true, returnDocument: 'after' },
        ),
      );
      return recorded === null ? { masterKeyVersion: _id, sealed, createdAt } : toCheckValue(recorded);
    },

    /** Forgets every version. */
    async clear(): Promise<void> {
      await collection.deleteMany({});
    },
  };
}

function toCheckValue({ _id, ...rest }: KeyCheckDocument): KeyCheckValue {
  return { masterKeyVersion: _id, ...rest };
}
