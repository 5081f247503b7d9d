import { Decimal128, type Collection, type Db, type Document } from 'mongodb';
import type { Money } from '../domain/money.ts';
import { fromDecimal128 } from './shared/decimal.ts';
import { isServerError } from './shared/error-codes.ts';
import { upsert } from './shared/commands.ts';

interface CurrencyDocument {
  /** Its code. */
  readonly _id: string;
  readonly decimals: number;
}

/** A look at every wallet. It takes less than the time after which a connection counts as hung. */
const lookMaxMs = 8_000;
/** As {@link lookMaxMs}, for the administrator, who waits. */
const patientLookMaxMs = 300_000;
const unfitMax = 20;
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
     * Which currencies keep others from being recorded: those to be added that wallets hold with more decimals, and those of
     * wallets that would be recorded by nobody. It reads every wallet once, for at most {@link lookMaxMs}. Only balances are
     * looked at: a wallet that holds a round sum by now may have flows with more decimals.
     * @returns the codes, ascending, {@link unfitMax} at the most; undefined if there are too many wallets for the time.
     */
    async unfit(
      toAdd: ReadonlyMap<string, number>,
      recorded: ReadonlyMap<string, number>,
    ): Promise<readonly string[] | undefined> {
      const pipeline = [
        { $match: unfitWallets(toAdd, recorded) },
        { $group: { _id: '$currency' } },
        { $sort: { _id: 1 } },
        { $limit: unfitMax },
      ];
      try {
        const found = await wallets.aggregate<{ readonly _id: string }>(pipeline, { maxTimeMS: lookMaxMs }).toArray();
        return found.map(({ _id }) => _id);
      } catch (error) {
        if (isServerError(error, 'MaxTimeMSExpired')) return undefined;
        throw error;
      }
    },

    /**
     * The balance of a currency that is farthest from zero; undefined if it has no wallet. It reads every wallet.
     * @throws MongoServerError that takes longer than {@link patientLookMaxMs}.
     */
    async largestBalance(code: string): Promise<Money | undefined> {
      const largest = { _id: null, balance: { $max: { $abs: '$balance' } } };
      const [found] = await wallets
        .aggregate<{ readonly balance: Decimal128 }>([{ $match: { currency: code } }, { $group: largest }], {
          maxTimeMS: patientLookMaxMs,
        })
        .toArray();
      return found === undefined ? undefined : fromDecimal128(found.balance);
    },
  };
}

function unfitWallets(toAdd: ReadonlyMap<string, number>, recorded: ReadonlyMap<string, number>): Document {
  const byDecimals = Map.groupBy(toAdd.keys(), (code) => toAdd.get(code) ?? 0);
  const overprecise = [...byDecimals].map(([decimals, codes]) => ({
    currency: { $in: codes },
    // Exact: MongoDB divides decimals as decimals.
    $expr: { $ne: [{ $mod: ['$balance', Decimal128.fromString(`1E-${decimals}`)] }, 0] },
  }));
  // Totals, which are stored among the wallets, have none.
  const known = [null, ...toAdd.keys(), ...recorded.keys()];
  return { $or: [{ currency: { $nin: known } }, ...overprecise] };
}
