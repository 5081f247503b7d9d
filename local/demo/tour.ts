import { createClient, type Client, type Order } from 'signed-wallet-client';
import { ADMIN_ENTRY } from '../demo-workspace.ts';
import { run } from '../executables.ts';
import type { LocalStack } from './local-stack.ts';

const END_TIMEOUT_MS = 30_000;
const SCOPES = [
  'wallet:read',
  'transfer:read',
  'transfer:create',
  'transfer:fund',
  'transfer:reverse',
  'transfer:hold',
];

type Print = (text: string) => void;

interface TourKey {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/**
 * Shows an order of each type: money comes in, a part of it is reserved, a part of that is captured, a part of that moved
 * back. Its key is made for it, and disabled afterwards, because the demo's own key may do none of that.
 * Throws if one of them does not end COMPLETED.
 */
export async function tour(stack: LocalStack, print: Print): Promise<void> {
  const admin = async <Result>(...args: string[]): Promise<Result> =>
    JSON.parse(
      await run(process.execPath, [ADMIN_ENTRY, ...args, '--json'], {
        ...process.env,
        LOCAL_STACK_FILE: stack.stackFile,
      }),
    ) as Result;
  const scopes = SCOPES.flatMap((scope) => ['--scope', scope]);
  const made = ['--workspace', stack.workspaceId, '--owner', 'demo-user', ...scopes];
  const { apiKey, apiSecret } = await admin<TourKey>('key', 'create', ...made);
  print(`A key for the tour, with the scopes ${SCOPES.join(', ')}`);
  try {
    await walk(stack, createClient({ baseUrl: stack.apiUrl, apiKey, apiSecret }), print);
  } finally {
    await admin('key', 'disable', '--key', apiKey);
  }
}

async function walk(stack: LocalStack, client: Client, print: Print): Promise<void> {
  const { currency } = stack;
  const { alice, bob } = stack.wallets;

  async function step(what: string, making: Promise<Order>): Promise<Order> {
    const { transferId } = await making;
    const order = await client.transfer.completed(transferId, { timeoutMs: END_TIMEOUT_MS });
    print(`\n== ${what}\n   ${order.type} ${transferId}: ${order.status}`);
    for (const [name, id] of [
      ['alice', alice],
      ['bob', bob],
    ] as const) {
      const { balance, held, available } = await client.wallet.balance(id);
      print(`   ${name.padEnd(5)}  ${balance} ${currency}, ${held} of it held, ${available} available`);
    }
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
