import type { Command } from 'commander';
import { fitsBalance } from '../domain/money.ts';
import { decimalsMax } from '../settings/types.ts';
import { CommandError, orFail } from './failures.ts';
import type { Printed } from './output.ts';
import { parseDecimals } from './parameters.ts';
import { refuseUnlessAll } from './ready.ts';
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
    .command('set')
    .description('give a currency more decimals while the service runs; fewer only while no wallet is in it')
    .requiredOption('--currency <code>', 'one of those that are listed')
    .requiredOption('--decimals <n>', `0 to ${decimalsMax}`, parseDecimals)
    .action(withSession<SetOptions>(setDecimals));
}

/**
 * More decimals are always allowed, if every balance and credit can be written with them. (An order that would pass the digits
 * then fails, as any other.) Fewer are not, once there is a wallet: its
 * orders and flows may have all decimals of before, and more may be accepted meanwhile.
 */
async function setDecimals({ currency, decimals: to }: SetOptions, session: Session): Promise<Printed> {
  const { collections, audited } = session;
  const { currencyRecord } = collections;
  const from = orFail(
    (await currencyRecord.all()).get(currency),
    `the database has no currency ${currency}: a process that names it in CURRENCIES, with its decimals, records it`,
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
  await refuseUnlessAll(collections, ({ currencies = {} }) => (currencies[currency] ?? to) === to, {
    lack: `with other decimals for ${currency} in CURRENCIES, and would not start again`,
    toDo: `Take ${currency} out of CURRENCIES of every process, restart them, and run this again`,
  });
  const change = { action: 'currencies set', workspaceId: null, subject: { currency, from, to } };
  await audited(change, async () => {
    if (await currencyRecord.change(currency, { from, to })) return;
    throw new CommandError(`the decimals of ${currency} changed in the meantime; nothing was done, try again`);
  });
  return { currency, decimals: to };
}
