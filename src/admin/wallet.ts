import type { Command } from 'commander';
import { createCurrencies } from '../domain/currency.ts';
import { decimalsIn, Money } from '../domain/money.ts';
import { changeWallet, type WalletChange } from '../domain/wallet-change.ts';
import type { Wallet, WalletStatus } from '../domain/wallet.ts';
import type { Presenter } from '../orders/present.ts';
import type { WalletOutcome } from '../storage/wallets/change.ts';
import { CommandError, orFail, UsageError } from './failures.ts';
import { findAnyWorkspace, findWallet, findWorkspace } from './lookup.ts';
import { addMoneyCommands } from './money.ts';
import type { Printed } from './output.ts';
import { parseLimit, parseLimitForm, parseMetadata, parseName, parseReference } from './parameters.ts';
import { withSession, type Session } from './session.ts';
import { addStatementCommand } from './statement.ts';

interface CreateOptions {
  readonly workspace: string;
  readonly currency: string;
  readonly name?: string;
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly creditLimit?: string;
}

interface ListOptions {
  readonly workspace: string;
  readonly limit?: number;
  readonly after?: string;
}

const listedDefault = 1_000;

export function addWalletCommands(program: Command): void {
  const noun = program.command('wallet').description('wallets of a workspace, each of one currency');

  noun
    .command('create')
    .description('make an empty, active wallet')
    .requiredOption('--workspace <id>', 'the workspace that owns it')
    .requiredOption('--currency <code>', 'ISO 4217 code, or one of those that "admin currencies list" shows')
    .option('--name <name>', 'its name, for people (default: its currency)', parseName)
    .option('--reference <text>', 'its own in the workspace; the wallet that has it already is shown', parseReference)
    .option('--metadata <key=value>', 'a text that is kept with it; repeat for several', parseMetadata)
    .option('--credit-limit <amount>', 'how far its balance may be below zero (default: 0)', parseLimitForm)
    .action(withSession<CreateOptions>(createWallet));

  noun
    .command('list')
    .description('list the wallets of a workspace: the EXTERNAL ones, then the others, oldest first')
    .requiredOption('--workspace <id>', 'the workspace')
    .option('--limit <n>', `how many at the most (default: ${listedDefault})`, parseLimit)
    .option('--after <id>', 'behind this wallet: the next page')
    .action(withSession<ListOptions>(listWallets));

  noun
    .command('limit')
    .description('let the balance of a wallet go below zero, as far as this')
    .requiredOption('--wallet <id>', 'its id')
    .requiredOption(
      '--credit-limit <amount>',
      'decimal, 0 for none; with no more decimals than its currency has',
      parseLimitForm,
    )
    .action(withSession<LimitOptions>(limitCredit));

  addStatusCommands(noun);
  addMoneyCommands(noun);
  addStatementCommand(noun);
}

async function listWallets(options: ListOptions, { collections, host, present }: Session): Promise<Printed[]> {
  const { workspace, limit = listedDefault, after } = options;
  await findAnyWorkspace(collections, workspace);
  const found = await collections.wallets.listFrom(workspace, limit + 1, after);
  const wallets = found.slice(0, limit);
  // On standard error, because standard output is a list of wallets.
  if (found.length > limit)
    host.output.complain(`there are more; the next page: --after ${wallets.at(-1)?.id ?? ''}\n`);
  return wallets.map((wallet) => walletToPrinted(wallet, present));
}

interface StatusChange {
  readonly description: string;
  readonly to: WalletStatus;
}

const statusChanges: Readonly<Record<string, StatusChange>> = {
  freeze: {
    description: 'stop a wallet from paying and being paid; orders that wait for it will fail',
    to: 'FROZEN',
  },
  unfreeze: { description: 'make a frozen wallet active again', to: 'ACTIVE' },
  close: { description: 'close an empty wallet for good; its flows stay', to: 'CLOSED' },
};

function addStatusCommands(noun: Command): void {
  for (const [verb, change] of Object.entries(statusChanges)) {
    const isForGood = change.to === 'CLOSED';
    const command = noun.command(verb).description(change.description).requiredOption('--wallet <id>', 'its id');
    command.action(
      withSession<{ wallet: string }>(
        async ({ wallet }, session) =>
          changeAudited(session, await findWallet(session.collections, wallet), verb, { status: change.to }),
        {
          question: ({ wallet }) => (isForGood ? `Close wallet ${wallet}? It cannot be opened again.` : undefined),
        },
      ),
    );
  }
}

interface LimitOptions {
  readonly wallet: string;
  readonly creditLimit: string;
}

async function limitCredit({ wallet: id, creditLimit }: LimitOptions, session: Session): Promise<Printed> {
  const { collections, currencies } = session;
  const wallet = await findWallet(collections, id);
  const { currency } = wallet;
  const decimals = orFail(currencies.get(currency), `currency ${currency} is unknown: "admin currencies add" adds one`);
  checkDecimals(creditLimit, currency, decimals);
  const change = { creditLimit: new Money(creditLimit), decimals };
  return changeAudited(session, wallet, 'limit', change, { creditLimit, currency });
}

async function createWallet(options: CreateOptions, session: Session): Promise<Printed> {
  const { collections, currencies, recordCurrencies, present, audited } = session;
  const { workspace: workspaceId, currency, name = currency, reference, metadata, creditLimit } = options;
  const decimals = currencies.get(currency);
  if (decimals === undefined) {
    const ofIso = createCurrencies(new Map());
    const extra = [...currencies.keys()].filter((code) => !ofIso.has(code)).join(', ');
    throw new UsageError(`unknown currency ${currency}: allowed are the codes of ISO 4217, such as EUR, and ${extra}`);
  }
  if (creditLimit !== undefined) checkDecimals(creditLimit, currency, decimals);
  const notes = { ...(reference === undefined ? {} : { reference }), ...(metadata === undefined ? {} : { metadata }) };
  await findWorkspace(collections, workspaceId);
  const checked = (wallet: Wallet): Wallet => {
    if (wallet.currency === currency) return wallet;
    throw new CommandError(
      `the reference ${reference ?? ''} is that of wallet ${wallet.id}, which has ${wallet.currency}`,
    );
  };
  const [existing] =
    reference === undefined ? [] : await collections.wallets.findReferred([{ workspaceId, reference }]);
  if (existing !== undefined) return walletToPrinted(checked(existing), present);
  const subject = {
    currency,
    name,
    ...(reference === undefined ? {} : { reference }),
    ...(creditLimit === undefined ? {} : { creditLimit }),
  };
  const { wallet } = await audited(
    { action: 'wallet create', workspaceId, subject },
    async () => {
      await recordCurrencies();
      const limit = creditLimit === undefined ? {} : { creditLimit: new Money(creditLimit) };
      const made = await collections.wallets.make({ workspaceId, currency, name, ...notes, ...limit });
      checked(made.wallet);
      return made;
    },
    ({ wallet: { id }, isNew }) => ({ walletId: id, ...(isNew ? {} : { isReplay: true }) }),
  );
  return walletToPrinted(wallet, present);
}

function checkDecimals(creditLimit: string, currency: string, decimals: number): void {
  if (decimalsIn(creditLimit) > decimals)
    throw new CommandError(`${creditLimit} is not allowed: ${currency} has ${decimals} decimals`);
}

/** Checks first what is checked again with the change, so that what changes nothing leaves no event. */
async function changeAudited(
  { collections, present, audited }: Session,
  wallet: Wallet,
  verb: string,
  change: WalletChange,
  values: Readonly<Record<string, string>> = {},
): Promise<Printed> {
  const { workspaceId, id } = wallet;
  const refuse = ({ wallet: now, outcome }: WalletOutcome): Wallet => {
    if (outcome === 'changed' || outcome === 'unchanged') return now;
    const { balance, held, currency } = present.wallet(now);
    const holds = now.held.isZero() ? '' : `, ${held} of it held`;
    const texts = {
      CLOSED: 'is CLOSED, for good',
      NOT_EMPTY: `has ${balance} ${currency}${holds}; only an empty one can be closed`,
      LIMIT_IN_USE: 'uses more credit than that',
      TOO_MANY_DIGITS: 'would have more digits available than are stored',
    };
    throw new CommandError(`wallet ${id} ${texts[outcome]}; nothing was done`);
  };
  const foreseen = changeWallet(wallet, change);
  if (typeof foreseen === 'string') refuse({ wallet, outcome: foreseen });
  if (foreseen === wallet) return walletToPrinted(wallet, present);
  const subject = { walletId: id, ...values };
  const changed = await audited({ action: `wallet ${verb}`, workspaceId, subject }, async () =>
    refuse(orFail(await collections.wallets.change({ workspaceId, id, change }), `there is no wallet ${id} any more`)),
  );
  return walletToPrinted(changed, present);
}

/** A wallet as the API shows it, and what only the operator may see. */
function walletToPrinted(wallet: Wallet, present: Presenter): Printed {
  const { id, ...shown } = present.wallet(wallet);
  return { id, walletId: id, ...shown, kind: wallet.kind, sequence: wallet.sequence };
}
