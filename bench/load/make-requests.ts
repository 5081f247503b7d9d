import { patterns } from './patterns.ts';
import { readKinds } from './read-kinds.ts';
import { createRandom, type Random } from './random.ts';
import { signedRequest, type RequestParts } from './requests.ts';
import type { LoadOrder } from './load-order.ts';
import type { Schedule } from './schedule.ts';

const commandPath = '/api/v1/transfer/command';
const amountCentsMax = 999;
const longestWait = 'wait=10';

/** Every request of a schedule, signed for the moment at which it is due. */
export function makeRequests(order: LoadOrder, schedule: Schedule, startsAt: Date): Buffer[] {
  const random = createRandom(order.seed);
  const next = order.kind === 'create' ? creates(order, random) : reads(order, random);
  const host = `127.0.0.1:${order.port}`;
  return Array.from({ length: schedule.count }, (_, index) => {
    const key = order.keys[index % order.keys.length];
    if (key === undefined) throw new Error('there is no key to sign with');
    return signedRequest(next(index), key, host, new Date(startsAt.getTime() + schedule.dueAtMs(index)));
  });
}

function creates(
  { pattern, wallets, walletIds, batch, legs, awaitsEnd = false }: LoadOrder,
  random: Random,
): (index: number) => RequestParts {
  const nextPair = patterns[pattern].create(wallets, random);
  const bodyOf = (index: number): object => {
    const { source, target } = nextPair(index);
    const amount = ((1 + Math.floor(random() * amountCentsMax)) / 100).toFixed(2);
    return { sourceWalletId: walletIds[source], targetWalletId: walletIds[target], amount, currency: 'USD' };
  };
  const of = (command: string, body: object): RequestParts => {
    const parts = { method: 'POST', path: `${commandPath}/${command}`, body: JSON.stringify(body) } as const;
    return awaitsEnd ? { ...parts, prefer: longestWait } : parts;
  };
  if (legs !== undefined)
    return (index) => of('journal', { legs: Array.from({ length: legs }, (_, leg) => bodyOf(index * legs + leg)) });
  if (batch === undefined) return (index) => of('create', bodyOf(index));
  const { lines, isAtomic } = batch;
  return (index) => {
    const transfers = Array.from({ length: lines }, (_, line) => bodyOf(index * lines + line));
    return of('batch', { transfers, ...(isAtomic ? { atomic: true } : {}) });
  };
}

function reads(
  { workspaceId, walletIds, orderIds, reads: kinds }: LoadOrder,
  random: Random,
): (index: number) => RequestParts {
  const anyOf = (ids: readonly string[]): string => ids[Math.floor(random() * ids.length)] ?? '';
  const readable = { workspaceId, anyOrderId: () => anyOf(orderIds), anyWalletId: () => anyOf(walletIds) };
  return (index) => {
    const kind = kinds[index % kinds.length];
    if (kind === undefined) throw new Error('there is nothing to be read');
    return { method: 'GET', ...readKinds[kind](readable) };
  };
}
