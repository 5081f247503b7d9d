import { randomUUID } from 'node:crypto';
import { ApiError, createClient, type Client, type NewTransfer, type WaitOptions } from 'signed-wallet-client';
import type { LocalStack } from './local-stack.ts';
import { orderAtEnd } from './order-at-end.ts';

/** Small, and sent alternately in both directions, so that neither wallet runs out of money. */
const AMOUNT = '0.01';
/** More than the client's default, so that a backlog that is full for a minute does not end the run. */
const ATTEMPTS_MAX = 20;
/** How long the last order may take to become terminal once all are accepted. */
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

/**
 * Sends many signed transfers, and waits until each is terminal. The client repeats requests that may succeed later. A
 * latency is the time from the first try of a create to its order.
 */
export async function manyTransfers(stack: LocalStack, options: LoadOptions): Promise<LoadResult> {
  const { transfers, concurrency } = options;
  const { apiUrl: baseUrl, apiKey, apiSecret } = stack;
  let retries = 0;
  const onRetry = () => {
    retries += 1;
  };
  const client = createClient({ baseUrl, apiKey, apiSecret, attemptsMax: ATTEMPTS_MAX, onRetry });
  const run = randomUUID().slice(0, 8);
  const bizIds = Array.from({ length: transfers }, (_, index) => `demo-${run}-${index}`);
  const latenciesMs: number[] = [];

  const startedAt = performance.now();
  const accept = async (bizId: string, index: number, signal: AbortSignal) => {
    const sentAt = performance.now();
    await client.transfer.create({ ...orderOf(stack, index), bizId }, { signal });
    latenciesMs.push(performance.now() - sentAt);
  };
  await inParallel(bizIds, concurrency, accept, counting('accepted', transfers, options));
  const acceptSeconds = secondsSince(startedAt);

  const byStatus = new Map<string, number>();
  const lost: string[] = [];
  const deadline = performance.now() + TERMINAL_TIMEOUT_MS;
  const settle = async (bizId: string, _: number, signal: AbortSignal) => {
    const timeoutMs = Math.max(0, Math.floor(deadline - performance.now()));
    const status = await endOf(client, bizId, { timeoutMs, signal });
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

function orderOf({ wallets, currency }: LocalStack, index: number): NewTransfer {
  const [sourceWalletId, targetWalletId] =
    index % 2 === 0 ? [wallets.alice, wallets.bob] : [wallets.bob, wallets.alice];
  return { sourceWalletId, targetWalletId, amount: AMOUNT, currency };
}

async function endOf(client: Client, bizId: string, options: WaitOptions): Promise<string> {
  try {
    return (await orderAtEnd(client, bizId, options)).status;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 'NOT FOUND';
    throw error;
  }
}

/** Works on items in parallel. Rejects with the first failure, and then aborts the work under way. */
async function inParallel<Item>(
  items: Item[],
  concurrency: number,
  work: (item: Item, index: number, signal: AbortSignal) => Promise<void>,
  onDone: { tick: () => void; end: () => void },
): Promise<void> {
  const entries = items.entries();
  const stopping = new AbortController();
  const lane = async () => {
    for (const [index, item] of entries) {
      await work(item, index, stopping.signal);
      onDone.tick();
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, lane));
  } finally {
    stopping.abort();
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
