import type { Command } from 'commander';
import type { Wallet } from '../domain/wallet.ts';
import { usualBodyBytesMax } from '../http/received-body.ts';
import { readAlerts, showAlerts } from '../http/wallets/alerts.ts';
import { changedOr, type WantedChange } from '../http/wallets/audited-changes.ts';
import { readLimits, showLimits } from '../http/wallets/limits.ts';
import { CommandError, orFail } from './failures.ts';
import { readJson } from './input-file.ts';
import { findWallet } from './lookup.ts';
import type { Printed } from './output.ts';
import { withSession, type Session } from './session.ts';

interface ListOptions {
  readonly wallet: string;
  readonly setFile?: string;
}

/** The lists of a wallet: how a body of the API is read, and how they are shown. */
const lists = {
  limits: {
    description: 'show how much may go out of a wallet, and what is used of it; or set it',
    read: readLimits,
    show: showLimits,
  },
  alerts: {
    description: 'show what webhooks are told of a wallet once, and what of it is true; or set it',
    read: readAlerts,
    show: showAlerts,
  },
} as const;

export function addWalletListCommands(noun: Command): void {
  for (const verb of ['limits', 'alerts'] as const)
    noun
      .command(verb)
      .description(lists[verb].description)
      .requiredOption('--wallet <id>', 'the wallet')
      .option('--set-file <file>', "JSON, as the body of the API's request, that replaces all; - reads standard input")
      .action(withSession<ListOptions>((options, session) => showOrSet(verb, options, session)));
}

async function showOrSet(
  verb: keyof typeof lists,
  { wallet: id, setFile }: ListOptions,
  session: Session,
): Promise<Printed> {
  const body = setFile === undefined ? undefined : await readJson(setFile, verb, usualBodyBytesMax);
  const { read, show } = lists[verb];
  const wanted = body && read(body, session.currencies);
  const found = await findWallet(session.collections, id);
  if (found.kind === 'EXTERNAL') throw new CommandError(`wallet ${id} is EXTERNAL: it has no ${verb}`);
  const wallet = wanted === undefined ? found : await change(verb, found, wanted, session);
  const now = (await session.collections.testClocks.clockOf(wallet.workspaceId))();
  return show(wallet, now, { ...session.collections, present: session.present });
}

async function change(
  verb: keyof typeof lists,
  wallet: Wallet,
  { of, values, before }: WantedChange,
  { collections, currencies, audited }: Session,
): Promise<Wallet> {
  const { id, workspaceId } = wallet;
  const made = await audited(
    { action: `wallet ${verb}`, workspaceId, subject: { walletId: id, ...values?.(wallet) } },
    async () => {
      const outcome = await collections.wallets.change({ workspaceId, id, change: of(wallet) });
      const changed = orFail(outcome, `there is no wallet ${id} any more`);
      return { was: changed.before, now: changedOr(changed, currencies) };
    },
    ({ was }) => ({ ...(was && before?.(was)) }),
  );
  return made.now;
}
