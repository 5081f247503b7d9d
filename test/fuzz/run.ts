import { describeExit } from '../../local/child.ts';
import { createChoices } from '../faults/harness/choices.ts';
import { exchange, type Held } from './connection.ts';
import { createDrafts } from './drafts/all.ts';
import { createFindings, type Findings } from './findings.ts';
import { createJudge } from './judge.ts';
import { checkMoney } from './money.ts';
import { buildExchange, planExchanges, warmUpRequests, type Exchange } from './plan.ts';
import { startFuzzStack, type FuzzStack } from './stack.ts';
import { look, settle, type Look, type Settled } from './watch.ts';

export interface FuzzOptions {
  requests: number;
  seed: number;
}

export interface Memory {
  /** After the warm-up. */
  before: Look;
  /** When all was given back that was to be. */
  after: Settled;
}

export interface FuzzReport {
  findings: Findings;
  /** Undefined where the process did not live to the end. */
  memory: Memory | undefined;
  /** That were made, each by a rightly signed create. */
  orders: number;
  seconds: number;
}

const lanesCount = 48;
const settleWithinMs = 90_000;

/**
 * Starts everything, sends all requests of the seed, and checks what is left.
 * @throws where something does not start, or `signal` aborts. What the service does wrong is in the report.
 */
export async function runFuzz(options: FuzzOptions, signal: AbortSignal): Promise<FuzzReport> {
  const stack = await startFuzzStack();
  const held: Held = [];
  const startedAt = performance.now();
  const run = createRun(stack, held, signal);
  const { findings } = run;
  try {
    const memory = await send(stack, run, options);
    if (memory?.after.complaint !== undefined) findings.addAll([`not given back: ${memory.after.complaint}`]);
    for (const socket of held) socket.destroy();
    const money = run.hasEnded() ? undefined : await checkMoney(stack, run);
    findings.judgeHeldBack(stack.log.reasonOf);
    findings.addAll([...(money?.complaints ?? []), ...stack.log.complaints(), ...(await stack.stop())]);
    return { findings, memory, orders: money?.orders ?? 0, seconds: (performance.now() - startedAt) / 1_000 };
  } finally {
    for (const socket of held) socket.destroy();
    await stack.stop();
  }
}

/** @returns undefined where the process did not live to the end. */
async function send(stack: FuzzStack, run: Run, options: FuzzOptions): Promise<Memory | undefined> {
  try {
    return await sendAll(stack, run, options);
  } catch (error) {
    if (!run.hasEnded()) throw error;
    run.findings.addAll([String(error)]);
    return undefined;
  }
}

type Run = ReturnType<typeof createRun>;

function createRun(stack: FuzzStack, held: Held, signal: AbortSignal) {
  const findings = createFindings();
  const judge = createJudge();
  const drafts = createDrafts(stack.world);
  const signedCreates = new Map<string, Buffer>();
  let end: string | undefined;
  void stack.web.exited.then((exit) => {
    end = describeExit(exit);
  });
  const hasEnded = (): boolean => end !== undefined;
  const context = {
    world: stack.world,
    onSignedCreate: (nonce: string, body: Buffer) => signedCreates.set(nonce, body),
  };

  async function send(each: Exchange): Promise<void> {
    const { delivery } = each;
    const choices = createChoices(each.seed);
    for (const requests of buildExchange(each, drafts, context)) {
      const exchanged = await exchange(stack.port, requests, { delivery, choices: choices.fork(), held });
      findings.note(delivery, requests, exchanged, judge);
    }
  }

  /** Several lanes take the next of the exchanges each, until there are none, or the process is gone. */
  async function sendMany(exchanges: Iterator<Exchange>, untilRequest: number): Promise<void> {
    const inFlight = new Set<Exchange>();
    let isOver = false;
    const lane = async (): Promise<void> => {
      while (!isOver && !hasEnded()) {
        signal.throwIfAborted();
        const { value, done } = exchanges.next() as IteratorResult<Exchange, undefined>;
        if (done === true) return;
        isOver ||= value.first + value.count >= untilRequest;
        inFlight.add(value);
        await send(value);
        if (!hasEnded()) inFlight.delete(value);
      }
    };
    await Promise.all(Array.from({ length: lanesCount }, lane));
    if (!hasEnded()) return;
    const suspects = [...inFlight].map(({ first, count }) => `${first}-${first + count - 1}`).join(', ');
    throw new Error(`the web process ended with ${end}; under way were the requests ${suspects}`);
  }

  return { findings, signedCreates, acknowledged: judge.acknowledged, sendMany, hasEnded };
}

async function sendAll(stack: FuzzStack, run: Run, { requests, seed }: FuzzOptions): Promise<Memory> {
  const exchanges = planExchanges(seed, requests);
  await run.sendMany(exchanges, warmUpRequests);
  const before = await look(stack);
  await run.sendMany(exchanges, requests);
  return { before, after: await settle(stack, before, settleWithinMs) };
}
