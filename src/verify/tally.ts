import { hash } from 'node:crypto';
import type { Direction } from '../domain/wallet.ts';

export type Tally = ReturnType<typeof createTally>;

export const bucketCount = 4_096;
const lanes = 2;
/** More than the flows that an order could have. */
const factorBase = 1_000_003n;

/**
 * Finds out, in little memory, whether every completed order has exactly one DEBIT and one CREDIT flow for each of its moves.
 * For each direction it adds the hashes of the flows' orders and subtracts those of the completed orders, mod 2^128, in
 * buckets. Each move multiplies the hash by another factor, so that one move's flow does not pass for another's. If flows and
 * orders match, all buckets are zero, whatever the sequence of the additions. A mismatch goes unseen with a probability of
 * about 2^-64 an order. A bucket that is not zero shows which orders have to be checked one by one.
 */
export function createTally() {
  // A typed array of 64-bit numbers wraps by itself. Two numbers for each bucket make 128 bits.
  const sums = {
    DEBIT: new BigUint64Array(bucketCount * lanes),
    CREDIT: new BigUint64Array(bucketCount * lanes),
  };
  const add = (sum: BigUint64Array, digest: Buffer, factor: bigint): void => {
    const first = bucket(digest) * lanes;
    for (let lane = 0; lane < lanes; lane += 1) {
      const part = digest.readBigUInt64LE((lane + 1) * BigUint64Array.BYTES_PER_ELEMENT);
      sum[first + lane] = (sum[first + lane] ?? 0n) + factor * part;
    }
  };
  return {
    /** @param move which of the order's moves the flow is a side of, from 0. */
    addFlow(orderId: string, direction: Direction, move: number): void {
      add(direction === 'DEBIT' ? sums.DEBIT : sums.CREDIT, digestOf(orderId), factorOf(move));
    },
    /** @param moves how many the order has. */
    subtractOrder(orderId: string, moves: number): void {
      const digest = digestOf(orderId);
      let factor = 0n;
      for (let move = 0; move < moves; move += 1) factor -= factorOf(move);
      add(sums.DEBIT, digest, factor);
      add(sums.CREDIT, digest, factor);
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

/** 1 for the first move; far apart for others, so that no few of them add up to another few. */
function factorOf(move: number): bigint {
  return factorBase ** BigInt(move);
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
