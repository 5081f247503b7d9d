import { setTimeout as delay } from 'node:timers/promises';
import { createApi, type Api } from './api.ts';
import type { PreparedBooks } from './books.ts';
import type { Choices } from './choices.ts';
import type { Sent, Told } from './sent.ts';
import type { Stack } from './stack.ts';

interface Read {
  path: string;
  query: Record<string, string>;
  /** How far a list is walked; a page, if not given. */
  pagesMax?: number;
}

/** How far back it is asked: to a moment about which figures are not final yet, or to one about which they may be. */
const pastMs: Readonly<Record<'near' | 'far', readonly [number, number]>> = {
  near: [50, 2_000],
  far: [1_000, 200_000],
};
const nearPercent = 75;
const ordersPath = '/api/v1/transfer/query/orders';
/** Of the pages of a walk, and how many of them. */
const sizes = [1, 10] as const;
const pagesMax = 6;
const filters: readonly Record<string, string>[] = [
  ...[{}, {}, { status: 'COMPLETED' }, { status: 'PENDING' }, { status: 'FAILED' }],
  ...[{ type: 'JOURNAL' }, { type: 'TRANSFER' }, { currency: 'USD' }, { currency: 'USDT', status: 'COMPLETED' }],
];
/** Of a walk through the newest rows of a list. */
const newest = { query: { size: '10' }, pagesMax: 4 };
const readAtOnce = 50;
/** A request that is answered 503 once all is repaired is sent again so often. */
const attemptsMax = 10;
const pauseMs = 200;

/** Of reads of wallets those that are of one which is in most transfers: there reads meet most changes. */
const busyPercent = 70;

/**
 * One of all that clients are told of wallets and orders.
 * @param sent of which one may be asked for. @param after whose wallets are asked for; any, if not given.
 */
export function chooseRead({ wallets }: PreparedBooks, sent: readonly Sent[], choices: Choices, after?: Sent): Read {
  const each = choices.pick([...wallets.values()]);
  const moved = [...wallets.values()].flat().filter((id) => after !== undefined && isOf(after, id));
  const wallet = choices.pick(moved.length > 0 ? moved : choices.chance(busyPercent) ? each.slice(0, 1) : each);
  const known = sent.flatMap(({ acknowledged }) => acknowledged?.transferId ?? []);
  const past = (): number => choices.whole(...(choices.chance(nearPercent) ? pastMs.near : pastMs.far));
  const [to, from] = [past(), past()].toSorted((a, b) => a - b).map(ago);
  const ofWallet = `/api/v1/wallets/${wallet}`;
  const orders = choices.pick([ordersPath, `${ordersPath}/wallet/${wallet}`]);
  const size = String(choices.whole(...sizes));
  const range = choices.chance(25) ? { from: from!, to: to! } : {};
  const direction = choices.pick([{}, {}, { direction: 'DEBIT' }, { direction: 'CREDIT' }]);
  const reads: Read[] = [
    { path: `${ofWallet}/balance`, query: {} },
    { path: choices.pick([ofWallet, '/api/v1/wallets']), query: {} },
    { path: `${ofWallet}/balance`, query: { at: to! } },
    { path: `${ofWallet}/balance`, query: { at: ago(pastMs.near[0]) } },
    { path: `${ofWallet}/statement`, query: { from: from!, to: to!, size }, pagesMax },
    { path: `${ofWallet}/flows`, query: { size, ...direction, ...range }, pagesMax },
    { path: orders, query: { size, ...choices.pick(filters), ...range }, pagesMax },
    { path: orders, query: {} },
    ...(known.length === 0 ? [] : [{ path: `${ordersPath}/${choices.pick(known)}/completed`, query: {} }]),
  ];
  return choices.pick(reads);
}

function isOf({ command }: Sent, walletId: string): boolean {
  return command.means.legs.some(
    ({ sourceWalletId, targetWalletId }) => sourceWalletId === walletId || targetWalletId === walletId,
  );
}

/** Reads a list page by page, each by the cursor of the one before. @param ask gives undefined where it had no answer. */
export async function walk(
  { path, query, pagesMax = 1 }: Read,
  ask: (path: string, query: Record<string, string>, before: Told | undefined) => Promise<Told | undefined>,
): Promise<void> {
  let page = await ask(path, query, undefined);
  for (let left = pagesMax - 1; left > 0; left -= 1) {
    const { nextCursor: cursor } = (page?.data ?? {}) as { nextCursor?: string | null };
    if (typeof cursor !== 'string') return;
    page = await ask(path, { cursor }, page);
  }
}

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

/**
 * Reads each id that was told from a place on among all that was told, under its bizId and by itself, each wallet's balance, and
 * walks through the newest orders and flows.
 * What is answered is told as well, and checked with the rest. @returns a sentence for each read that is not answered 200.
 */
export async function readAgain(stack: Stack, since: number): Promise<string[]> {
  const asked = new Map<string, Set<string>>();
  for (const { workspaceId, data } of stack.told.slice(since)) {
    const { transferId, bizId } = (data ?? {}) as Record<string, unknown>;
    const paths = asked.get(workspaceId) ?? new Set();
    for (const id of [transferId, bizId]) {
      if (typeof id === 'string') paths.add(`${ordersPath}/${id}`);
    }
    asked.set(workspaceId, paths);
  }
  const failed: string[] = [];
  for (const books of stack.books) {
    const ids = [...books.wallets.values()];
    const busy = ids.map(([id]) => `/api/v1/wallets/${id!}/flows`);
    const left: Read[] = [
      ...ids.flat().map((id) => ({ path: `/api/v1/wallets/${id}/balance`, query: {} })),
      ...[ordersPath, ...busy].map((path) => ({ path, ...newest })),
      ...Array.from(asked.get(books.workspaceId) ?? [], (path) => ({ path, query: {} })),
    ];
    const api = createApi(books, stack.told);
    const readAll = async (): Promise<void> => {
      for (let read = left.pop(); read !== undefined; read = left.pop())
        await walk(read, (...page) => readOne(api, stack, failed, ...page));
    };
    await Promise.all(Array.from({ length: readAtOnce }, readAll)).finally(() => {
      api.close();
    });
  }
  return failed;
}

async function readOne(
  api: Api,
  { webs }: Stack,
  failed: string[],
  ...[path, query, before]: Parameters<Parameters<typeof walk>[1]>
): Promise<Told | undefined> {
  let answered = 'not at all';
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const answer = await api.get(webs[attempt % webs.length]!, path, query, before).catch(() => undefined);
    if (answer?.told !== undefined) return answer.told;
    answered = answer === undefined ? 'not at all' : `${answer.status} ${answer.text}`;
    if (answer !== undefined && answer.status !== 503) break;
    await delay(pauseMs);
  }
  failed.push(`what was told is not read afterwards: GET ${path} was answered ${answered}`);
  return undefined;
}
