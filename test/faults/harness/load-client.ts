import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../../support/api-client.ts';
import { createApi, type Api } from './api.ts';
import type { PreparedBooks } from './books.ts';
import type { Choices } from './choices.ts';
import { chooseCommand } from './commands.ts';
import type { LoadRecord, OrderData, Sent } from './sent.ts';
import { chooseRead } from './reads.ts';
import type { Stack } from './stack.ts';

interface ClientTools {
  stack: Stack;
  books: PreparedBooks;
  record: LoadRecord;
  choices: Choices;
  /** What was sent to this workspace with a bizId, by whichever client: any of them may repeat it. */
  repeatable: Sent[];
  /** Begins every bizId of this client. */
  name: string;
  /** How many requests it sends a second while they are answered at once. */
  ratePerSecond: number;
  signal: AbortSignal;
}

interface Client extends ClientTools {
  api: Api;
}

/** After the load ends, a client keeps retrying what it has begun for so long. */
const patienceMs = 30_000;
const waitSeconds = 2;
const tooLate: ReadonlySet<string> = new Set(['TR4092', 'TR4225', 'TR4226']);
/** A client that waits for one order for ever creates no other. */
const followMs = 1_500;
/**
 * So many orders a client sends at once, and as many that were sent before: they share groups and wallets, and a fault meets
 * several of them on their way.
 */
const atOnceMax = 4;
/** Of such a burst: the new orders, those sent before, and what it reads. */
const burstSize = 2 * ((1 + atOnceMax) / 2) + 1;
/** Between two bursts, of the time that the rate leaves. */
const pausePercent = [50, 150] as const;
/** Of those that were sent before, half are among the last ones, some of which have no answer yet. */
const latest = 8;
/** Between two looks at an order that a client follows. */
const lookMs = [50, 250] as const;

/** A careful client: what was not answered, or answered with 503, is sent again with the same bizId. */
export async function startClient(tools: ClientTools): Promise<void> {
  const api = createApi(tools.books, tools.stack.told);
  try {
    await runClient({ ...tools, api });
  } finally {
    api.close();
  }
}

async function runClient(client: Client): Promise<void> {
  const { choices, signal, ratePerSecond } = client;
  for (let count = 0; !signal.aborted;) {
    const until = count + choices.whole(1, atOnceMax);
    const requests: Promise<void>[] = [];
    for (; count < until; count += 1) {
      requests.push(repeat({ ...client, choices: choices.fork() }));
      requests.push(runOrder({ ...client, choices: choices.fork() }, count));
    }
    requests.push(read({ ...client, choices: choices.fork() }));
    await Promise.all(requests);
    const pauseMs = (choices.whole(...pausePercent) / 100) * ((burstSize * 1_000) / ratePerSecond);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

async function runOrder(client: Client, count: number): Promise<void> {
  const { name, books, record, choices, repeatable } = client;
  // One in ten gives no bizId: it may be sent once only, whatever comes back.
  const bizId = choices.chance(90) ? `${name}.${count}` : undefined;
  const command = chooseCommand(books, repeatable, choices, bizId);
  const sent: Sent = { workspaceId: books.workspaceId, command, acknowledged: undefined };
  record.sent.push(sent);
  if (bizId !== undefined) repeatable.push(sent);
  await submit(client, sent);
  if (sent.acknowledged !== undefined && choices.chance(30)) await follow(client, sent.acknowledged.transferId);
}

/** Sends again what was sent before, whether it was answered or not. */
async function repeat(client: Client): Promise<void> {
  const { choices, repeatable } = client;
  const those = choices.chance(50) ? repeatable.slice(-latest) : repeatable;
  if (those.length > 0) await submit(client, choices.pick(those));
}

async function submit(client: Client, sent: Sent): Promise<void> {
  const { choices, signal, stack, record, api } = client;
  let deadline = Infinity;
  const onAbort = (): void => {
    deadline = performance.now() + patienceMs;
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const wait = choices.chance(20) ? waitSeconds : 0;
  try {
    for (;;) {
      const web = choices.pick(stack.webs);
      const answer = await measured(record, () => api.create(web, sent.command, wait));
      if (answer?.status === 200 && answer.envelope?.data) {
        sent.acknowledged ??= answer.envelope.data;
        return;
      }
      if (answer !== undefined && isTooLate(sent, answer)) return;
      if (!mayRetry(record, JSON.stringify(sent.command), answer)) return;
      if (sent.command.body.bizId === undefined || performance.now() > deadline) return;
      await delay(choices.whole(50, 300));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Counts what came back; undefined stands for a broken connection. */
async function measured<Data>(
  record: LoadRecord,
  request: () => Promise<Answer<Data>>,
): Promise<Answer<Data> | undefined> {
  const startedAtMs = performance.now();
  const answer = await request().catch(() => undefined);
  const result = answer === undefined ? 'broken' : String(answer.status);
  record.requests.push({ startedAtMs, endedAtMs: performance.now(), result });
  return answer;
}

/** What is to be used is not COMPLETED, or another has used it already: only its order of the moment says which. */
function isTooLate({ command }: Sent, { envelope }: Answer<OrderData | null>): boolean {
  return command.means.parentId !== undefined && tooLate.has(envelope?.code ?? '');
}

/** Only 503 and a broken connection leave it open what happened; any other answer should not be there. */
function mayRetry(record: LoadRecord, what: string, answer: Answer | undefined): boolean {
  if (answer === undefined || answer.status === 503) return true;
  record.breaches.push(`${what} was answered ${answer.status} ${answer.text}`);
  return false;
}

/** Polls until the order is terminal, for a while. */
async function follow({ stack, record, choices, signal, api }: Client, transferId: string): Promise<void> {
  const deadline = performance.now() + followMs;
  while (!signal.aborted && performance.now() < deadline) {
    const answer = await measured(record, () => api.find(choices.pick(stack.webs), transferId));
    const order = answer?.status === 200 ? answer.envelope?.data : undefined;
    if (order !== undefined && order?.status !== 'PENDING') return;
    if (order === undefined && !mayRetry(record, `the acknowledged order ${transferId}`, answer)) return;
    await delay(choices.whole(...lookMs), undefined, { signal }).catch(() => undefined);
  }
}

/** Asks once for a balance, a statement or a list of its workspace. */
async function read({ stack, books, record, choices, api, repeatable }: Client): Promise<void> {
  const { path, query } = chooseRead(books, repeatable, choices);
  const answer = await measured(record, () => api.get(choices.pick(stack.webs), path, query));
  if (answer?.status !== 200) mayRetry(record, `GET ${path} ${JSON.stringify(query)}`, answer);
}
