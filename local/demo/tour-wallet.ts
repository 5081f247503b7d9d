import { randomUUID } from 'node:crypto';
import type { Client, Order } from 'signed-wallet-client';
import type { LocalStack } from './local-stack.ts';
import { orderAtEnd } from './order-at-end.ts';

const END_TIMEOUT_MS = 30_000;
/** Until a transfer is due that meets a frozen wallet: the freeze has to come first. */
const DUE_AFTER_MS = 3_000;

type Print = (text: string) => void;

/**
 * Shows a wallet from its making to its statement: it pays on credit, is frozen when an order for it comes due, and is closed.
 * Throws if something does not end as it is shown to.
 */
export async function walletOfItsOwn({ currency, wallets }: LocalStack, client: Client, print: Print): Promise<void> {
  const wanted = { currency, name: 'carol', reference: `carol-${randomUUID()}`, metadata: { plan: 'basic' } };
  const carol = await client.wallet.create(wanted);
  const again = await client.wallet.create(wanted);
  print(`\n== A wallet is made, with a reference, and made again\n   ${carol.id}: ${carol.reference ?? ''}`);
  expect('the wallet that is made again', again.id, carol.id);
  print(`   ${again.id}: the same`);

  const { creditLimit, available } = await client.wallet.limit(carol.id, '100');
  print(`\n== Its balance may be below zero\n   as far as ${creditLimit} ${currency}, ${available} available`);
  const spending = { sourceWalletId: carol.id, targetWalletId: wallets.alice, amount: '30', currency };
  const spent = await ended(client, await client.transfer.create(spending), 'COMPLETED', print);

  const { serverTime } = await client.key();
  const executeAt = new Date(Date.parse(serverTime) + DUE_AFTER_MS).toISOString();
  const later = await client.transfer.create({ ...spending, executeAt });
  const { status } = await client.wallet.freeze(carol.id);
  print(`\n== It is frozen before its next transfer is due\n   ${status}`);
  await ended(client, later, 'FAILED', print);

  print(`\n== It is active again, is paid back, and closed\n   ${(await client.wallet.unfreeze(carol.id)).status}`);
  const returning = { sourceWalletId: wallets.alice, targetWalletId: carol.id, amount: '30', currency };
  await ended(client, await client.transfer.create(returning), 'COMPLETED', print);
  print(`   ${(await client.wallet.close(carol.id)).status}`);

  await showPast(client, carol, spent.completedAt ?? '', print);
}

/** Shows a limit that is met, and an alert that is raised once. Throws if something does not end as it is shown to. */
export async function limitAndAlert({ currency, wallets }: LocalStack, client: Client, print: Print): Promise<void> {
  const { id } = await client.wallet.create({ currency, name: 'dora' });
  const giving = { sourceWalletId: wallets.alice, targetWalletId: id, amount: '50', currency };
  await client.wallet.setLimits(id, [{ name: 'daily', amount: '40', window: { rolling: 'PT24H' } }]);
  await client.wallet.setAlerts(id, [{ name: 'low', availableBelow: '30' }]);
  print('\n== dora gets 50, may spend 40 in 24 hours, and is to be told once there are less than 30');
  await ended(client, await client.transfer.create(giving), 'COMPLETED', print);

  const spending = { sourceWalletId: id, targetWalletId: wallets.alice, amount: '25', currency };
  await ended(client, await client.transfer.create(spending), 'COMPLETED', print);
  const { limit } = (await ended(client, await client.transfer.create(spending), 'FAILED', print)).failure ?? {};
  print(`   limit ${limit?.name ?? ''}: ${limit?.used ?? ''} of ${limit?.amount ?? ''} used`);
  const [alert] = (await client.wallet.alerts(id)).alerts;
  print(`   alert ${alert?.name ?? ''}: ${alert?.state ?? ''}`);
  expect('the alert', alert?.state ?? '', 'raised');
}

/** Its statement since it was made, and what it held at a moment. */
async function showPast(
  client: Client,
  { id, createdAt }: { id: string; createdAt: string },
  at: string,
  print: Print,
): Promise<void> {
  const { serverTime } = await client.key();
  const statement = await client.wallet.statement(id, { from: createdAt, to: serverTime });
  const { openingBalance, closingBalance, debits, credits, count, settledUntil } = statement;
  print(`\n== Its statement\n   ${createdAt}  opening  ${openingBalance}`);
  for await (const { createdAt: movedAt, type, direction, amount, balanceAfter } of statement) {
    print(`   ${movedAt}  ${type} ${direction} ${amount}  ${balanceAfter}`);
  }
  print(`   ${serverTime}  closing  ${closingBalance}: ${count} flows, ${debits} out, ${credits} in`);
  print(`   final up to ${settledUntil}`);
  const { balance } = await client.wallet.balance(id, { at });
  print(`   At ${at} it held ${balance}`);
  expect('the flows of the statement', count, 2);
}

async function ended(client: Client, made: Order, status: Order['status'], print: Print): Promise<Order> {
  const order = await orderAtEnd(client, made.transferId, { timeoutMs: END_TIMEOUT_MS });
  print(`   ${order.type} ${order.transferId}: ${order.status} ${order.failure?.message ?? ''}`.trimEnd());
  expect(order.transferId, order.status, status);
  return order;
}

function expect(what: string, found: string | number, wanted: string | number): void {
  if (found !== wanted) throw new Error(`${what}: ${found}, and not ${wanted}`);
}
