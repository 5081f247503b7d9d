import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, expect } from 'vitest';
import { leastIdAt } from '../../src/domain/ids.ts';
import { Money } from '../../src/domain/money.ts';
import { ensureSchema } from '../../src/storage/schema/schema.ts';
import { toDecimal128 } from '../../src/storage/shared/decimal.ts';
import { testDatabase } from '../support/database.ts';
import { watchReads, type Examined } from '../support/watched-reads.ts';
import { watchWorkspaces } from '../support/workspace-watch.ts';

export type Row = Document & { _id: string };

const start = Date.parse('2026-01-01T00:00:00Z');
export const one = toDecimal128(new Money(1));

/** The time of an order, by its number: they are a second apart. */
export const timeOf = (number: number): Date => new Date(start + number * 1_000);
export const idOf = (number: number): string => idAmong(number, 0);
const idAmong = (number: number, digit: number): string =>
  leastIdAt('order', timeOf(number)).slice(0, -7) + String(digit) + String(number).padStart(6, '0');

/**
 * An order of 1 USD as lists read it, and no more of it.
 * @param values.digit makes it another order of the same second.
 */
export function orderRow<Values extends Document>(
  number: number,
  { digit = 0, ...values }: Values & { wallets: readonly string[]; digit?: number },
) {
  const [_id, at] = [idAmong(number, digit), timeOf(number)];
  const [sourceWalletId, targetWalletId] = values.wallets as readonly string[];
  return {
    ...{ _id, bizId: _id, sourceWalletId, targetWalletId, amount: one, currency: 'USD' },
    ...{ type: 'TRANSFER', status: 'COMPLETED', failure: null, createdAt: at, updatedAt: at },
    ...values,
  };
}

/** Of several commands together. */
export function sumOf(costs: readonly Examined[]) {
  const sum = (what: 'keys' | 'documents') => costs.reduce((total, cost) => total + cost[what], 0);
  return { commands: costs.length, keys: sum('keys'), documents: sum('documents') };
}

/**
 * A database with the schema, and a client of it whose reads are watched: none may ask a shard for what is another's.
 * To be called at the top of a file.
 */
export function openWatchedBooks() {
  const { uri, db: plain } = testDatabase();
  const client = new MongoClient(uri, { monitorCommands: true });
  const complaints: string[] = [];
  watchWorkspaces(client, (command) => complaints.push(command));
  beforeAll(() => ensureSchema(plain));
  afterAll(async () => {
    await client.close();
    expect(complaints).toEqual([]);
  });
  return {
    ...{ uri, plain, client, db: client.db() },
    ...watchReads(client, plain),
    /** Stores what the reads look at: rows need not be whole documents. */
    insert: async (name: string, rows: readonly Row[]): Promise<void> => {
      await plain.collection<Row>(name).insertMany([...rows], { bypassDocumentValidation: true, ordered: false });
    },
  };
}
