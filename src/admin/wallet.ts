import type { Command } from 'commander';
import { createCurrencies } from '../domain/currency.ts';
import { decimalsIn, Money } from '../domain/money.ts';
import type { Wallet, WalletStatus } from '../domain/wallet.ts';
import type { Presenter } from '../orders/present.ts';
import { CommandError, orFail, UsageError } from './failures.ts';
import { findWallet, findWorkspace } from './lookup.ts';
import { addMoneyCommands } from './money.ts';
import type { Printed } from './output.ts';
import { parseLimitForm, parseName } from './parameters.ts';
import { withSession, type Session } from './session.ts';
import { addStatementCommand } from './statement.ts';

interface CreateOptions {
  readonly workspace: string;
  readonly currency: string;
  readonly name?: string;
}

export function addWalletCommands(program: Command): void {
  const noun = program.command('wallet').description('wallets of a workspace, each of one currency');

  noun
    .command('create')
    .description('make an empty, active wallet')
    .requiredOption('--workspace <id>', 'the workspace that owns it')
    .requiredOption('--currency <code>', 'ISO 4217 code, or one of those that "admin currencies list" shows')
    .option('--name <name>', 'its name, for people (default: its currency)', parseName)
    .action(withSession<CreateOptions>(createWallet));

  noun
    .command('list')
    .description('list the wallets of a workspace, oldest first, the EXTERNAL ones included')
    .requiredOption('--workspace <id>', 'the workspace')
    .action(
      withSession<{ workspace: string }>(async ({ workspace }, { collections, present }) => {
        await findWorkspace(collections, workspace);
        const wallets = await collections.wallets.listAll(workspace);
        return wallets.map((wallet) => walletToPrinted(wallet, present));
      }),
    );

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

interface StatusChange {
  readonly description: string;
  readonly from: readonly WalletStatus[];
  readonly to: WalletStatus;
  readonly emptyOnly: boolean;
}

const statusChanges: Readonly<Record<string, StatusChange>> = {
  freeze: {
    description: 'stop a wallet from paying and being paid; orders that wait for it will fail',
    from: ['ACTIVE'],
    to: 'FROZEN',
    emptyOnly: false,
  },
  unfreeze: { description: 'make a frozen wallet active again', from: ['FROZEN'], to: 'ACTIVE', emptyOnly: false },
  close: {
    description: 'close an empty wallet for good; its flows stay',
    from: ['ACTIVE', 'FROZEN'],
    to: 'CLOSED',
    emptyOnly: true,
  },
};

function addStatusCommands(noun: Command): void {
  for (const [verb, change] of Object.entries(statusChanges)) {
    const isForGood = change.to === 'CLOSED';
    const command = noun.command(verb).description(change.description).requiredOption('--wallet <id>', 'its id');
    if (isForGood) command.option('--yes', 'do not ask');
    command.action(
      withSession<{ wallet: string }>(({ wallet }, session) => changeStatus(session, verb, wallet, change), {
        question: ({ wallet }) => (isForGood ? `Close wallet ${wallet}? It cannot be opened again.` : undefined),
      }),
    );
  }
}

interface LimitOptions {
  readonly wallet: string;
  readonly creditLimit: string;
}

async function limitCredit({ wallet: id, creditLimit }: LimitOptions, session: Session): Promise<Printed> {
  const { collections, currencies, present, audited } = session;
  const wallet = await findWallet(collections, id);
  const { workspaceId, currency } = wallet;
  const decimals = orFail(
    currencies.get(currency),
    `currency ${currency} is unknown: name it in the setting CURRENCIES`,
  );
  const isTooFine = decimalsIn(creditLimit) > decimals;
  if (isTooFine) throw new CommandError(`${creditLimit} is not allowed: ${currency} has ${decimals} decimals`);
  const subject = { walletId: id, creditLimit, currency };
  const changed = await audited({ action: 'wallet limit', workspaceId, subject }, async () => {
    const outcome = await collections.wallets.limitCredit(wallet, new Money(creditLimit), decimals);
    if (typeof outcome === 'object') return outcome;
    throw new CommandError(`wallet ${id} ${refusedLimits[outcome]}; nothing was done`);
  });
  return walletToPrinted(changed, present);
}

const refusedLimits = {
  'not there': 'is CLOSED, or is no wallet of clients',
  'in use': 'uses more credit than that',
  'too large': 'would have more digits available than are stored',
} as const;

async function createWallet(options: CreateOptions, session: Session): Promise<Printed> {
  const { collections, currencies, recordCurrencies, present, audited } = session;
  const { workspace: workspaceId, currency, name = currency } = options;
  if (!currencies.has(currency)) {
    const ofIso = createCurrencies(new Map());
    const extra = [...currencies.keys()].filter((code) => !ofIso.has(code)).join(', ');
    throw new UsageError(`unknown currency ${currency}: allowed are the codes of ISO 4217, such as EUR, and ${extra}`);
  }
  await findWorkspace(collections, workspaceId);
  const wallet = await audited(
    { action: 'wallet create', workspaceId, subject: { currency, name } },
    async () => {
      await recordCurrencies();
      return collections.wallets.create({ workspaceId, currency, name });
    },
    ({ id }) => ({ walletId: id }),
  );
  return walletToPrinted(wallet, present);
}

/** Checks first what the update guards anyway, so that the message can say what stands in the way. */
async function changeStatus(session: Session, verb: string, id: string, change: StatusChange): Promise<Printed> {
  const { collections, present, audited } = session;
  const wallet = await findWallet(collections, id);
  if (wallet.status === change.to) return walletToPrinted(wallet, present);
  if (!change.from.includes(wallet.status)) {
    throw new CommandError(`wallet ${id} is ${wallet.status}; this needs ${change.from.join(' or ')}`);
  }
  if (change.emptyOnly && !(wallet.balance.isZero() && wallet.held.isZero())) {
    const { balance, held } = present.wallet(wallet);
    const holds = wallet.held.isZero() ? '' : `, ${held} of it held`;
    throw new CommandError(`wallet ${id} has ${balance} ${wallet.currency}${holds}; only an empty one can be closed`);
  }
  const { workspaceId } = wallet;
  const changed = await audited({ action: `wallet ${verb}`, workspaceId, subject: { walletId: id } }, async () =>
    orFail(
      await collections.wallets.changeStatus(wallet, change),
      `wallet ${id} changed in the meantime; nothing was done, try again`,
    ),
  );
  return walletToPrinted(changed, present);
}

/** A wallet as the API shows it, and what only the operator may see. */
function walletToPrinted(wallet: Wallet, present: Presenter): Printed {
  const { id, ...shown } = present.wallet(wallet);
  return { id, walletId: id, ...shown, kind: wallet.kind, sequence: wallet.sequence };
}
