import type { Document } from 'bson';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOtherParser, isSame } from './compare.ts';
import { decode, type Json } from './extended-json.ts';
import { normaliseReply } from './normalise.ts';
import { createSymbols, type Symbols } from './symbols.ts';
import { openWireClient, type Answer, type WireClient } from './wire-client.ts';

/** One recorded step; which of these fields it has says what it is. */
export interface Step {
  on?: string;
  db?: string;
  cmd?: Record<string, Json>;
  reply?: Json;
  closed?: boolean;
  async?: boolean;
  await?: string;
  expectPending?: string;
  afterMs?: number;
  pending?: boolean;
  close?: string;
  sleepMs?: number;
  sequences?: Record<string, Json[]>;
  opQuery?: boolean;
  replyOpcode?: number;
  noReply?: boolean;
  pick?: string[];
  present?: string[];
  presentFields?: string[];
  anyOrder?: boolean;
}

export interface Scenario {
  name: string;
  area: string;
  why: string;
  steps: Step[];
}

/** A server that nobody else uses meanwhile. */
export interface Target {
  host: string;
  port: number;
  isEngine: boolean;
}

/** A step whose outcome was another one. */
export interface Difference {
  step: number;
  command: string | undefined;
  expected: unknown;
  actual: unknown;
}

interface Run {
  target: Target;
  symbols: Symbols;
  clients: Map<string, WireClient>;
  pending: Map<string, { step: Step; answer: Promise<Answer>; isDone: boolean }>;
}

/** Replays a recorded conversation step by step and gives the steps that went differently. */
export async function replay(scenario: Scenario, target: Target): Promise<Difference[]> {
  const name = `replay_${createHash('sha1').update(scenario.name).digest('hex').slice(0, 12)}`;
  const run: Run = { target, symbols: createSymbols(name), clients: new Map(), pending: new Map() };
  const admin = await openWireClient(target.host, target.port);
  const differences: Difference[] = [];
  try {
    await admin.send({ dropDatabase: 1, $db: name });
    for (const [index, step] of scenario.steps.entries()) {
      const outcome = await playStep(run, step);
      if (outcome === undefined || isExpected(outcome, target)) continue;
      differences.push({ step: index, command: Object.keys(step.cmd ?? {})[0], ...outcome });
    }
  } finally {
    await cleanUp(run, admin, JSON.stringify(scenario.steps));
  }
  return differences;
}

const answerMaxMs = 20_000;

interface Outcome {
  expected: Json;
  actual: Json;
}

async function playStep(run: Run, step: Step): Promise<Outcome | undefined> {
  if (step.sleepMs !== undefined) await sleep(step.sleepMs);
  if (step.close !== undefined) {
    await run.clients.get(step.close)?.close();
    run.clients.delete(step.close);
  }
  if (step.expectPending !== undefined) {
    const waiting = run.pending.get(step.expectPending);
    const isPending = step.pending ?? false;
    // An answer that is to be there may take as long as a busy machine needs.
    await Promise.race([waiting?.answer, sleep(isPending ? step.afterMs : answerMaxMs, undefined, { ref: false })]);
    return { expected: isPending, actual: !waiting?.isDone };
  }
  if (step.await !== undefined) {
    const waiting = run.pending.get(step.await);
    if (waiting === undefined) throw new Error(`nothing is awaited on ${step.await}`);
    return outcomeOf(run, { ...waiting.step, ...step }, await waiting.answer);
  }
  if (step.cmd === undefined || step.on === undefined) return undefined;
  const answer = sendStep(run, step, await clientOf(run, step.on), step.cmd);
  if (!step.async) return outcomeOf(run, step, await answer);
  const waiting = { step, answer, isDone: false };
  void answer.then(() => (waiting.isDone = true));
  run.pending.set(step.on, waiting);
  return undefined;
}

async function sendStep({ symbols }: Run, step: Step, client: WireClient, cmd: Record<string, Json>): Promise<Answer> {
  const database = step.db === '$db' ? symbols.database : (step.db ?? 'admin');
  const command = symbols.toSend(decode(cmd)) as Document;
  const sequences = symbols.toSend(decode(step.sequences ?? {})) as Record<string, Document[]>;
  if (step.opQuery) return client.send(command, { legacyDatabase: database });
  return client.send({ ...command, $db: database }, { sequences, isUnanswered: step.noReply ?? false });
}

function outcomeOf({ symbols }: Run, step: Step, answer: Answer): Outcome | undefined {
  if (answer === 'unanswered') return undefined;
  if (answer === 'closed') return { expected: step.closed ? 'closed' : (step.reply ?? null), actual: 'closed' };
  const rules = {
    cmd: step.cmd ?? {},
    ...(step.pick && { pick: step.pick }),
    ...(step.anyOrder && { anyOrder: step.anyOrder }),
  };
  const reply = normaliseReply(answer.document, rules, symbols);
  const present = step.present?.filter((field) => answer.document[field] !== undefined);
  if (step.closed) return { expected: 'closed', actual: reply };
  if (present === undefined && !step.opQuery) return { expected: step.reply ?? null, actual: reply };
  return {
    expected: [step.reply ?? null, step.presentFields ?? null, step.replyOpcode ?? null],
    actual: [reply, present ?? null, step.opQuery ? answer.opcode : null],
  };
}

function isExpected({ expected, actual }: Outcome, { isEngine }: Target): boolean {
  return isSame(expected, actual) || (!isEngine && isOtherParser(expected, actual));
}

async function clientOf({ clients, target }: Run, name: string): Promise<WireClient> {
  const known = clients.get(name);
  if (known !== undefined && !known.isClosed()) return known;
  const opened = await openWireClient(target.host, target.port);
  clients.set(name, opened);
  return opened;
}

/** Fail points and parameters are the whole server's, so they are put back whatever happened. */
async function cleanUp({ symbols, clients }: Run, admin: WireClient, steps: string): Promise<void> {
  const set = (command: Document) => admin.send({ ...command, $db: 'admin' });
  if (steps.includes('configureFailPoint')) await set({ configureFailPoint: 'failCommand', mode: 'off' });
  if (steps.includes('LifetimeLimit')) await set({ setParameter: 1, transactionLifetimeLimitSeconds: 60 });
  if (symbols.sessions().length > 0) await set({ killSessions: symbols.sessions() });
  for (const client of clients.values()) await client.close();
  await admin.send({ dropDatabase: 1, $db: symbols.database });
  await admin.close();
}
