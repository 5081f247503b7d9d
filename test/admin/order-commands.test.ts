import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type RunningService } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

interface Printed {
  transferId: string;
  type: string;
  status: string;
  amount: string;
  parentId: string | null;
  hold: { state: string; remaining: string } | null;
}
interface Wallet {
  balance: string;
  held: string;
  creditLimit: string;
  available: string;
}

let service: RunningService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await startService();
  workspace = await createWorkspace(service);
});
afterAll(() => service.stop());

const admin = <Result = Printed>(...args: string[]) => service.admin<Result>(...args);
async function walletOf(id: string): Promise<Wallet> {
  return (await workspace.client.request<Wallet>('GET', `/api/v1/wallets/${id}`)).envelope!.data;
}

it('support holds, captures, releases and reverses', async () => {
  const [alice, bob] = [await workspace.wallet('100'), await workspace.wallet()];
  const usd = ['--currency', 'USD'];
  const hold = await admin('transfer', 'hold', '--source', alice, '--target', bob, '--amount', '80', ...usd);
  expect(hold).toMatchObject({ type: 'HOLD', status: 'COMPLETED', hold: { state: 'HELD', remaining: '80.00' } });
  const id = ['--id', hold.transferId];
  const captured = await admin('transfer', 'capture', ...id, '--amount', '30', '--no-final');
  expect(captured).toMatchObject({ type: 'CAPTURE', amount: '30.00', parentId: hold.transferId });
  expect(await admin('transfer', 'release', ...id)).toMatchObject({ type: 'RELEASE', amount: '50.00' });
  const reversal = ['transfer', 'reverse', '--id', captured.transferId, '--amount', '10', '--biz-id', 'support-1'];
  const reversed = await admin(...reversal);
  expect(reversed).toMatchObject({ type: 'REVERSAL', amount: '10.00' });
  expect((await admin(...reversal)).transferId).toBe(reversed.transferId);
  expect(await walletOf(alice)).toMatchObject({ balance: '80.00', held: '0.00' });
  await expect(admin('transfer', 'capture', ...id)).rejects.toThrow('TR4225 HOLD_CLOSED');
  await expect(admin('transfer', 'reverse', '--id', 'tr_none')).rejects.toThrow('there is no order tr_none');
  await expect(admin('transfer', 'hold', '--source', alice, '--amount', '1.001', ...usd)).rejects.toThrow(
    'more decimals',
  );
});

it('a credit limit lets a wallet go below zero, and is not set below what is used', async () => {
  const [alice, bob] = [await workspace.wallet(), await workspace.wallet()];
  const limit = (amount: string) => admin<Wallet>('wallet', 'limit', '--wallet', alice, '--credit-limit', amount);
  expect(await limit('50')).toMatchObject({ balance: '0.00', creditLimit: '50.00', available: '50.00' });
  const sides = { sourceWalletId: alice, targetWalletId: bob, currency: 'USD' };
  const create = async (amount: string) => {
    const options = { body: { ...sides, amount }, headers: { Prefer: 'wait=10' } };
    const answer = await workspace.client.request<Printed>('POST', '/api/v1/transfer/command/create', options);
    return answer.envelope!.data.status;
  };
  expect([await create('30'), await create('20.01')]).toEqual(['COMPLETED', 'FAILED']);
  expect(await walletOf(alice)).toMatchObject({ balance: '-30.00', available: '20.00' });
  await expect(limit('29.99')).rejects.toThrow('uses more credit than that');
  await expect(limit('1.001')).rejects.toThrow('2 decimals');
  expect(await limit('30')).toMatchObject({ available: '0.00' });
  await expect(admin('wallet', 'close', '--wallet', alice, '--yes')).rejects.toThrow('only an empty one can be closed');
  expect(await admin<{ breaches: number }>('verify')).toMatchObject({ breaches: 0 });
});

it('a wallet is not closed while it holds something', async () => {
  const alice = await workspace.wallet();
  await admin('wallet', 'limit', '--wallet', alice, '--credit-limit', '5');
  const { transferId } = await admin('transfer', 'hold', '--source', alice, '--amount', '5', '--currency', 'USD');
  const close = () => admin<{ status: string }>('wallet', 'close', '--wallet', alice, '--yes');
  await expect(close()).rejects.toThrow('5.00 of it held');
  await admin('transfer', 'release', '--id', transferId);
  expect(await close()).toMatchObject({ status: 'CLOSED' });
});
