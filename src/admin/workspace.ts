import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { isTestWorkspace, newIdOf } from '../domain/ids.ts';
import type { Workspace } from '../storage/workspaces.ts';
import { CommandError, orFail } from './failures.ts';
import { findWorkspace } from './lookup.ts';
import type { Printed } from './output.ts';
import { parseName } from './parameters.ts';
import { withSession, type Session } from './session.ts';

/** How many of each kind are named that are left in a workspace. */
const remainsMax = 10;

export function addWorkspaceCommands(program: Command): void {
  const noun = program.command('workspace').description('containers that own wallets, orders and keys');

  noun
    .command('create')
    .description('make a workspace')
    .requiredOption('--name <name>', 'its name, for people', parseName)
    .option('--test', 'a test workspace, for good: with a clock of its own, which its keys put forward')
    .action(
      withSession<{ name: string; test?: boolean }>(async ({ name, test = false }, session) =>
        toPrinted(await createWorkspace(name, test, session)),
      ),
    );

  noun
    .command('list')
    .description('list the workspaces, oldest first')
    .action(withSession(async (_, { collections }) => (await collections.workspaces.list()).map(toPrinted)));

  noun
    .command('delete')
    .description('delete an empty workspace: its keys and webhooks end, its books stay')
    .requiredOption('--workspace <id>', 'its id')
    .option('--force', 'delete it with what is left in it, too')
    .action(
      withSession<DeleteOptions>(deleteWorkspace, {
        question: ({ workspace }) => `Delete workspace ${workspace}? Its keys stop working at once, for good.`,
      }),
    );
}

export function createWorkspace(
  name: string,
  isTest: boolean,
  { collections, audited, clock }: Session,
): Promise<Workspace> {
  const workspaceId = newIdOf('workspace', isTest, clock());
  const subject = { name, ...(isTest ? { test: true } : {}) };
  return audited({ action: 'workspace create', workspaceId, subject }, () =>
    collections.workspaces.create(name, workspaceId),
  );
}

interface DeleteOptions {
  readonly workspace: string;
  readonly force?: boolean;
}

/**
 * Looks for what is left before it deletes, and again once no request can be under way any more. If an order came in between,
 * the deletion is taken back. @throws CommandError something is left, and `--force` is not given.
 */
async function deleteWorkspace({ workspace: id, force = false }: DeleteOptions, session: Session): Promise<Printed> {
  const { collections, audited, host } = session;
  const { apiKeys, workspaces } = collections;
  await findWorkspace(collections, id);
  const before = await describeRemains(id, session);
  if (before !== undefined) {
    if (!force) throw new CommandError(`workspace ${id} is not deleted, because of what is left in it:\n${before}`);
    host.output.complain(`left in workspace ${id}:\n${before}\n`);
  }
  const change = { action: 'workspace delete', workspaceId: id, subject: force ? { force } : {} };
  const deleted = await audited(change, async () => {
    const made = orFail(await workspaces.delete(id), `workspace ${id} was deleted by someone else in the meantime`);
    if (force || (await apiKeys.list(id)).length === 0) return made;
    host.output.complain(
      `its keys have ended; waiting ${host.requestsEndMs / 1_000} s for requests that are under way\n`,
    );
    await delay(host.requestsEndMs);
    const since = await describeRemains(id, session);
    if (since === undefined) return made;
    await workspaces.restore(made);
    throw new CommandError(`workspace ${id} is not deleted, because of what came in meanwhile:\n${since}`);
  });
  return { ...toPrinted(deleted), deletedAt: deleted.deletedAt };
}

/** What is left in a workspace, in lines, with how to end it; undefined if nothing is. */
async function describeRemains(workspaceId: string, { collections, present }: Session): Promise<string | undefined> {
  const { orders, holds, wallets } = await collections.remainsOf(workspaceId, remainsMax + 1);
  const idsOf = (status: (typeof orders)[number]['status']): string[] =>
    orders.filter((order) => order.status === status).map(({ id }) => id);
  const walletTexts = wallets.map((wallet) => {
    const { id, balance, held, currency } = present.wallet(wallet);
    return `${id} (${balance} ${currency}, ${held} of it held)`;
  });
  const lines = [
    ['SCHEDULED', idsOf('SCHEDULED'), 'transfer cancel --id ID'],
    ['PENDING', idsOf('PENDING'), 'wait until they have ended'],
    ['set aside', idsOf('SET_ASIDE'), 'transfer retry --id ID, once its reason is removed'],
    ['held', holds, 'transfer release --id ID'],
    ['wallets that are not empty', walletTexts, 'wallet withdraw --wallet ID --amount A; fund one below zero'],
  ] as const;
  const left = lines.filter(([, ids]) => ids.length > 0);
  if (left.length === 0) return undefined;
  const listed = left.map(([what, ids, toDo]) => {
    const more = ids.length > remainsMax ? ' and more' : '';
    return `  ${what}: ${ids.slice(0, remainsMax).join(', ')}${more}: ${toDo}`;
  });
  return [...listed, 'All of this can be done after --force, too; nobody else will.'].join('\n');
}

function toPrinted({ id, name, createdAt }: Workspace): Printed {
  return { id, workspaceId: id, name, test: isTestWorkspace(id), createdAt };
}
