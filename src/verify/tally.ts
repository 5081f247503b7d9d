import { hash } from 'node:crypto';
import type { Direction } from '../domain/wallet.ts';

export type Tally = ReturnType<typeof createTally>;

export const bucketCount = 4_096;
const lanes = 2;

/**
 * Tells, in little memory, whether every completed order that is to have flows has exactly one DEBIT and one CREDIT. For
 * each direction it adds the hashes of the flows' orders and subtracts those of the completed orders, mod 2^128, in buckets. If they match,
 * all buckets are zero, in whatever order they were added. A mismatch goes unseen with a probability of 2^-128. A bucket
 * that is not zero shows which orders have to be looked at one by one.
 */
export function createTally() {
  // A typed array of 64-bit numbers wraps by itself. Two numbers for each bucket make 128 bits.
  const sums = {
    DEBIT: new BigUint64Array(bucketCount * lanes),
    CREDIT: new BigUint64Array(bucketCount * lanes),
  };
  const add = (sum: BigUint64Array, digest: Buffer, sign: 1n | -1n): void => {
    const first = bucket(digest) * lanes;
    for (let lane = 0; lane < lanes; lane += 1) {
      const part = digest.readBigUInt64LE((lane + 1) * BigUint64Array.BYTES_PER_ELEMENT);
      sum[first + lane] = (sum[first + lane] ?? 0n) + sign * part;
    }
  };
  return {
    addFlow(orderId: string, direction: Direction): void {
      add(direction === 'DEBIT' ? sums.DEBIT : sums.CREDIT, digestOf(orderId), 1n);
    },
    subtractOrder(orderId: string): void {
      const digest = digestOf(orderId);
      add(sums.DEBIT, digest, -1n);
      add(sums.CREDIT, digest, -1n);
    },
    /** The buckets in which flows and orders do not match. */
    unmatchedBuckets(): number[] {
      const unmatched = new Set<number>();
      for (const sum of [sums.DEBIT, sums.CREDIT]) {
        sum.forEach((part, index) => {
          if (part !== 0n) unmatched.add(Math.floor(index / lanes));
        });
      }
      return [...unmatched].sort((a, b) => a - b);
    },
  };
}

/** The bucket of an order's id. */
export function bucketOf(orderId: string): number {
  return bucket(digestOf(orderId));
}

function digestOf(orderId: string): Buffer {
  return hash('sha256', orderId, 'buffer');
}

function bucket(digest: Buffer): number {
  return digest.readUInt16LE(0) % bucketCount;
}
