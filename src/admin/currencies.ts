import type { Command } from 'commander';
import { fitsBalance } from '../domain/money.ts';
import { decimalsMax } from '../settings/types.ts';
import { CommandError, orFail } from './failures.ts';
import type { Printed } from './output.ts';
import { parseCurrency, parseDecimals } from './parameters.ts';
import { withSession, type Session } from './session.ts';

interface SetOptions {
  readonly currency: string;
  readonly decimals: number;
}

export function addCurrenciesCommands(program: Command): void {
  const noun = program
    .command('currencies')
    .description('the currencies that the database has, each with its decimals');
  noun
    .command('list')
    .description('list them by code, those of ISO 4217 too')
    .action(
      withSession(async (_, { collections }) => {
        const recorded = [...(await collections.currencyRecord.all())];
        return recorded
          .map(([currency, decimals]) => ({ currency, decimals }))
          .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
      }),
    );
  noun
    .command('add')
    .description('add a currency, for good; processes know it within a second')
    .requiredOption('--currency <code>', 'three to ten capital letters or digits', parseCurrency)
    .requiredOption('--decimals <n>', `0 to ${decimalsMax}`, parseDecimals)
    .action(withSession<SetOptions>(addCurrency));
  noun
    .command('set')
    .description('give a currency more decimals while the service runs; fewer only while no wallet is in it')
    .requiredOption('--currency <code>', 'one of those that are listed')
    .requiredOption('--decimals <n>', `0 to ${decimalsMax}`, parseDecimals)
    .action(withSession<SetOptions>(setDecimals));
}

/** Repeating it changes nothing; so does adding one that is there with the same decimals. */
async function addCurrency({ currency, decimals }: SetOptions, session: Session): Promise<Printed> {
  const { currencyRecord } = session.collections;
  const change = { action: 'currencies add', workspaceId: null, subject: { currency, decimals } };
  const there = (await currencyRecord.all()).get(currency);
  if (there === undefined)
    await session.audited(change, async () => {
      await session.recordCurrencies();
      await currencyRecord.add(new Map([[currency, decimals]]));
    });
  const now = (await currencyRecord.all()).get(currency);
  if (now === decimals) return { currency, decimals };
  throw new CommandError(`the database has ${currency} with ${now ?? 'no'} decimals; "currencies set" changes them`);
}

/**
 * More decimals are allowed if every balance and credit limit can be written with them. Fewer are allowed only while there is
 * no wallet: its orders and flows may use all decimals of before, and more of them may be accepted meanwhile.
 */
async function setDecimals({ currency, decimals: to }: SetOptions, session: Session): Promise<Printed> {
  const { collections, audited } = session;
  const { currencyRecord } = collections;
  const from = orFail(
    (await currencyRecord.all()).get(currency),
    `the database has no currency ${currency}; "currencies add" adds it`,
  );
  if (from === to) return { currency, decimals: to };
  const largest = await currencyRecord.largestAmount(currency);
  if (largest !== undefined && to < from) {
    throw new CommandError(`${currency} has wallets, so that its decimals, ${from}, can only be raised`);
  }
  if (largest !== undefined && !fitsBalance(largest, to)) {
    throw new CommandError(
      `a wallet has ${largest.toFixed()} ${currency}, credit included, which has too many digits with ${to} decimals`,
    );
  }
  const change = { action: 'currencies set', workspaceId: null, subject: { currency, from, to } };
  await audited(change, async () => {
    if (await currencyRecord.change(currency, { from, to })) return;
    throw new CommandError(`the decimals of ${currency} changed in the meantime; nothing was done, try again`);
  });
  return { currency, decimals: to };
}
