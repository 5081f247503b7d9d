import { setTimeout as delay } from 'node:timers/promises';
import { createApi, type Api } from './api.ts';
import type { PreparedBooks } from './books.ts';
import type { Choices } from './choices.ts';
import type { Sent } from './sent.ts';
import type { Stack } from './stack.ts';

interface Read {
  path: string;
  query: Record<string, string>;
}

/** How far back it is asked: to a moment up to which figures are final already, and to one up to which they are not. */
const pastMs = [1_000, 200_000] as const;
const readAtOnce = 50;
/** A request that is answered 503 once all is repaired is sent again so often. */
const attemptsMax = 10;
const pauseMs = 200;

/** One of all that clients are told of wallets and orders. @param sent of which one may be asked for. */
export function chooseRead({ wallets }: PreparedBooks, sent: readonly Sent[], choices: Choices): Read {
  const wallet = choices.pick([...wallets.values()].flat());
  const known = sent.flatMap(({ acknowledged }) => acknowledged?.transferId ?? []);
  const [to, from] = [choices.whole(...pastMs), choices.whole(...pastMs)].toSorted((a, b) => a - b).map(ago);
  const ofWallet = `/api/v1/wallets/${wallet}`;
  const reads: Read[] = [
    { path: `${ofWallet}/balance`, query: {} },
    { path: `${ofWallet}/balance`, query: {} },
    { path: `${ofWallet}/balance`, query: { at: to! } },
    { path: `${ofWallet}/statement`, query: { from: from!, to: to!, size: '100' } },
    { path: `${ofWallet}/flows`, query: { size: '50' } },
    { path: `/api/v1/transfer/query/orders/wallet/${wallet}`, query: {} },
    { path: `/api/v1/transfer/query/orders`, query: {} },
    ...(known.length === 0
      ? []
      : [{ path: `/api/v1/transfer/query/orders/${choices.pick(known)}/completed`, query: {} }]),
  ];
  return choices.pick(reads);
}

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

/**
 * Reads each id that was told from a place on among all that was told, under its bizId and by itself, and each wallet's balance.
 * What is answered is told as well, and checked with the rest. @returns a sentence for each read that is not answered 200.
 */
export async function readAgain(stack: Stack, since: number): Promise<string[]> {
  const asked = new Map<string, Set<string>>();
  for (const { workspaceId, data } of stack.told.slice(since)) {
    const { transferId, bizId } = (data ?? {}) as Record<string, unknown>;
    const paths = asked.get(workspaceId) ?? new Set();
    for (const id of [transferId, bizId]) {
      if (typeof id === 'string') paths.add(`/api/v1/transfer/query/orders/${id}`);
    }
    asked.set(workspaceId, paths);
  }
  const failed: string[] = [];
  for (const books of stack.books) {
    const ofWallets = [...books.wallets.values()].flat().map((id) => `/api/v1/wallets/${id}/balance`);
    const left = [...ofWallets, ...(asked.get(books.workspaceId) ?? [])];
    const api = createApi(books, stack.told);
    const readAll = async (): Promise<void> => {
      for (let path = left.pop(); path !== undefined; path = left.pop())
        failed.push(...(await readOne(api, stack, path)));
    };
    await Promise.all(Array.from({ length: readAtOnce }, readAll)).finally(() => {
      api.close();
    });
  }
  return failed;
}

async function readOne(api: Api, { webs }: Stack, path: string): Promise<string[]> {
  let answered = 'not at all';
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const answer = await api.get(webs[attempt % webs.length]!, path).catch(() => undefined);
    if (answer?.status === 200) return [];
    answered = answer === undefined ? 'not at all' : `${answer.status} ${answer.text}`;
    if (answer !== undefined && answer.status !== 503) break;
    await delay(pauseMs);
  }
  return [`what was told is not read afterwards: GET ${path} was answered ${answered}`];
}
