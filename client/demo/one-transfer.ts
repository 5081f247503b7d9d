import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Client } from '../client.ts';
import type { LocalStack } from './local-stack.ts';
import { completedPath, CREATE_PATH, dataOf, type CompletedData, type NewOrder } from './orders.ts';

const POLL_MS = 100;
const TERMINAL_TIMEOUT_MS = 30_000;
const AMOUNT = '1.00';

type Print = (text: string) => void;

/** Creates one transfer and follows it, showing each request and answer. Gives true where it ends COMPLETED. */
export async function oneTransfer(client: Client, stack: LocalStack, print: Print): Promise<boolean> {
  const { alice, bob } = stack.wallets;
  const ask = async <Data>(title: string, method: string, path: string, body?: object) => {
    const answer = await client.request<Data>(method, path, body === undefined ? {} : { body });
    print(describe(title, answer));
    return dataOf(answer);
  };
  const balance = async (name: string, id: string) =>
    (await ask<{ balance: string }>(`Balance of ${name}`, 'GET', `/api/v1/wallets/${id}/balance`)).balance;

  const before = { alice: await balance('alice', alice), bob: await balance('bob', bob) };
  const order: NewOrder = { sourceWalletId: alice, targetWalletId: bob, amount: AMOUNT, currency: stack.currency };
  const { transferId } = await ask<{ transferId: string }>(
    `Transfer ${AMOUNT} ${stack.currency} from alice to bob`,
    ...(['POST', CREATE_PATH, order] as const),
  );
  const status = await follow(client, transferId, print);
  await ask('The order, as it stands now', 'GET', `/api/v1/transfer/query/orders/${transferId}`);
  const after = { alice: await balance('alice', alice), bob: await balance('bob', bob) };

  print(
    [
      `Transfer ${transferId}: ${status}`,
      `  alice  ${before.alice} -> ${after.alice} ${stack.currency}`,
      `  bob    ${before.bob} -> ${after.bob} ${stack.currency}`,
    ].join('\n'),
  );
  return status === 'COMPLETED';
}

/** Asks until the state is terminal; shows the first question, and the last answer. */
async function follow(client: Client, transferId: string, print: Print): Promise<CompletedData['status']> {
  const deadline = performance.now() + TERMINAL_TIMEOUT_MS;
  for (let asked = 1; ; asked += 1) {
    const answer = await client.request<CompletedData>('GET', completedPath(transferId));
    const { status } = dataOf(answer);
    const isOver = status !== 'PENDING' || performance.now() > deadline;
    if (isOver) {
      print(describe(`Is it completed? (asked ${asked} times)`, answer));
      return status;
    }
    await delay(POLL_MS);
  }
}

/** One request and its answer, for reading. The secret is no part of either. */
function describe(title: string, { sent, status, headers, envelope, text }: Answer): string {
  const answered = headers['content-type'] ?? '';
  return [
    `== ${title}`,
    `> ${sent.method} ${sent.target}`,
    ...Object.entries(sent.headers).map(([name, value]) => `> ${name}: ${String(value)}`),
    ...(sent.body === '' ? [] : ['>', `> ${sent.body}`]),
    '',
    '  signed:',
    ...sent.canonicalMessage.split('\n').map((line) => `    ${line}`),
    '',
    `< ${status} ${answered}`,
    ...(envelope ? JSON.stringify(envelope, null, 2) : text).split('\n').map((line) => `< ${line}`),
    '',
  ].join('\n');
}
