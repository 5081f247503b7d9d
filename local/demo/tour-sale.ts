import type { Client, Order } from 'signed-wallet-client';
import type { LocalStack } from './local-stack.ts';
import { orderAtEnd } from './order-at-end.ts';

const END_TIMEOUT_MS = 30_000;

type Print = (text: string) => void;

/**
 * Shows an order of many legs: a sale with its fee and tax, and what comes back of each when a half of it is refunded. Throws if
 * something does not end as it is shown to.
 */
export async function saleByLegs({ currency, wallets }: LocalStack, client: Client, print: Print): Promise<void> {
  const ofReference = async (name: string): Promise<string> =>
    (await client.wallet.create({ currency, name, reference: `demo-${name}` })).id;
  const { alice, bob } = wallets;
  const [fees, tax] = [await ofReference('fees'), await ofReference('tax')];
  const names = new Map(Object.entries({ alice, bob, fees, tax }).map(([name, id]) => [id, name]));
  const nameOf = (id: string): string => (names.get(id) ?? id).padEnd(5);

  async function ended(what: string, { transferId }: Order): Promise<Order> {
    const order = await orderAtEnd(client, transferId, { timeoutMs: END_TIMEOUT_MS });
    print(`\n== ${what}\n   ${order.type} ${order.transferId}: ${order.status}`);
    if (order.status !== 'COMPLETED') throw new Error(`${transferId}: ${order.status}, and not COMPLETED`);
    for (const [place, leg] of (order.legs ?? []).entries()) {
      const { sourceWalletId: from, targetWalletId: to, amount, description } = leg;
      print(`   leg ${place}  ${nameOf(from)} -> ${nameOf(to)}  ${amount} ${currency}  ${description ?? ''}`.trimEnd());
    }
    return order;
  }

  const leg = { sourceWalletId: bob, currency };
  const legs = [
    { ...leg, sourceWalletId: alice, targetWalletId: bob, amount: '20' },
    { ...leg, targetWalletId: fees, amount: '2', description: 'Fee' },
    { ...leg, targetWalletId: tax, amount: '1.5', description: 'Tax' },
  ];
  const { transferId } = await ended(
    'alice buys for 20 of bob, who pays a fee and tax of it: all or none',
    await client.transfer.journal({ legs }),
  );
  await ended(
    'Half of it is refunded, with half of the tax',
    await client.transfer.reverse({
      transferId,
      legs: [
        { leg: 0, amount: '10' },
        { leg: 2, amount: '0.75' },
      ],
    }),
  );
  const sale = await client.transfer.get(transferId);
  print(`   Of the sale came back: ${(sale.legs ?? []).map(({ reversedAmount }) => reversedAmount).join(', ')}`);
}
