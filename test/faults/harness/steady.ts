import { setTimeout as delay } from 'node:timers/promises';
import { createSchedule } from '../../../bench/load/schedule.ts';
import { createApi, type Api } from './api.ts';
import type { Choices } from './choices.ts';
import { accept, chooseTransfer } from './load-client.ts';
import type { LoadRecord } from './load-record.ts';
import type { Member } from './member.ts';
import type { Sent } from './sent.ts';
import type { Stack } from './stack.ts';

interface SteadyLoad {
  stack: Stack;
  record: LoadRecord;
  choices: Choices;
  ratePerSecond: number;
}

/** One of so many requests asks for what was created, its completion, its wallet or a list. */
const readEvery = 10;
/** Before what is done begins, and after it has ended. */
const marginMs = 2_000;
/** More than wait at any time: a request never waits for a connection. */
const socketsMax = 65_536;

/**
 * Requests at a constant rate while something is done: each is sent when it is due, whatever became of those before, and
 * only once. @returns what was answered but 200, to what, and how often.
 */
export async function underSteadyLoad(
  load: SteadyLoad,
  doing: () => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const { webs } = load.stack;
  const [books] = load.stack.books;
  const api = createApi(books, load.stack.told, { socketsMax });
  const errors = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  const send = (index: number): void => {
    // Each of them gets as many reads as every other.
    const web = webs[(index + Math.floor(index / readEvery)) % webs.length]!;
    const isRead = index % readEvery === 0;
    const sending = (isRead ? read(load, api, web, index / readEvery) : create(load, api, web))
      .catch((error: unknown) => `${String(error)} at ${isRead ? 'a read' : 'a create'}`)
      .then((error) => {
        if (error !== undefined) errors.set(error, (errors.get(error) ?? 0) + 1);
      })
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
  };
  const running = sendOnTime(load.ratePerSecond, send, stopping.signal);
  try {
    await delay(marginMs);
    await doing();
    await delay(marginMs);
  } finally {
    stopping.abort();
    await running;
    await Promise.all(underWay);
    api.close();
  }
  return errors;
}

async function sendOnTime(ratePerSecond: number, send: (index: number) => void, signal: AbortSignal): Promise<void> {
  const schedule = createSchedule(ratePerSecond, Number.MAX_SAFE_INTEGER / ratePerSecond);
  const startedAt = performance.now();
  for (let index = 0; !signal.aborted;) {
    for (const due = schedule.countDueBy(performance.now() - startedAt); index < due; index += 1) send(index);
    await delay(1);
  }
}

/** @returns what was answered, where that is an error. */
async function create({ stack, record, choices }: SteadyLoad, api: Api, web: Member): Promise<string | undefined> {
  const body = chooseTransfer(stack.books[0], choices);
  const sent: Sent = { body, attempts: 1, acknowledged: undefined, acknowledgedAtMs: undefined };
  record.sent.push(sent);
  const { status, envelope } = await api.create(web, body, 0);
  if (status === 200 && envelope?.data) accept(sent, envelope.data);
  return status === 200 ? undefined : `${status} ${envelope?.message ?? ''} to a create`;
}

async function read({ stack, record }: SteadyLoad, api: Api, web: Member, turn: number): Promise<string | undefined> {
  const { wallets } = stack.books[0];
  // What other clients of the run sent may be of other workspaces.
  const own = new Set([...wallets.values()].flat());
  const sent = record.sent.find(({ acknowledged, body }) => acknowledged !== undefined && own.has(body.sourceWalletId));
  const order = sent?.acknowledged?.transferId;
  if (order === undefined) return undefined;
  const [wallet] = wallets.get('USD') ?? [];
  const paths = [
    `/api/v1/transfer/query/orders/${order}`,
    `/api/v1/transfer/query/orders/${order}/completed`,
    `/api/v1/wallets/${wallet!}/balance`,
    `/api/v1/wallets/${wallet!}/flows`,
    `/api/v1/transfer/query/orders/wallet/${wallet!}`,
  ];
  const path = paths[turn % paths.length]!;
  const { status, envelope } = await api.get(web, path);
  return status === 200
    ? undefined
    : `${status} ${envelope?.message ?? ''} to GET ${path.replace(/[a-z]+_[0-9A-Z]{26}/, 'ID')}`;
}
