import { createClient, type Client, type NewTransfer, type Order } from 'signed-wallet-client';
import { adminIn, makeWorkspace } from '../demo-workspace.ts';
import type { LocalStack } from './local-stack.ts';
import { orderAtEnd } from './order-at-end.ts';
import { saleByLegs } from './tour-sale.ts';
import { monthsPass } from './tour-time.ts';
import { limitAndAlert, walletOfItsOwn } from './tour-wallet.ts';

const END_TIMEOUT_MS = 30_000;
const BATCH_WAIT_SECONDS = 10;
const LATER_MS = 3_600_000;
const TOO_MUCH = '1000000000';

type Print = (text: string) => void;

/**
 * Shows an order of each type: money comes in, a part of it is reserved, a part of that is captured, a part of that moved
 * back. Then one for later, which is cancelled; a preview; batches; a sale by legs; a wallet from its making to its statement, a limit
 * and an alert; and what takes months, in seconds, in a test workspace of its own. Throws if something does not end as it is shown to.
 */
export async function tour(local: LocalStack, print: Print): Promise<void> {
  const admin = adminIn({ ...process.env, LOCAL_STACK_FILE: local.stackFile });
  const stack = { ...local, ...(await makeWorkspace(admin, 'Tour')) };
  print(`A test workspace for the tour, by admin sandbox create: ${stack.workspaceId}`);
  const client = createClient({ baseUrl: stack.apiUrl, apiKey: stack.apiKey, apiSecret: stack.apiSecret });
  await walk(stack, client, print);
  await cancelled(stack, client, print);
  await batches(stack, client, print);
  await saleByLegs(stack, client, print);
  await walletOfItsOwn(stack, client, print);
  await limitAndAlert(stack, client, print);
  await monthsPass(stack, client, print);
}

async function walk(stack: LocalStack, client: Client, print: Print): Promise<void> {
  const { currency } = stack;
  const { alice, bob } = stack.wallets;

  async function step(what: string, making: Promise<Order>): Promise<Order> {
    const { transferId } = await making;
    const order = await client.transfer.completed(transferId, { timeoutMs: END_TIMEOUT_MS });
    print(`\n== ${what}\n   ${describe(order)}`);
    await printBalances(stack, client, print);
    return order;
  }

  await step(
    '250 come in from the world outside, to alice',
    client.transfer.deposit({ targetWalletId: alice, amount: '250', currency }),
  );
  const sides = { sourceWalletId: alice, targetWalletId: bob };
  const hold = await step(
    '80 of alice are reserved for bob',
    client.transfer.hold({ ...sides, amount: '80', currency }),
  );
  const captured = await step(
    '65.50 of them are captured, and the rest is released',
    client.transfer.capture({ transferId: hold.transferId, amount: '65.5' }),
  );
  await step(
    '15.50 of them are moved back',
    client.transfer.reverse({ transferId: captured.transferId, amount: '15.5' }),
  );
  await step('250 go out again', client.transfer.withdraw({ sourceWalletId: alice, amount: '250', currency }));

  const { hold: end } = await client.transfer.get(hold.transferId);
  print(
    `\nThe hold, in the end: ${end?.state ?? ''}, ${end?.captured ?? ''} captured, ${end?.released ?? ''} released`,
  );
}

/** An order for later is cancelled before its time; a preview tells how one would end now. */
async function cancelled({ currency, wallets }: LocalStack, client: Client, print: Print): Promise<void> {
  const transfer = { sourceWalletId: wallets.alice, targetWalletId: wallets.bob, amount: '40', currency };
  const executeAt = new Date(Date.now() + LATER_MS).toISOString();
  const later = await client.transfer.create({ ...transfer, executeAt });
  print(`\n== 40 are to go from alice to bob in an hour\n   ${describe(later)} until ${later.executeAt ?? ''}`);
  const order = await client.transfer.cancel(later.transferId);
  print(`   ${describe(order)}`);
  if (order.status !== 'CANCELLED') throw new Error(`${describe(order)}, and not CANCELLED`);

  const { status, wallets: after } = await client.transfer.preview(transfer);
  print(`\n== How they would end if they went now; nothing is stored\n   ${status}`);
  for (const { walletId, balance, available } of after)
    print(`   ${walletId === wallets.alice ? 'alice' : 'bob  '}  ${balance} ${currency}, ${available} available`);
}

/** Many in one request: each for itself, and all or none. */
async function batches(stack: LocalStack, client: Client, print: Print): Promise<void> {
  const { currency, wallets } = stack;
  const { alice, bob } = wallets;
  const there = { sourceWalletId: alice, targetWalletId: bob, amount: '2', currency };
  const back = { sourceWalletId: bob, targetWalletId: alice, amount: '2', currency };

  async function batch(
    what: string,
    lines: readonly NewTransfer[],
    atomic: boolean,
    expected: string[],
  ): Promise<void> {
    print(`\n== ${what}`);
    const ends: string[] = [];
    for await (const result of client.transfer.batch(lines, { atomic, waitSeconds: BATCH_WAIT_SECONDS })) {
      if ('error' in result) {
        ends.push(result.error.reason);
        print(`   line ${result.line}: refused, ${result.error.code} ${result.error.reason}`);
        continue;
      }
      const order = await orderAtEnd(client, result.order.transferId, { timeoutMs: END_TIMEOUT_MS });
      ends.push(order.status);
      print(`   line ${result.line}: ${describe(order)} ${order.failure?.message ?? ''}`.trimEnd());
    }
    if (ends.join() !== expected.join()) throw new Error(`${ends.join()}, and not ${expected.join()}`);
    await printBalances(stack, client, print);
  }

  await batch(
    'Three in a batch, the second to a wallet that is not there',
    [there, { ...there, targetWalletId: 'wa_unknown' }, back],
    false,
    ['COMPLETED', 'WALLET_NOT_FOUND', 'COMPLETED'],
  );
  await batch('Two together or not at all', [there, back], true, ['COMPLETED', 'COMPLETED']);
  await batch(
    'Two together or not at all, the second of more than there is',
    [there, { ...back, amount: TOO_MUCH }],
    true,
    ['FAILED', 'FAILED'],
  );
}

function describe({ type, transferId, status }: Order): string {
  return `${type} ${transferId}: ${status}`;
}

async function printBalances({ currency, wallets }: LocalStack, client: Client, print: Print): Promise<void> {
  for (const [name, id] of Object.entries(wallets)) {
    const { balance, held, available } = await client.wallet.balance(id);
    print(`   ${name.padEnd(5)}  ${balance} ${currency}, ${held} of it held, ${available} available`);
  }
}
