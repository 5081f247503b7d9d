import type { Collection, Db } from 'mongodb';
import { upsert } from '../shared/commands.ts';

/** A known text, sealed with one version of the master key. A process that can open it has that key. */
export interface MasterKeyCanary {
  readonly masterKeyVersion: number;
  readonly sealed: Uint8Array;
  readonly createdAt: Date;
}

interface CanaryDocument extends Omit<MasterKeyCanary, 'masterKeyVersion'> {
  readonly _id: number;
}

/** The `masterKeys` collection: one canary a version; never a key. */
export function openMasterKeyCanaries(db: Db) {
  const collection: Collection<CanaryDocument> = db.collection('masterKeys', { promoteBuffers: true });
  return {
    /** By version. */
    async all(): Promise<Map<number, MasterKeyCanary>> {
      const documents = await collection.find().toArray();
      return new Map(documents.map((document) => [document._id, toCanary(document)]));
    },

    /** Records the canary of a version that has none; of several at once, one wins. @returns the one that is recorded. */
    async record({ masterKeyVersion: _id, sealed, createdAt }: MasterKeyCanary): Promise<MasterKeyCanary> {
      const recorded = await upsert(() =>
        collection.findOneAndUpdate(
          { _id },
          { $setOnInsert: { sealed, createdAt } },
          { upsert: true, returnDocument: 'after' },
        ),
      );
      return recorded === null ? { masterKeyVersion: _id, sealed, createdAt } : toCanary(recorded);
    },

    /** Forgets every version. */
    async clear(): Promise<void> {
      await collection.deleteMany({});
    },
  };
}

function toCanary({ _id, ...rest }: CanaryDocument): MasterKeyCanary {
  return { masterKeyVersion: _id, ...rest };
}
