import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Client } from '../client.ts';
import type { LocalStack } from './local-stack.ts';
import { completedPath, CREATE_PATH, dataOf, type CompletedData, type NewOrder } from './orders.ts';

/** Small, and sent in both directions by turns: neither wallet runs dry. */
const AMOUNT = '0.01';
const ATTEMPTS_MAX = 60;
const RETRY_DELAY_MS = 250;
const RETRY_AFTER_MAX_MS = 5_000;
const POLL_MS = 200;
/** For the last order to become terminal once all are accepted. */
const TERMINAL_TIMEOUT_MS = 120_000;
const PROGRESS_MS = 1_000;

export interface LoadResult {
  accepted: number;
  byStatus: Map<string, number>;
  /** Accepted, but not found or not terminal in time. */
  lost: string[];
  acceptSeconds: number;
  totalSeconds: number;
  acceptP50Ms: number;
  acceptP99Ms: number;
  /** Requests sent again: limited, unavailable, or broken off. */
  retries: number;
}

interface LoadOptions {
  transfers: number;
  concurrency: number;
  progress: (text: string) => void;
}

/** Pushes many signed transfers and waits until each is terminal. Each has an id of its own, so that retries are safe. */
export async function manyTransfers(client: Client, stack: LocalStack, options: LoadOptions): Promise<LoadResult> {
  const { transfers, concurrency } = options;
  const run = randomUUID().slice(0, 8);
  const bizIds = Array.from({ length: transfers }, (_, index) => `demo-${run}-${index}`);
  const latenciesMs: number[] = [];
  let retries = 0;
  const onRetry = () => {
    retries += 1;
  };

  const startedAt = performance.now();
  const accept = async (bizId: string, index: number) => {
    const order = { ...orderOf(stack, index), bizId };
    const answer = await persistently(() => client.request('POST', CREATE_PATH, { body: order }), onRetry);
    dataOf(answer.value);
    latenciesMs.push(answer.tookMs);
  };
  await inParallel(bizIds, concurrency, accept, counting('accepted', transfers, options));
  const acceptSeconds = secondsSince(startedAt);

  const byStatus = new Map<string, number>();
  const lost: string[] = [];
  const deadline = performance.now() + TERMINAL_TIMEOUT_MS;
  const settle = async (bizId: string) => {
    const status = await terminalStatus(client, bizId, deadline, onRetry);
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    if (status !== 'COMPLETED' && status !== 'FAILED') lost.push(bizId);
  };
  await inParallel(bizIds, concurrency, settle, counting('terminal', transfers, options));

  latenciesMs.sort((a, b) => a - b);
  return {
    accepted: latenciesMs.length,
    byStatus,
    lost,
    acceptSeconds,
    totalSeconds: secondsSince(startedAt),
    acceptP50Ms: percentile(latenciesMs, 0.5),
    acceptP99Ms: percentile(latenciesMs, 0.99),
    retries,
  };
}

function orderOf({ wallets, currency }: LocalStack, index: number): NewOrder {
  const [sourceWalletId, targetWalletId] =
    index % 2 === 0 ? [wallets.alice, wallets.bob] : [wallets.bob, wallets.alice];
  return { sourceWalletId, targetWalletId, amount: AMOUNT, currency };
}

async function terminalStatus(client: Client, bizId: string, deadline: number, onRetry: () => void): Promise<string> {
  for (;;) {
    const { value } = await persistently(() => client.request<CompletedData>('GET', completedPath(bizId)), onRetry);
    if (value.status === 404) return 'NOT FOUND';
    const { status } = dataOf(value);
    if (status !== 'PENDING' || performance.now() > deadline) return status;
    await delay(POLL_MS);
  }
}

/** Sends again what was limited (429), unavailable (503) or broken off; a bounded number of times. */
async function persistently<Data>(
  send: () => Promise<Answer<Data>>,
  onRetry: () => void,
): Promise<{ value: Answer<Data>; tookMs: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const sentAt = performance.now();
    try {
      const value = await send();
      const mayComeLater = value.status === 429 || value.status === 503;
      if (!mayComeLater || attempt >= ATTEMPTS_MAX) return { value, tookMs: performance.now() - sentAt };
      await delay(waitMs(value));
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX) throw error;
      await delay(RETRY_DELAY_MS);
    }
    onRetry();
  }
}

function waitMs({ headers }: Answer): number {
  const seconds = Number(headers['retry-after']);
  const askedMs = Number.isFinite(seconds) ? seconds * 1000 : 0;
  // Spread, or all who were refused come back in the same moment.
  return Math.min(Math.max(askedMs, RETRY_DELAY_MS), RETRY_AFTER_MAX_MS) * (0.5 + Math.random() / 2);
}

async function inParallel<Item>(
  items: Item[],
  concurrency: number,
  work: (item: Item, index: number) => Promise<void>,
  onDone: { tick: () => void; end: () => void },
): Promise<void> {
  const entries = items.entries();
  const lane = async () => {
    for (const [index, item] of entries) {
      await work(item, index);
      onDone.tick();
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, lane));
  } finally {
    onDone.end();
  }
}

function counting(what: string, total: number, { progress }: LoadOptions) {
  const startedAt = performance.now();
  let done = 0;
  const show = () => {
    const seconds = secondsSince(startedAt);
    progress(`${done} of ${total} ${what}, ${Math.round(done / Math.max(seconds, 0.001))}/s`);
  };
  const timer = setInterval(show, PROGRESS_MS);
  return {
    tick() {
      done += 1;
    },
    end() {
      clearInterval(timer);
      show();
    },
  };
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}

function percentile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
