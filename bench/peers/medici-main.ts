import { Book, initModels, mongoTransaction, syncIndexes } from 'medici';
import mongoose from 'mongoose';
import pLimit from 'p-limit';
import { createRandom } from '../load/random.ts';
import { patterns } from '../load/patterns.ts';
import { endWithParent } from '../servers/end-with-parent.ts';
import { nextMessage } from '../servers/next-message.ts';
import type { MediciOrder } from './medici-order.ts';

/**
 * Process entry: transfers by medici, as its README does them ("ACID checks of an account balance"). Is sent a
 * {@link MediciOrder}; says `warm`, is told to go on, and says how many seconds the transfers took.
 */
endWithParent();
const order = await nextMessage<MediciOrder>();
const { wallets, isChecked, isHot, atOnce } = order;
const startBalance = 1_000_000_000;

// As durable as the service's own commits.
await mongoose.connect(order.mongodbUri, { writeConcern: { w: 'majority', journal: true } });
await initModels();
await syncIndexes({ background: false });
const book = new Book('bench');
const accountOf = (wallet: number): string => `Accounts:${wallet}`;

const random = createRandom(order.seed);
const nextPair = patterns[isHot ? 'hot-source' : 'uniform'].create({ funded: wallets, unfunded: 0 }, random);

await fund();
await transferAll(order.warmUpTransfers);
process.send?.('warm');
await nextMessage();
const startedAt = performance.now();
await transferAll(order.transfers);
const seconds = (performance.now() - startedAt) / 1000;
process.send?.({ seconds, ...(await readBooks()) });
await mongoose.disconnect();

async function fund(): Promise<void> {
  const entry = book.entry('funding');
  for (let wallet = 0; wallet < wallets; wallet += 1) entry.credit(accountOf(wallet), startBalance);
  await entry.debit('Assets', startBalance * wallets).commit();
}

async function transferAll(count: number): Promise<void> {
  const limit = pLimit(atOnce);
  await Promise.all(Array.from({ length: count }, (_, index) => limit(() => transfer(index))));
}

async function transfer(index: number): Promise<void> {
  const { source, target } = nextPair(index);
  const amount = (1 + Math.floor(random() * 999)) / 100;
  const [from, to] = [accountOf(source), accountOf(target)];
  await mongoTransaction(async (session) => {
    await book.entry('transfer').debit(from, amount).credit(to, amount).commit({ session });
    if (!isChecked) return;
    const { balance } = await book.balance({ account: from }, { session });
    if (balance < 0) throw new Error('Not enough balance in wallet.');
    await book.writelockAccounts([from], { session });
  });
}

async function readBooks(): Promise<{ journals: number; total: number; expectedTotal: number }> {
  const journals = await mongoose.connection.collection('medici_journals').countDocuments();
  const { balance } = await book.balance({ account: 'Accounts' });
  return { journals, total: balance, expectedTotal: startBalance * wallets };
}
