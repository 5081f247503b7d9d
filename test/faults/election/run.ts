import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { readBooks } from '../checker/books.ts';
import { checkAnswers } from '../checker/check-answers.ts';
import { checkBooks } from '../checker/check-books.ts';
import { createApi } from '../harness/api.ts';
import { createChoices } from '../harness/choices.ts';
import type { Member } from '../harness/member.ts';
import { untilTerminal } from '../harness/settle.ts';
import { startStack, type Stack } from '../harness/stack.ts';
import { underSteadyLoad, type SteadyOutcome } from '../harness/steady.ts';
import type { ElectionOptions } from './options.ts';

export interface ElectionReport extends SteadyOutcome {
  awaySeconds: number;
  /** From MongoDB's return until each API process has read one document of it; lists wait for their turns beyond that. */
  backMs: number;
  acknowledged: number;
  /** Orders that are there though no client was told so. */
  others: number;
  terminalMs: number;
  /** Bytes of each API process. */
  memory: { before: number; most: number; after: number }[];
  calmSeconds: number;
  breaches: string[];
}

const sampleEveryMs = 100;
const calmSeconds = 20;
const terminalWithinMs = 60_000;
const backWithinMs = 60_000;
/** What is to be waited out without any error. */
const promised = { ratePerSecond: 200, awaySeconds: 8 };
/** As many clients as it takes use the one key. */
const keyRate = '100000';

/** @throws where an acknowledged order is not terminal in time, or `admin verify` finds a breach. */
export async function runElection(options: ElectionOptions): Promise<ElectionReport> {
  const stack = await startStack({ isDirect: true });
  try {
    const { apiKey } = stack.books[0];
    await stack.admin('key', 'rate', '--key', apiKey, '--per-second', keyRate, '--burst', keyRate);
    return await elect(stack, options);
  } finally {
    await stack.stop();
  }
}

async function elect(stack: Stack, { ratePerSecond, seconds, seed }: ElectionOptions): Promise<ElectionReport> {
  const { mongodb, webs, history } = stack;
  const record = { sent: history };
  const { orders: ordersBefore } = await check(stack);
  const watches = webs.map(watchMemory);
  let [awaySeconds, backMs] = [0, 0];
  const load = { stack, record, choices: createChoices(seed), ratePerSecond };
  const outcome = await underSteadyLoad(load, async () => {
    const goneAt = performance.now();
    await mongodb.kill();
    await delay(seconds * 1_000);
    await mongodb.restart();
    const backAt = performance.now();
    awaySeconds = (backAt - goneAt) / 1_000;
    await untilAnswered(stack);
    backMs = performance.now() - backAt;
  });
  const acknowledged = history.filter((sent) => sent.acknowledged !== undefined);
  const terminalMs = await untilTerminal(stack, 'all', terminalWithinMs);
  await delay(calmSeconds * 1_000);
  const { breaches, orders } = await check(stack);
  const isPromised = ratePerSecond <= promised.ratePerSecond && awaySeconds <= promised.awaySeconds;
  const wrong = [...outcome.errors].filter(([error]) => isPromised || !error.startsWith('503'));
  return {
    ...{ ...outcome, awaySeconds, backMs, terminalMs, calmSeconds },
    acknowledged: acknowledged.length,
    others: orders - ordersBefore - acknowledged.length,
    memory: watches.map((watch) => watch.end()),
    breaches: [...breaches, ...wrong.map(([error, count]) => `${count} requests: ${error}`)],
  };
}

async function check({ mongodb, history, told, byHand }: Stack): Promise<{ breaches: string[]; orders: number }> {
  const books = await readBooks(mongodb.client.db());
  const answers = { sent: history, told, byHand: new Set(byHand.completed) };
  return {
    breaches: [...checkBooks(books, { setAside: new Set() }), ...checkAnswers(books, answers)],
    orders: books.orders.length,
  };
}

async function untilAnswered(stack: Stack): Promise<void> {
  const [books] = stack.books;
  const api = createApi(books, stack.told);
  const [wallet] = books.wallets.get('USD') ?? [];
  const deadline = performance.now() + backWithinMs;
  try {
    while (performance.now() < deadline) {
      // One that is not answered in time is asked again.
      const answers = await Promise.allSettled(
        stack.webs.map((web) => api.get(web, `/api/v1/wallets/${wallet!}/balance`)),
      );
      if (answers.every((answer) => answer.status === 'fulfilled' && answer.value.status === 200)) return;
    }
  } finally {
    api.close();
  }
  throw new Error(`nothing is answered within ${backWithinMs} ms`);
}

function watchMemory(web: Member) {
  const samples: number[] = [];
  const sample = async (): Promise<void> => {
    const text = await readFile(`/proc/${web.pid()}/status`, 'utf8');
    samples.push(Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1_024);
  };
  const timer = setInterval(() => void sample().catch(() => undefined), sampleEveryMs).unref();
  return {
    end() {
      clearInterval(timer);
      return { before: samples[0] ?? 0, most: Math.max(0, ...samples), after: samples.at(-1) ?? 0 };
    },
  };
}
