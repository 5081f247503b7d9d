import type { Command } from 'commander';
import { createCurrencies } from '../domain/currency.ts';
import type { Wallet } from '../domain/wallet.ts';
import type { Presenter } from '../orders/present.ts';
import { overLimits } from '../orders/withdrawal.ts';
import { CommandError, UsageError } from './failures.ts';
import { findAnyWorkspace, findWallet, findWorkspace } from './lookup.ts';
import { addOrderVerb, makeOrder, type OrderOptions } from './make-order.ts';
import type { Printed } from './output.ts';
import { parseAmountForm, parseLimit, parseName } from './parameters.ts';
import { withSession, type Session } from './session.ts';
import { addStatementCommand } from './statement.ts';
import { addWalletListCommands } from './wallet-limits.ts';

interface CreateWalletOptions {
  readonly workspace: string;
  readonly currency: string;
  readonly name?: string;
}

interface ListWalletsOptions {
  readonly workspace: string;
  readonly limit: number;
  readonly after?: string;
}

interface MoneyOptions extends OrderOptions {
  readonly wallet: string;
  readonly amount: string;
  readonly overLimits?: true;
}

/** The verbs that bring money in from outside, and out. */
const moneyVerbs = {
  fund: { type: 'DEPOSIT', side: 'targetWalletId', description: 'bring money in from EXTERNAL' },
  withdraw: { type: 'WITHDRAWAL', side: 'sourceWalletId', description: 'take money out to EXTERNAL' },
} as const;

export function addWalletCommands(program: Command): void {
  const noun = program.command('wallet').description('wallets of a workspace, each of one currency');

  noun
    .command('create')
    .description('make an empty, active wallet')
    .requiredOption('--workspace <id>', 'the workspace that owns it')
    .requiredOption('--currency <code>', 'ISO 4217 code, or one of those that "admin currencies list" shows')
    .option('--name <name>', 'its name, for people (default: its currency)', parseName)
    .action(
      withSession<CreateWalletOptions>(async (options, session) => {
        checkCurrency(options.currency, session);
        return walletToPrinted(await createWallet(options, session), session.present);
      }),
    );

  noun
    .command('list')
    .description('list the wallets of a workspace: the EXTERNAL ones, then the others, oldest first')
    .requiredOption('--workspace <id>', 'the workspace')
    .option('--limit <n>', 'how many at the most', parseLimit, 1_000)
    .option('--after <id>', 'behind this wallet: the next page')
    .action(withSession<ListWalletsOptions>(listWallets));

  for (const verb of ['fund', 'withdraw'] as const) {
    const command = addOrderVerb(noun, verb, moneyVerbs[verb].description)
      .requiredOption('--wallet <id>', 'the wallet')
      .requiredOption(
        '--amount <amount>',
        "decimal, with no more decimals than the wallet's currency has",
        parseAmountForm,
      )
      .action(withSession<MoneyOptions>((options, session) => moveMoney(verb, options, session)));
    if (verb === 'withdraw')
      command.option('--over-limits', "not judged by the wallet's limits; it counts towards them");
  }
  addWalletListCommands(noun);
  addStatementCommand(noun);
}

async function listWallets(options: ListWalletsOptions, { collections, host, present }: Session): Promise<Printed[]> {
  const { workspace, limit, after } = options;
  await findAnyWorkspace(collections, workspace);
  const rows = await collections.wallets.listFrom(workspace, limit + 1, after);
  const wallets = rows.slice(0, limit);
  // On standard error, because standard output is a list of wallets.
  if (rows.length > limit) host.output.complain(`there are more; the next page: --after ${wallets.at(-1)?.id ?? ''}\n`);
  return wallets.map((wallet) => walletToPrinted(wallet, present));
}

/** @throws UsageError there is no such currency. */
export function checkCurrency(currency: string, { currencies }: Session): void {
  if (currencies.has(currency)) return;
  const ofIso = createCurrencies(new Map());
  const extra = [...currencies.keys()].filter((code) => !ofIso.has(code)).join(', ');
  throw new UsageError(`unknown currency ${currency}: allowed are the codes of ISO 4217, such as EUR, and ${extra}`);
}

/** @param options with a currency that has been checked. */
export async function createWallet(options: CreateWalletOptions, session: Session): Promise<Wallet> {
  const { collections, recordCurrencies, audited } = session;
  const { workspace: workspaceId, currency, name = currency } = options;
  await findWorkspace(collections, workspaceId);
  return audited(
    { action: 'wallet create', workspaceId, subject: { currency, name } },
    async () => {
      await recordCurrencies();
      return collections.wallets.create({ workspaceId, currency, name });
    },
    ({ id }) => ({ walletId: id }),
  );
}

async function moveMoney(
  verb: keyof typeof moneyVerbs,
  { wallet, amount, overLimits: isOverLimits, ...options }: MoneyOptions,
  session: Session,
): Promise<Printed | undefined> {
  const { id, workspaceId, currency, kind } = await findWallet(session.collections, wallet);
  if (kind === 'EXTERNAL') throw new CommandError(`wallet ${id} is EXTERNAL: it stands for the world outside`);
  const { type, side } = moneyVerbs[verb];
  const terms = isOverLimits === true ? overLimits : undefined;
  const change = { action: `wallet ${verb}`, workspaceId, subject: { walletId: id, amount, currency, ...terms } };
  const body = { [side]: id, amount, currency };
  return makeOrder({ ...change, type, body, ...(terms !== undefined && { terms }) }, options, session);
}

/** A wallet as the API shows it, and what only the operator may see. */
function walletToPrinted(wallet: Wallet, present: Presenter): Printed {
  const { id, ...shown } = present.wallet(wallet);
  return { id, walletId: id, ...shown, kind: wallet.kind, sequence: wallet.sequence };
}
