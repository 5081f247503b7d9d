import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../../support/api-client.ts';
import { createApi, type Api, type BatchData } from './api.ts';
import type { PreparedBooks } from './books.ts';
import type { Choices } from './choices.ts';
import { chooseCommand } from './commands.ts';
import { chooseRead, walk } from './reads.ts';
import type { LoadRecord, OrderData, Sent, Told } from './sent.ts';
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
  /** How many orders it sends a second, new or again, while they are answered at once. */
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
/** Of such a burst: the new orders, and those sent before. */
const burstSize = 2 * ((1 + atOnceMax) / 2);
/** What it reads besides: the more, the likelier that a read meets a change. */
const readsAtOnce = 4;
/** How often the new orders of a burst are one request. */
const batchPercent = 20;
/** How often one is sent alone, followed, and its wallets read right before and right after. */
const watchedPercent = 40;
/** Between two bursts, of the time that the rate leaves. */
const pausePercent = [50, 150] as const;
/** Of those that were sent before, half are among the last ones, some of which have no answer yet. */
const latest = 8;
/** A page that is not answered is asked for again so often, so that a walk goes on after a fault. */
const pageAttemptsMax = 20;
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
    const isBatch = choices.chance(batchPercent);
    const sent = Array.from({ length: choices.whole(1, atOnceMax) }, () => newOrder(client, (count += 1), isBatch));
    const own = (): Client => ({ ...client, choices: choices.fork() });
    await Promise.all([
      ...(isBatch ? [submit(own(), sent)] : sent.map((each) => runOrder(own(), each))),
      ...sent.map(() => repeat(own())),
      ...Array.from({ length: readsAtOnce }, () => read(own())),
    ]);
    const pauseMs = (choices.whole(...pausePercent) / 100) * ((burstSize * 1_000) / ratePerSecond);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

function newOrder({ name, books, record, choices, repeatable }: Client, count: number, isRepeated: boolean): Sent {
  // One in ten gives no bizId: it may be sent once only, whatever comes back.
  const bizId = isRepeated || choices.chance(90) ? `${name}.${count}` : undefined;
  const command = chooseCommand(books, repeatable, choices.fork(), bizId);
  const sent: Sent = { workspaceId: books.workspaceId, command, acknowledged: undefined };
  record.sent.push(sent);
  if (bizId !== undefined) repeatable.push(sent);
  return sent;
}

async function runOrder(client: Client, sent: Sent): Promise<void> {
  const isWatched = client.choices.chance(watchedPercent);
  if (isWatched) await read(client, sent);
  await submit(client, [sent]);
  if (!isWatched || sent.acknowledged === undefined) return;
  await follow(client, sent.acknowledged.transferId);
  await read(client, sent);
}

/** Sends again what was sent before, whether it was answered or not. */
async function repeat(client: Client): Promise<void> {
  const { choices, repeatable } = client;
  const those = choices.chance(50) ? repeatable.slice(-latest) : repeatable;
  if (those.length === 0) return;
  const more = choices.chance(batchPercent) ? [choices.pick(those)] : [];
  await submit(client, [choices.pick(those), ...more]);
}

/** Several are the lines of a batch; then each has a bizId. */
async function submit(client: Client, sent: readonly Sent[]): Promise<void> {
  const { choices, signal, stack, record, api } = client;
  const [first, ...others] = sent as readonly [Sent, ...Sent[]];
  const commands = sent.map(({ command }) => command);
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
      const answer = await measured<OrderData | BatchData | null>(record, () =>
        others.length === 0 ? api.create(web, first.command, wait) : api.createBatch(web, commands, wait),
      );
      const data = answer?.status === 200 ? answer.envelope?.data : undefined;
      if (data) {
        const items = 'items' in data ? data.items : [{ order: data }];
        for (const [index, item] of items.entries()) acknowledge(record, sent[index]!, item);
        return;
      }
      if (others.length === 0 && isTooLate(first, answer?.envelope?.code)) return;
      if (!mayRetry(record, JSON.stringify(commands), answer)) return;
      if (first.command.body.bizId === undefined || performance.now() > deadline) return;
      await delay(choices.whole(50, 300));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function acknowledge(record: LoadRecord, sent: Sent, item: BatchData['items'][number]): void {
  if (item.order !== undefined) sent.acknowledged ??= item.order;
  else if (!isTooLate(sent, item.code))
    record.breaches.push(`a line of a batch, ${JSON.stringify(sent.command)}, was answered ${JSON.stringify(item)}`);
}

/** Counts what came back; undefined stands for a broken connection. */
async function measured<Data, Given extends Answer<Data> = Answer<Data>>(
  record: LoadRecord,
  request: () => Promise<Given>,
): Promise<Given | undefined> {
  const startedAtMs = performance.now();
  const answer = await request().catch(() => undefined);
  const result = answer === undefined ? 'broken' : String(answer.status);
  record.requests.push({ startedAtMs, endedAtMs: performance.now(), result });
  return answer;
}

/** What is to be used is not COMPLETED, or another has used it already: only its order of the moment says which. */
function isTooLate({ command }: Sent, code = ''): boolean {
  return command.means.parentId !== undefined && tooLate.has(code);
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

/** Asks for a balance, a statement or a list of its workspace, and walks on through some of the list. */
async function read(client: Client, after?: Sent): Promise<void> {
  const { books, choices, repeatable } = client;
  await walk(chooseRead(books, repeatable, choices, after), (...asked) => readPage(client, ...asked));
}

async function readPage(
  { stack, record, choices, signal, api }: Client,
  ...[path, query, before]: Parameters<Parameters<typeof walk>[1]>
): Promise<Told | undefined> {
  for (let attempt = 0; attempt < pageAttemptsMax; attempt += 1) {
    const answer = await measured(record, () => api.get(choices.pick(stack.webs), path, query, before));
    if (answer?.told !== undefined) return answer.told;
    // The moment that is asked for has passed here, and not yet for a process whose clock is a little behind.
    if (answer?.headers['x-error-reason'] === 'TIME_NOT_PASSED') return undefined;
    if (!mayRetry(record, `GET ${path} ${JSON.stringify(query)}`, answer) || signal.aborted) return undefined;
    await delay(choices.whole(...lookMs), undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}
