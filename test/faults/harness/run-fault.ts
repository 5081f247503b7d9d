import { openBooks } from '../../../src/storage/books.ts';
import { verify } from '../../../src/verify/verify.ts';
import { readBooks } from '../checker/books.ts';
import { checkAnswers } from '../checker/check-answers.ts';
import { checkAlertStates } from '../checker/check-alerts.ts';
import { checkBooks } from '../checker/check-books.ts';
import { checkLimits } from '../checker/check-limits.ts';
import { createChoices } from './choices.ts';
import type { Fault, FaultRun } from './fault.ts';
import { setGuards } from './guards.ts';
import { startLoad, type Load, type LoadOptions } from './load.ts';
import { readAgain } from './reads.ts';
import { untilTerminal } from './settle.ts';
import type { Stack } from './stack.ts';
import { atCommit } from './traps.ts';

export interface FaultReport {
  /** Empty where everything held. */
  breaches: string[];
  /** Of a pair, what did not come about. */
  missed: string[];
  orders: number;
  /** From the end of the fault until creates were acknowledged again. */
  recoveredMs: number;
  /** From the fault's mark until every order acknowledged before it was terminal. */
  terminalMs: number;
  slowestRequestMs: number;
  answers: Record<string, number>;
  tookMs: number;
}

/** Creates that are acknowledged before the fault, and after it: as many as clients ask for in a second or two, if that is more. */
const acknowledgedLeast = 10;
const warmUpWithinMs = 20_000;
const recoveredWithinMs = 30_000;
/**
 * A worker that is stuck in the driver notices within half a minute, ends, and is started again. One that leaves its jobs
 * to the other is away for up to 20 s at a time, and may be held up again when it comes back.
 */
const postingWithinMs = 90_000;
const terminalWithinMs = 30_000;
/** Just below the time after which the client itself gives up. */
const answeredWithinMs = 14_900;

/** One run of a fault under load, and the check of everything after it. Never throws for what the service does. */
export async function runFault(
  fault: Fault,
  stack: Stack,
  seed: number,
  loadOptions: LoadOptions = {},
): Promise<FaultReport> {
  const startedAtMs = performance.now();
  const choices = createChoices(seed);
  const toldBefore = stack.told.length;
  const load = startLoad(stack, choices.fork(), loadOptions);
  const report: FaultReport = {
    ...{ breaches: [], missed: [], orders: 0, answers: {} },
    ...{ recoveredMs: 0, terminalMs: 0, slowestRequestMs: 0, tookMs: 0 },
  };
  const acknowledgedCount = Math.max(acknowledgedLeast, loadOptions.ratePerSecond ?? 0);
  const limitMs = fault.terminalWithinMs ?? terminalWithinMs;
  let terminal: Promise<number> | undefined;
  const run: FaultRun = {
    ...{ stack, load, choices: choices.fork() },
    mark(withinMs = limitMs) {
      terminal = untilTerminal(stack, load.acknowledged(), withinMs);
      const marked = terminal.then(() => undefined);
      // Awaited below in any case; a rejection before that is not lost.
      for (const promise of [terminal, marked]) promise.catch(() => undefined);
      return marked;
    },
    free: (members) => members,
    breach: (what) => report.breaches.push(what),
    breachAlone: (what) => report.breaches.push(what),
    missed: (what) => report.missed.push(what),
  };
  try {
    await load.untilAcknowledged(acknowledgedCount, warmUpWithinMs);
    // Under load, so that orders and their limits meet.
    await setGuards(stack, choices.fork());
    await fault.inject(run);
    await stack.heal();
    if (terminal === undefined) void run.mark();
    const healedAtMs = performance.now();
    await load.untilAcknowledged(acknowledgedCount, recoveredWithinMs);
    await expectPosting(stack);
    report.recoveredMs = Math.round(performance.now() - healedAtMs);
    report.terminalMs = Math.round((await terminal) ?? 0);
  } catch (error) {
    report.breaches.push(String(error));
    await stack.heal();
  }
  await load.stop();
  report.breaches.push(...(await check(stack, load, toldBefore)));
  const byResult = Map.groupBy(load.requests, ({ result }) => result);
  return {
    ...report,
    orders: load.sent.length,
    slowestRequestMs: Math.round(slowestOf(load)),
    answers: Object.fromEntries([...byResult].map(([result, { length }]) => [result, length])),
    tookMs: Math.round(performance.now() - startedAtMs),
  };
}

/** The longest that any request took to be answered or broken, in milliseconds. */
function slowestOf({ requests }: Load): number {
  return requests.reduce((most, { startedAtMs, endedAtMs }) => Math.max(most, endedAtMs - startedAtMs), 0);
}

/**
 * Every order of the stack's life, whoever asked for it, and whatever was told of them, once all are terminal.
 * @param toldBefore how much had been told before this run.
 */
async function check(stack: Stack, load: Load, toldBefore: number): Promise<string[]> {
  const breaches = [...load.breaches];
  if (slowestOf(load) > answeredWithinMs) breaches.push(`a request was not answered within ${answeredWithinMs} ms`);
  if (stack.logs.some((line) => stack.secrets.some((secret) => line.includes(secret)))) {
    breaches.push('a secret is in a log line');
  }
  try {
    await untilTerminal(stack, 'all', terminalWithinMs);
    breaches.push(...(await readAgain(stack, toldBefore)));
    const told = [...stack.told];
    const books = await readBooks(stack.mongodb.client.db());
    const { completed, setAside } = stack.byHand;
    breaches.push(...checkBooks(books, { setAside: new Set(setAside) }));
    breaches.push(...checkLimits(books, stack.guards), ...checkAlertStates(books));
    const byHand = new Set([...completed, ...setAside]);
    breaches.push(...checkAnswers(books, { sent: stack.history, told, byHand }));
    breaches.push(...(await verifyBooks(stack)));
  } catch (error) {
    breaches.push(String(error));
  }
  return breaches;
}

/** Another worker's diligence must not hide one that never posts again. */
async function expectPosting({ workers }: Stack): Promise<void> {
  for (const worker of workers)
    if (worker.mongodbProxy !== undefined) await atCommit(worker, { withinMs: postingWithinMs });
}

/** What `admin verify` finds; the command itself, with its exit code, is run at the end of each stack. */
async function verifyBooks({ mongodb: { client } }: Stack): Promise<string[]> {
  const breaches: string[] = [];
  await verify(openBooks(client, client.db()), ({ kind, id, message }) => {
    breaches.push(`verify: ${kind} ${id} ${message}`);
  });
  return breaches;
}
