import type { Client, Order } from 'signed-wallet-client';
import type { LocalStack } from './local-stack.ts';
import { orderAtEnd } from './order-at-end.ts';

const END_TIMEOUT_MS = 30_000;
const DAY_MS = 86_400_000;
const RENT_DAYS = [30, 60, 90];

type Print = (text: string) => void;

/**
 * Shows a hold that expires after a week, and a rent of three months, by the clock of the test workspace. Throws if something does
 * not end as it is shown to.
 */
export async function monthsPass({ currency, wallets }: LocalStack, client: Client, print: Print): Promise<void> {
  const { alice, bob } = wallets;
  const { now } = await client.test.clock.get();
  const inDays = (days: number): string => new Date(Date.parse(now) + days * DAY_MS).toISOString();
  const sides = { sourceWalletId: alice, targetWalletId: bob, currency };

  async function advance(to: string, expected: { started: number; expired: number }): Promise<void> {
    const { from, started, expired } = await client.test.clock.advance({ to });
    print(`   ${from} -> ${to}: orders that came due ${started}, holds that expired ${expired}`);
    expect('what came due', [started, expired], [expected.started, expected.expired]);
  }

  const hold = await client.transfer.hold({ ...sides, amount: '60', expiresAt: inDays(7) });
  print(`\n== 60 of alice are reserved for a week, and nobody captures them\n   until ${hold.hold.expiresAt}`);
  await orderAtEnd(client, hold.transferId, { timeoutMs: END_TIMEOUT_MS });
  const rents: Order[] = [];
  for (const days of RENT_DAYS)
    rents.push(await client.transfer.create({ ...sides, amount: '20', executeAt: inDays(days), description: 'Rent' }));
  print(`\n== A rent of 20 is due in ${RENT_DAYS.join(', ')} days`);

  print('\n== The clock of the test workspace is put forward: a week, and then to the last rent');
  await advance(inDays(7), { started: 0, expired: 1 });
  const expired = await client.transfer.get(hold.transferId);
  print(`   The hold: ${expired.hold?.state ?? ''}, ${expired.hold?.released ?? ''} released`);
  expect('the hold', [expired.hold?.state], ['EXPIRED']);
  await advance(inDays(Math.max(...RENT_DAYS)), { started: RENT_DAYS.length, expired: 0 });
  for (const { transferId, executeAt } of rents) {
    const { type, status, completedAt } = await client.transfer.get(transferId);
    print(`   ${type} ${transferId}: ${status} at ${completedAt ?? ''}`);
    expect(transferId, [status, completedAt], ['COMPLETED', executeAt]);
  }
}

function expect(what: string, found: readonly unknown[], wanted: readonly unknown[]): void {
  if (found.join() !== wanted.join()) throw new Error(`${what}: ${found.join(', ')}, and not ${wanted.join(', ')}`);
}
