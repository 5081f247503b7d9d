import { createHash } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { systemClock, type Clock } from '../clock.ts';
import { isServerError } from './shared/error-codes.ts';
import type { SignedRequest } from '../orders/order.ts';
import { IndeterminateError } from './shared/transaction.ts';

interface SignedRequestDocument {
  /** Of the key's id, the timestamp and the nonce: of one length, however long the nonce is. */
  readonly _id: string;
  /** The one handling of the request that may make its change. */
  readonly owner: string;
  readonly usedAt: Date;
}

export type SignedRequests = ReturnType<typeof openSignedRequests>;

/**
 * The `signedRequests` collection: the signed requests that changed something, other than those that made orders. Every
 * process looks here before a change, so a request is used once even if Redis has forgotten its nonce. On a sharded cluster
 * it is not divided, and the primary key guards it.
 */
export function openSignedRequests(db: Db, clock: Clock = systemClock) {
  const collection: Collection<SignedRequestDocument> = db.collection('signedRequests');
  return {
    /**
     * Records a request as used, durable on a majority when this resolves. Of any number of owners at once, one is the first.
     * Safe to repeat with the same owner, which meets the record of its own attempt whose answer was lost.
     * @param owner random, and of this handling of the request alone.
     * @returns false if another owner has used the request.
     * @throws IndeterminateError the record that is in the way is not on a majority yet, or just expires.
     */
    async use(request: SignedRequest, owner: string): Promise<boolean> {
      const _id = idOf(request);
      try {
        await collection.insertOne({ _id, owner, usedAt: clock() });
        return true;
      } catch (error) {
        if (!isServerError(error, 'DuplicateKey')) throw error;
      }
      // A majority holds what is read here, while the insert may have met a record that an election still takes back.
      const record = await collection.findOne({ _id });
      if (record === null) throw new IndeterminateError('the use of a signed request is not on a majority yet');
      return record.owner === owner;
    },

    /** Whether anybody has used the request. */
    async isUsed(request: SignedRequest): Promise<boolean> {
      return (await collection.findOne({ _id: idOf(request) }, { projection: { _id: 1 } })) !== null;
    },
  };
}

/** Neither a key's id nor a timestamp has a space, so no two requests share a text. */
function idOf({ keyId, timestamp, nonce }: SignedRequest): string {
  return createHash('sha256').update(`${keyId} ${timestamp} ${nonce}`).digest('base64url');
}
