import { createSharedRead } from '../cache.ts';
import { createCurrencies, type Currencies } from '../domain/currency.ts';
import type { Logger } from '../log.ts';
import { startRounds } from '../waiting/rounds.ts';
import { usualCurrencies } from '../settings/settings.ts';
import { WrongSettingError } from '../settings/config.ts';
import type { CurrencyRecord } from '../storage/currencies.ts';
import { bringUp } from '../storage/shared/start.ts';

const usualLookEveryMs = 1_000;
/** Longer than MongoDB takes to answer, or to fail. */
const roundMaxMs = 12_000;
/** However many orders of unknown currencies come, the record is read again for them this often at the most. */
const readAgainEveryMs = 100;

/**
 * Follows the recorded currencies: another process may add one, and an administrator may change one's decimals. What was
 * recorded once stays known, whether this process's settings name it or not.
 * @param lookEveryMs the pause between looks. @throws the signal's reason.
 */
export async function followCurrencies(
  record: CurrencyRecord,
  log: Logger,
  signal: AbortSignal,
  lookEveryMs = usualLookEveryMs,
) {
  const known = new Map(await bringUp(() => record.all(), log, signal));

  async function follow(): Promise<void> {
    for (const [currency, decimals] of await record.all()) {
      const before = known.get(currency);
      if (before === decimals) continue;
      log.info({ currency, from: before, to: decimals }, 'a currency has other decimals');
      known.set(currency, decimals);
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
    known: known as Currencies,
    /** Reads the record now, for a currency that is not known: another process may have added it a moment ago. */
    readAgain: createSharedRead(async () => {
      await follow();
      return known;
    }, readAgainEveryMs),
    close: (): Promise<void> => rounds.close(),
  };
}

/**
 * Compares CURRENCIES with what is recorded, and records what is not recorded yet. It may be repeated, also by several
 * processes at once: of two that give a new currency different decimals, one is refused.
 * @param wanted CURRENCIES of this process; undefined if it is not set.
 * @returns every recorded currency.
 * @throws WrongSettingError a currency is recorded with other decimals.
 */
export async function agreeOnCurrencies(record: CurrencyRecord, wanted: Currencies | undefined): Promise<Currencies> {
  const recorded = await record.all();
  refuseOthers(wanted, recorded);
  const own = createCurrencies(wanted ?? usualCurrencies);
  const missing = new Map([...own].filter(([code]) => !recorded.has(code)));
  if (missing.size === 0) return recorded;
  await record.add(missing);
  const agreed = await record.all();
  refuseOthers(wanted, agreed);
  return agreed;
}

/** @throws WrongSettingError a currency is recorded with other decimals than this process gives it. */
function refuseOthers(wanted: Currencies | undefined, recorded: Currencies): void {
  const faults = [...(wanted ?? [])].flatMap(([code, decimals]) => {
    const others = recorded.get(code) ?? decimals;
    if (others === decimals) return [];
    const change =
      decimals > others
        ? `, or raise the database's with "admin currencies set --currency ${code} --decimals ${decimals}"`
        : '';
    return `gives ${code} ${decimals} decimals, but this database has it with ${others}: take it out of the setting${change}`;
  });
  if (faults.length > 0) throw new WrongSettingError('CURRENCIES', faults);
}
