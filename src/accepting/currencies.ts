import { createSharedRead } from '../cache.ts';
import { usualCurrencies, type Currencies } from '../domain/currency.ts';
import type { Logger } from '../log.ts';
import { startRounds } from '../waiting/rounds.ts';
import type { CurrencyRecord } from '../storage/currencies.ts';
import { bringUp } from '../storage/shared/start.ts';

const usualLookEveryMs = 1_000;
/** Longer than MongoDB takes to answer, or to fail. */
const roundMaxMs = 12_000;
/** However many orders of unknown currencies come, the record is read again for them this often at the most. */
const readAgainEveryMs = 100;

/**
 * Follows the recorded currencies: an administrator may add one, or change one's decimals.
 * @param lookEveryMs the pause between looks. @throws the signal's reason.
 */
export async function followCurrencies(
  record: CurrencyRecord,
  log: Logger,
  signal: AbortSignal,
  lookEveryMs = usualLookEveryMs,
) {
  const decimalsByCode = new Map(await bringUp(() => record.all(), log, signal));

  async function follow(): Promise<void> {
    for (const [currency, decimals] of await record.all()) {
      const before = decimalsByCode.get(currency);
      if (before === decimals) continue;
      log.info({ currency, from: before, to: decimals }, 'a currency has other decimals');
      decimalsByCode.set(currency, decimals);
    }
  }

  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs,
    round: follow,
    logged: { log, what: 'reading the currencies' },
  });
  return {
    /** Decimals by code, as this process knows them now. It changes while the process runs. */
    current: decimalsByCode as Currencies,
    /** Reads the record now, for a currency that is not known: another process may have added it a moment ago. */
    readAgain: createSharedRead(async () => {
      await follow();
      return decimalsByCode;
    }, readAgainEveryMs),
    close: (): Promise<void> => rounds.close(),
  };
}

/**
 * Records the usual currencies that are not recorded yet. What is recorded keeps its decimals. It may be repeated, also by several
 * processes at once.
 * @returns every recorded currency.
 */
export async function recordUsualCurrencies(record: CurrencyRecord): Promise<Currencies> {
  const recorded = await record.all();
  const missing = new Map([...usualCurrencies].filter(([code]) => !recorded.has(code)));
  if (missing.size === 0) return recorded;
  await record.add(missing);
  return record.all();
}
