// Tests a program's payments in a sandbox: `. ./sandbox.env`, then `node --test payments.test.mjs`.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createClient, TransferFailedError } from 'signed-wallet-client';

const { BASE_URL, API_KEY, API_SECRET, WALLET_USD_1: tenant, WALLET_USD_2: landlord } = process.env;
const client = createClient({ baseUrl: BASE_URL, apiKey: API_KEY, apiSecret: API_SECRET });
const rent = { sourceWalletId: tenant, targetWalletId: landlord, amount: '900', currency: 'USD' };
const balance = async (wallet) => Number((await client.wallet.balance(wallet)).balance);

before(async () => {
  assert.equal((await client.key()).test, true, 'these tests move money, and put the clock forward');
  await client.transfer.deposit({ targetWalletId: tenant, amount: '5000', currency: 'USD' }).completed();
});

test('the rent is paid at the first of each of three months', async () => {
  const [had, now] = [await balance(landlord), new Date((await client.test.clock.get()).now)];
  const firsts = [1, 2, 3].map((months) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)));
  const orders = [];
  for (const executeAt of firsts) orders.push(await client.transfer.create({ ...rent, executeAt }));

  await client.test.clock.advance({ to: firsts.at(-1) });

  const paid = await Promise.all(orders.map(({ transferId }) => client.transfer.get(transferId)));
  assert.deepEqual(
    paid.map(({ status, completedAt }) => [status, completedAt]),
    firsts.map((first) => ['COMPLETED', first.toISOString()]),
  );
  assert.equal(await balance(landlord), had + 2700);
});

test('a deposit that nobody claims is given back after a week', async () => {
  const hold = await client.transfer.hold({ ...rent, amount: '300' }).completed();
  assert.equal((await client.wallet.get(tenant)).held, '300.00');

  await client.test.clock.advance({ by: 'P7D' });

  assert.equal((await client.transfer.get(hold.transferId)).hold.state, 'EXPIRED');
  assert.equal((await client.wallet.get(tenant)).held, '0.00');
});

test('a rent that cannot be paid moves nothing', async () => {
  const had = await balance(landlord);
  const paying = client.transfer.create({ ...rent, metadata: { simulate: 'TR4223' } }).completed();
  await assert.rejects(paying, (error) => error instanceof TransferFailedError && error.code === 'TR4223');
  assert.equal(await balance(landlord), had);
});

test('a rent whose answer is lost is paid once', async () => {
  const had = await balance(landlord);
  await client.transfer.create({ ...rent, amount: '1', metadata: { simulate: 'LOST_ANSWER' } }).completed();
  assert.equal(await balance(landlord), had + 1);
});
