import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describeExit } from '../../local/child.ts';
import { createChoices } from '../faults/harness/choices.ts';
import { look, untilGivenBack } from '../support/memory-watch.ts';
import type { ServiceProcesses } from '../support/service.ts';
import { exchange, type Held } from './connection.ts';
import { createDrafts } from './drafts/all.ts';
import { createFindings, type Findings } from './findings.ts';
import { createJudge } from './judge.ts';
import { readLog } from './log-watch.ts';
import { checkMoney } from './money.ts';
import { buildExchange, planExchanges, warmUpRequests, type Exchange } from './plan.ts';
import { prepareWorld, type Admin, type World } from './world.ts';

export interface FuzzOptions {
  requests: number;
  seed: number;
}

export interface FuzzReport {
  findings: Findings;
  /** That were made, each by a rightly signed create. */
  orders: number;
}

const lanesCount = 48;
const settleWithinMs = 90_000;

/**
 * Sends all requests of the seed to the service's web process, and checks what is left. What the service does wrong is in the
 * report; a secret in a log line is found when it is stopped.
 */
export async function runFuzz(service: ServiceProcesses, options: FuzzOptions): Promise<FuzzReport> {
  const client = new MongoClient(service.mongodbUri);
  const [db, held, [web]] = [client.db(), [] as Held, service.webs];
  try {
    const admin: Admin = (...args) => service.admin(...args);
    const world = await prepareWorld(db, admin, randomBytes(6).toString('hex'));
    const { port = 0 } = await web!.ready;
    const run = createRun({ port, exited: web!.exited, world }, held);
    const { findings } = run;
    const watched = { process: web!, opsUrl: service.opsUrl, port };
    try {
      const exchanges = planExchanges(options.seed, options.requests);
      await run.sendMany(exchanges, warmUpRequests);
      const before = await look(watched);
      await run.sendMany(exchanges, options.requests);
      const kept = await untilGivenBack(watched, before, settleWithinMs);
      if (kept !== undefined) findings.addAll([`not given back: ${kept}`]);
    } catch (error) {
      if (!run.hasEnded()) throw error;
      findings.addAll([String(error)]);
    }
    const money = run.hasEnded() ? undefined : await checkMoney({ db, admin, world }, run);
    const log = readLog(service.logs);
    findings.judgeHeldBack(log.reasonOf);
    findings.addAll([...(money?.complaints ?? []), ...log.complaints]);
    return { findings, orders: money?.orders ?? 0 };
  } finally {
    for (const socket of held) socket.destroy();
    await client.close();
  }
}

interface Place {
  readonly port: number;
  readonly exited: ServiceProcesses['webs'][number]['exited'];
  readonly world: World;
}

function createRun({ port, exited, world }: Place, held: Held) {
  const findings = createFindings();
  const judge = createJudge();
  const drafts = createDrafts(world);
  const signedCreates = new Map<string, Buffer>();
  let end: string | undefined;
  void exited.then((exit) => {
    end = describeExit(exit);
  });
  const hasEnded = (): boolean => end !== undefined;
  const context = { world, onSignedCreate: (nonce: string, body: Buffer) => signedCreates.set(nonce, body) };

  async function send(each: Exchange): Promise<void> {
    const { delivery } = each;
    const choices = createChoices(each.seed);
    for (const requests of buildExchange(each, drafts, context)) {
      const exchanged = await exchange(port, requests, { delivery, choices: choices.fork(), held });
      findings.note(delivery, requests, exchanged, judge);
    }
  }

  /** Several lanes take the next of the exchanges each, until there are none, or the process is gone. */
  async function sendMany(exchanges: Iterator<Exchange>, untilRequest: number): Promise<void> {
    const inFlight = new Set<Exchange>();
    let isOver = false;
    const lane = async (): Promise<void> => {
      while (!isOver && !hasEnded()) {
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
