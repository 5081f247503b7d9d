import { createClient } from 'signed-wallet-client';
import { describeExchange, recordingFetch, type Exchange } from './exchange.ts';
import type { LocalStack } from './local-stack.ts';
import { orderAtEnd } from './order-at-end.ts';

const TERMINAL_TIMEOUT_MS = 30_000;
const AMOUNT = '1.00';

type Print = (text: string) => void;

/** Creates one transfer and waits for its end, showing each request and answer. Returns whether it ended COMPLETED. */
export async function oneTransfer(stack: LocalStack, print: Print): Promise<boolean> {
  const { apiUrl: baseUrl, apiKey, apiSecret, currency } = stack;
  const { alice, bob } = stack.wallets;
  const exchanges: Exchange[] = [];
  // Each request is shown, so the client must not repeat one unseen.
  const client = createClient({ baseUrl, apiKey, apiSecret, attemptsMax: 1, fetch: recordingFetch(exchanges) });
  const show = async <Value>(title: string, call: Promise<Value>): Promise<Value> => {
    try {
      return await call;
    } finally {
      const asked = exchanges.length > 1 ? ` (asked ${exchanges.length} times)` : '';
      const last = exchanges.splice(0).at(-1);
      if (last) print(await describeExchange(`${title}${asked}`, last, apiSecret));
    }
  };
  const balance = async (name: string, id: string) =>
    (await show(`Balance of ${name}`, client.wallet.balance(id))).balance;

  const before = { alice: await balance('alice', alice), bob: await balance('bob', bob) };
  const { transferId } = await show(
    `Transfer ${AMOUNT} ${currency} from alice to bob`,
    client.transfer.create({ sourceWalletId: alice, targetWalletId: bob, amount: AMOUNT, currency }),
  );
  const { status } = await show('Is it completed?', orderAtEnd(client, transferId, { timeoutMs: TERMINAL_TIMEOUT_MS }));
  await show('The order, as it stands now', client.transfer.get(transferId));
  const after = { alice: await balance('alice', alice), bob: await balance('bob', bob) };

  print(
    [
      `Transfer ${transferId}: ${status}`,
      `  alice  ${before.alice} -> ${after.alice} ${currency}`,
      `  bob    ${before.bob} -> ${after.bob} ${currency}`,
    ].join('\n'),
  );
  return status === 'COMPLETED';
}
