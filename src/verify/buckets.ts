import { hash } from 'node:crypto';

export const bucketCount = 4_096;
const lanes = 2;

/**
 * Finds out, in little memory, whether what is added and what is subtracted are the same, whatever the sequence: sums of the
 * hashes of keys, mod 2^128, in buckets. If both are the same, all buckets are zero. A difference goes unseen with a
 * probability of about 2^-64 a key. A bucket that is not zero shows which keys have to be looked at one by one.
 */
export function createBuckets() {
  // A typed array of 64-bit numbers wraps by itself. Two numbers for each bucket make 128 bits.
  const sums = new BigUint64Array(bucketCount * lanes);
  return {
    /** @param times how often the key is added; subtracted, if below zero. */
    add(key: string, times: bigint): void {
      const digest = digestOf(key);
      const first = bucket(digest) * lanes;
      for (let lane = 0; lane < lanes; lane += 1) {
        const part = digest.readBigUInt64LE((lane + 1) * BigUint64Array.BYTES_PER_ELEMENT);
        sums[first + lane] = (sums[first + lane] ?? 0n) + times * part;
      }
    },
    /** The buckets that are not zero, in their order. */
    unmatched(): number[] {
      const unmatched = new Set<number>();
      sums.forEach((part, index) => {
        if (part !== 0n) unmatched.add(Math.floor(index / lanes));
      });
      return [...unmatched];
    },
  };
}

/** The bucket of a key. */
export function bucketOf(key: string): number {
  return bucket(digestOf(key));
}

/** Buckets in rounds, so that of each round's keys about {@link inHandMax} at the most are held in memory. */
export function* inRounds(buckets: readonly number[], keyCount: number): Generator<ReadonlySet<number>> {
  const keysPerBucket = Math.max(1, keyCount / bucketCount);
  const perRound = Math.max(1, Math.floor(inHandMax / keysPerBucket));
  for (let first = 0; first < buckets.length; first += perRound) yield new Set(buckets.slice(first, first + perRound));
}

const inHandMax = 200_000;

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

function bucket(digest: Buffer): number {
  return digest.readUInt16LE(0) % bucketCount;
}
