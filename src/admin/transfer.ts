import { Option, type Command } from 'commander';
import { legsBodyBytesMax } from '../http/route.ts';
import { releaseAll, releaseOne } from '../ops/release.ts';
import { CommandError, orFail, UsageError } from './failures.ts';
import { readJson } from './input-file.ts';
import { findAnyWorkspace } from './lookup.ts';
import { addOrderVerb, makeOrder, type OrderOptions } from './make-order.ts';
import type { Printed } from './output.ts';
import { parseAmountForm, parseReason } from './parameters.ts';
import { withSession, type Session } from './session.ts';

/** The most orders listed. If there are more, single orders are not at fault, and the first show what is. */
const listedMax = 1_000;

export function addTransferCommands(program: Command): void {
  const noun = program
    .command('transfer')
    .description('orders: journals, those that wait for an operator, and the ends that an operator may give them');

  noun
    .command('stuck')
    .description(`list the orders that were set aside, by workspace, ${listedMax} at the most, each with its reason`)
    .action(
      withSession(async (_, { collections }) => {
        const orders = await collections.stuckOrders.list(listedMax);
        return orders.map(({ id, attempts, reason, stuckSince }) => ({ transferId: id, attempts, reason, stuckSince }));
      }),
    );

  noun
    .command('retry')
    .description('let orders that were set aside be posted again; workers take them up within seconds')
    .addOption(new Option('--id <id>', 'one of them, by its transferId').conflicts(['all', 'fault']))
    .option('--all', 'all that are set aside now')
    .option('--fault <reason>', 'with --all: only those that were set aside for this, as transfer stuck shows it')
    .requiredOption('--reason <text>', 'why they can be posted now, for the audit', parseReason)
    .action(
      withSession<RetryOptions>(retry, {
        check: ({ id, all }) => {
          if (id === undefined && all === undefined) throw new UsageError('give either --id ID or --all');
        },
      }),
    );

  noun
    .command('cancel')
    .description('cancel an order that is SCHEDULED, for good: it is not posted')
    .requiredOption('--id <id>', 'its transferId')
    .action(withSession<{ id: string }>(cancel));

  addOrderVerb(noun, 'release', 'give back all or part of what a hold reserves')
    .requiredOption('--id <id>', 'the transferId of the hold')
    .option('--amount <amount>', 'how much (default: all that is left)', parseAmountForm)
    .action(withSession<ReleaseOptions>(release));

  addOrderVerb(noun, 'journal', 'move many amounts, all or none')
    .requiredOption('--workspace <id>', 'the workspace of all wallets')
    .requiredOption('--file <file>', "JSON, as the body of the API's command journal; - reads standard input")
    .action(withSession<JournalOptions>(journal));
}

interface JournalOptions extends OrderOptions {
  readonly workspace: string;
  readonly file: string;
}

async function journal(
  { workspace, file, ...options }: JournalOptions,
  session: Session,
): Promise<Printed | undefined> {
  const body = await readJson(file, 'journal', legsBodyBytesMax, ': divide it into several journals');
  const { id: workspaceId } = await findAnyWorkspace(session.collections, workspace);
  return makeOrder({ action: 'transfer journal', workspaceId, subject: {}, type: 'JOURNAL', body }, options, session);
}

interface ReleaseOptions extends OrderOptions {
  readonly id: string;
  readonly amount?: string;
}

async function release({ id, amount, ...options }: ReleaseOptions, session: Session): Promise<Printed | undefined> {
  const { workspaceId } = orFail(await session.collections.backlog.find(id), `there is no order ${id}`);
  const change = { action: 'transfer release', workspaceId, subject: { parentId: id, amount } };
  return makeOrder({ ...change, type: 'RELEASE', body: { transferId: id, amount } }, options, session);
}

/** Needs no Redis: the round of checks that every second finds what is due has the event sent. */
async function cancel({ id }: { readonly id: string }, { collections, audited, present }: Session): Promise<Printed> {
  const { backlog, cancelOrder, webhookEndpoints } = collections;
  const order = orFail(await backlog.find(id), `there is no order ${id}`);
  if (order.status === 'CANCELLED') return present.order(order);
  const { workspaceId } = order;
  const cancelled = await audited({ action: 'transfer cancel', workspaceId, subject: { transferId: id } }, async () => {
    const made = await cancelOrder({ workspaceId, id });
    const now = made?.order ?? (await backlog.find(id));
    if (now?.status !== 'CANCELLED')
      throw new CommandError(`order ${id} is ${now?.status}: only one that is SCHEDULED can be cancelled`);
    return { order: now, entry: made?.entry };
  });
  for (const endpoint of cancelled.entry?.pending ?? []) await webhookEndpoints.hasten({ workspaceId, id: endpoint });
  return present.order(cancelled.order);
}

interface RetryOptions {
  readonly id?: string;
  readonly all?: true;
  readonly fault?: string;
  readonly reason: string;
}

async function retry({ id, fault, reason }: RetryOptions, { collections, audited, clock }: Session): Promise<Printed> {
  if (id === undefined) {
    return { released: await releaseAll(collections.stuckOrders, audited, { reason, fault }, clock) };
  }
  if (!(await releaseOne(collections, audited, id, reason)))
    throw new CommandError(`order ${id} is not set aside; see: transfer stuck`);
  return { transferId: id, isStuck: false };
}
