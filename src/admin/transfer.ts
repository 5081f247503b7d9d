import type { Command } from 'commander';
import type { StuckOrder } from '../storage/stuck-orders.ts';
import { CommandError } from './failures.ts';
import type { Printed } from './output.ts';
import { withSession } from './session.ts';

/** A longer list is a fault of something else than single orders; the oldest show it. */
const listedMax = 1_000;

export function addTransferCommands(program: Command): void {
  const noun = program.command('transfer').description('orders that could not be posted and wait for an operator');

  noun
    .command('stuck')
    .description(`list the orders that were set aside, oldest first, ${listedMax} at the most, each with its reason`)
    .action(
      withSession(async (_, { collections }) => {
        const orders = await collections.stuckOrders.list(listedMax);
        return orders.map(toPrinted);
      }),
    );

  noun
    .command('retry')
    .description('let an order that was set aside be posted again; a worker takes it up within seconds')
    .requiredOption('--id <id>', 'its transferId')
    .action(
      withSession<{ id: string }>(async ({ id }, { collections, audited }) => {
        const { workspaceId, stuckSince } = (await collections.backlog.find(id)) ?? {};
        const refusal = new CommandError(`order ${id} is not set aside; see: transfer stuck`);
        if (workspaceId === undefined || !(stuckSince instanceof Date)) throw refusal;
        await audited({ action: 'transfer retry', workspaceId, subject: { transferId: id } }, async () => {
          if (!(await collections.stuckOrders.release(workspaceId, id))) throw refusal;
        });
        return { transferId: id, isStuck: false };
      }),
    );
}

function toPrinted({ id, attempts, reason, stuckSince }: StuckOrder): Printed {
  return { transferId: id, attempts, reason, stuckSince };
}
