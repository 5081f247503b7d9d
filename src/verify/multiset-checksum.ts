import { hash } from 'node:crypto';

export const bucketCount = 4_096;
/** 64-bit numbers of a sum: two make 128 bits. */
const wordsPerSum = 2;

/**
 * A checksum of a multiset of keys: finds out, in little memory, whether what is added and what is subtracted are the same,
 * whatever the sequence. It sums the hashes of keys, mod 2^128, in buckets. If both are the same, all buckets are zero. A
 * difference goes unseen with a probability of about 2^-64 a key. A bucket that is not zero shows which keys have to be looked at
 * individually.
 */
export class MultisetChecksum {
  /** A typed array of 64-bit numbers wraps by itself. */
  readonly #sums = new BigUint64Array(bucketCount * wordsPerSum);

  /** @param times how often the key is added; subtracted, if below zero. */
  add(key: string, times: bigint): void {
    const digest = digestOf(key);
    const first = bucket(digest) * wordsPerSum;
    for (let word = 0; word < wordsPerSum; word += 1) {
      const part = digest.readBigUInt64LE((word + 1) * BigUint64Array.BYTES_PER_ELEMENT);
      this.#sums[first + word] = (this.#sums[first + word] ?? 0n) + times * part;
    }
  }

  /** The buckets that are not zero, in their order. */
  unmatchedBuckets(): number[] {
    const unmatched = new Set<number>();
    this.#sums.forEach((part, index) => {
      if (part !== 0n) unmatched.add(Math.floor(index / wordsPerSum));
    });
    return [...unmatched];
  }
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
