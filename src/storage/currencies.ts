import type { Collection, Db, Decimal128 } from 'mongodb';
import type { Money } from '../domain/money.ts';
import { fromDecimal128 } from './shared/decimal.ts';
import { upsert } from './shared/commands.ts';

interface CurrencyDocument {
  /** Its code. */
  readonly _id: string;
  readonly decimals: number;
}

/** For an administrator, who waits for a look at every wallet. */
const lookMaxMs = 300_000;
/** More than there are, so that one answer has all: every process asks for them once a second. */
const currenciesAtOnce = 1_000;

export type CurrencyRecord = ReturnType<typeof openCurrencyRecord>;

/**
 * The `currencies` collection: which currencies there are and how many decimals each has, the same for all processes. None is
 * ever removed, so that what is stored keeps its meaning whatever the settings or ISO 4217 say later.
 */
export function openCurrencyRecord(db: Db) {
  const collection: Collection<CurrencyDocument> = db.collection('currencies');
  const wallets = db.collection('wallets');
  return {
    /** The decimals of every recorded currency, by code. */
    async all(): Promise<ReadonlyMap<string, number>> {
      const documents = await collection.find({}, { batchSize: currenciesAtOnce }).toArray();
      return new Map(documents.map(({ _id, decimals }) => [_id, decimals]));
    },

    /** Records those that are not recorded yet, on a majority. A currency that is recorded keeps its decimals. */
    async add(currencies: ReadonlyMap<string, number>): Promise<void> {
      const writes = [...currencies].map(([_id, decimals]) => ({
        updateOne: { filter: { _id }, update: { $setOnInsert: { decimals } }, upsert: true },
      }));
      await upsert(() => collection.bulkWrite(writes, { ordered: false }));
    },

    /**
     * Gives a recorded currency other decimals; processes follow within about a second. Who lowers them has to know that
     * nothing is stored in it.
     * @param from as they were read. @returns whether they still were, and are changed.
     */
    async change(code: string, { from, to }: { readonly from: number; readonly to: number }): Promise<boolean> {
      const { matchedCount } = await collection.updateOne({ _id: code, decimals: from }, { $set: { decimals: to } });
      return matchedCount === 1;
    },

    /**
     * The most that a wallet of a currency has or owes, its credit limit included, so that nothing reserved on it is more;
     * undefined if there is no wallet. It reads every wallet.
     * @throws MongoServerError that takes longer than {@link lookMaxMs}.
     */
    async largestAmount(code: string): Promise<Money | undefined> {
      const amount = { $add: [{ $abs: '$balance' }, { $ifNull: ['$creditLimit', 0] }] };
      const largest = { _id: null, amount: { $max: amount } };
      const [row] = await wallets
        .aggregate<{ readonly amount: Decimal128 }>([{ $match: { currency: code } }, { $group: largest }], {
          maxTimeMS: lookMaxMs,
        })
        .toArray();
      return row === undefined ? undefined : fromDecimal128(row.amount);
    },
  };
}
