// Creates transfers with the installed package, several at a time, and waits for the end of each: node creates.js COUNT.
// A line for each that is created; then one of JSON.
import { createClient, type Order } from 'signed-wallet-client';

const { BASE_URL = '', API_KEY = '', API_SECRET = '', SOURCE = '', TARGET = '' } = process.env;
const count = Number(process.argv[2]);
const concurrency = 32;

let repetitions = 0;
const client = createClient({
  baseUrl: BASE_URL,
  apiKey: API_KEY,
  apiSecret: API_SECRET,
  // A process that starts on a busy machine may take long.
  attemptsMax: 20,
  onRetry: () => {
    repetitions += 1;
  },
});
const transfer = { sourceWalletId: SOURCE, targetWalletId: TARGET, amount: '0.01', currency: 'USD' };
const bizIds: string[] = [];
const ends: Promise<Order>[] = [];

async function lane(): Promise<void> {
  while (bizIds.length < count) {
    const creation = client.transfer.create(transfer);
    bizIds.push(creation.bizId);
    const { transferId } = await creation;
    ends.push(creation.completed({ timeoutMs: 120_000 }));
    process.stdout.write(`${transferId}\n`);
  }
}
await Promise.all(Array.from({ length: concurrency }, lane));
const completed = await Promise.all(ends);

const listed: string[] = [];
for await (const { bizId } of client.transfer.listOfWallet(TARGET)) listed.push(bizId);
const { balance } = await client.wallet.balance(TARGET);
const done = completed.length;
process.stdout.write(JSON.stringify({ node: process.version, repetitions, completed: done, bizIds, listed, balance }));
