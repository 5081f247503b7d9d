import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../../support/api-client.ts';
import { createApi, type Api } from './api.ts';
import type { PreparedBooks } from './books.ts';
import type { Choices } from './choices.ts';
import { observe, type LoadRecord } from './load-record.ts';
import type { OrderData, Sent, TransferBody } from './sent.ts';
import type { Stack } from './stack.ts';

interface ClientTools {
  stack: Stack;
  books: PreparedBooks;
  record: LoadRecord;
  choices: Choices;
  /** Begins every bizId of this client. */
  name: string;
  signal: AbortSignal;
}

interface Client extends ClientTools {
  api: Api;
}

/** After the load ends, a client keeps retrying what it has begun for so long. */
const patienceMs = 30_000;
const waitSeconds = 2;
/** A client that waits for one order for ever creates no other. */
const followMs = 1_500;
/** So many orders a client sends at once: they share groups and wallets, and a fault meets several of them on their way. */
const atOnceMax = 4;
/**
 * Between one such burst of a client and its next: all clients together make some twenty orders a second. More would make each
 * run longer, not harder: with two cores busy, a killed process takes five seconds to start.
 */
const pauseMs = [800, 2_800] as const;
/** Between two looks at an order that a client follows. */
const lookMs = [50, 250] as const;

/** A careful client: what was not answered, or answered with 503, is sent again with the same bizId. */
export async function startClient(tools: ClientTools): Promise<void> {
  const api = createApi(tools.books);
  try {
    await runClient({ ...tools, api });
  } finally {
    api.close();
  }
}

async function runClient(client: Client): Promise<void> {
  const { choices, signal } = client;
  for (let count = 0; !signal.aborted;) {
    const until = count + choices.whole(1, atOnceMax);
    const orders: Promise<void>[] = [];
    for (; count < until; count += 1) orders.push(runOrder({ ...client, choices: choices.fork() }, count));
    await Promise.all(orders);
    await delay(choices.whole(...pauseMs), undefined, { signal }).catch(() => undefined);
  }
}

async function runOrder(client: Client, count: number): Promise<void> {
  const { name, books, record, choices } = client;
  // One in ten gives no bizId: it may be sent once only, whatever comes back.
  const bizId = choices.chance(90) ? `${name}.${count}` : undefined;
  const body = chooseTransfer(books, choices);
  const sent: Sent = {
    body: bizId === undefined ? body : { bizId, ...body },
    attempts: 0,
    acknowledged: undefined,
    acknowledgedAtMs: undefined,
    observed: undefined,
  };
  record.sent.push(sent);
  await submit(client, sent);
  if (sent.acknowledged !== undefined && choices.chance(30)) await follow(client, sent, sent.acknowledged.transferId);
}

export function chooseTransfer(books: PreparedBooks, choices: Choices): TransferBody {
  const currency = choices.pick([...books.wallets.keys()]);
  const wallets = books.wallets.get(currency) ?? [];
  const sourceWalletId = choices.chance(50) ? wallets[0]! : choices.pick(wallets);
  const targetWalletId = choices.pick(wallets.filter((id) => id !== sourceWalletId));
  const amount = `${choices.whole(0, 19)}.${String(choices.whole(1, 99)).padStart(2, '0')}`;
  return { sourceWalletId, targetWalletId, amount, currency };
}

async function submit(client: Client, sent: Sent): Promise<void> {
  const { choices, signal, stack, record, api } = client;
  let deadline = Infinity;
  signal.addEventListener('abort', () => (deadline = performance.now() + patienceMs), { once: true });
  if (signal.aborted) deadline = performance.now() + patienceMs;
  const wait = choices.chance(20) ? waitSeconds : 0;
  for (;;) {
    sent.attempts += 1;
    const web = choices.pick(stack.webs);
    const answer = await measured(record, () => api.create(web, sent.body, wait));
    if (answer?.status === 200 && answer.envelope?.data) {
      accept(record, sent, answer.envelope.data);
      return;
    }
    if (!mayRetry(record, sent, answer) || sent.body.bizId === undefined || performance.now() > deadline) return;
    await delay(choices.whole(50, 300));
  }
}

/** Counts what came back; undefined stands for a broken connection. */
async function measured<Data>(
  record: LoadRecord,
  request: () => Promise<Answer<Data>>,
): Promise<Answer<Data> | undefined> {
  const startedAtMs = performance.now();
  const answer = await request().catch(() => undefined);
  const endedAtMs = performance.now();
  const result = answer === undefined ? 'broken' : String(answer.status);
  record.answers.set(result, (record.answers.get(result) ?? 0) + 1);
  record.slowestMs = Math.max(record.slowestMs, endedAtMs - startedAtMs);
  record.requests.push({ startedAtMs, endedAtMs, result });
  return answer;
}

export function accept(record: Pick<LoadRecord, 'breaches'>, sent: Sent, data: OrderData): void {
  sent.acknowledged = data;
  sent.acknowledgedAtMs = performance.now();
  observe(record, sent, data);
}

/** Only 503 and a broken connection leave it open what happened; any other answer should not be there. */
function mayRetry(record: LoadRecord, sent: Sent, answer: Answer | undefined): boolean {
  if (answer === undefined || answer.status === 503) return true;
  record.breaches.push(`create ${JSON.stringify(sent.body)} was answered ${answer.status} ${answer.text}`);
  return false;
}

/** Polls until the order is terminal, for a while. */
async function follow({ stack, record, choices, signal, api }: Client, sent: Sent, transferId: string): Promise<void> {
  const deadline = performance.now() + followMs;
  while (!signal.aborted && sent.observed === undefined && performance.now() < deadline) {
    const answer = await measured(record, () => api.find(choices.pick(stack.webs), transferId));
    if (answer?.status === 200 && answer.envelope?.data) observe(record, sent, answer.envelope.data);
    else if (answer !== undefined && answer.status !== 503) {
      record.breaches.push(`the acknowledged order ${transferId} was answered ${answer.status} ${answer.text}`);
      return;
    }
    await delay(choices.whole(...lookMs), undefined, { signal }).catch(() => undefined);
  }
}
