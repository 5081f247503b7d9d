import type { Call, Json, JsonObject, NamedCase } from './case.ts';
import { difference, shown, type Names } from './compare.ts';
import type { Driver, Outcome } from './driver.ts';
import { startPlayer, type Player } from './player.ts';
import { requestDifferences } from './requests.ts';
import { writeOut } from './write-out.ts';

export interface CaseReport {
  readonly group: string;
  readonly name: string;
  readonly end: 'ok' | 'failed' | 'not run';
  /** What differed; what was not run or not looked at for want of which capability. */
  readonly notes: readonly string[];
}

/** For the calls of one case. The longest has some seconds of pauses. */
const caseMaxMs = 30_000;
const usual = { apiKey: 'ak_1', apiSecret: 'the-secret-of-the-suite' };
/** Without this capability the driver cannot tell this member, and it is not looked at. */
const told = { pausesMs: 'pauses', sent: 'on-send' } as const;

let lastId = 0;

/** Plays a case to a driver. A driver that does not answer in time is ended. */
export async function runCase(driver: Driver, given: NamedCase): Promise<CaseReport> {
  const { group, name } = given;
  const { capabilities } = driver.hello;
  const lacking = (given.needs ?? []).filter((need) => !capabilities.includes(need));
  if (lacking.length > 0) return { group, name, end: 'not run', notes: lacking.map((need) => `without ${need}`) };

  const beganMs = Date.now();
  const one = writeOut(given as unknown as Json, beganMs) as unknown as NamedCase;
  const { apiKey, apiSecret } = { ...usual, ...one.client };
  driver.takeWritten();
  const player = await startPlayer({
    ...{ apiKey, apiSecret, answers: one.answers ?? [] },
    clock: one.server ?? { clockOffSeconds: 0 },
  });
  try {
    const differences = await differencesOf(one, driver, player);
    const isTold = apiSecret !== '' && driver.takeWritten().includes(apiSecret);
    const notes = [...differences, ...(isTold ? ['The driver wrote the secret.'] : [])];
    if (notes.length > 0) return { group, name, end: 'failed', notes };
    const unseen = Object.entries(told).filter(
      ([member, capability]) => one.calls.some((call) => member in call) && !capabilities.includes(capability),
    );
    return {
      group,
      name,
      end: 'ok',
      notes: unseen.map(([member, capability]) => `${member} not seen, without ${capability}`),
    };
  } finally {
    await player.close();
  }
}

async function differencesOf(one: NamedCase, driver: Driver, player: Player): Promise<string[]> {
  const names: Names = new Map();
  let outcomes: readonly Outcome[];
  try {
    outcomes = await inTime(outcomesOf(one, driver, player));
  } catch (error) {
    await driver.stop();
    return [
      (error as Error).message,
      ...player.faults,
      `What came: ${shown(player.received.map(({ target }) => target))}`,
    ];
  }
  return [
    ...player.faults,
    ...requestDifferences(one, player.received, names),
    ...one.calls.flatMap((call, index) => callDifferences(call, index, outcomes[index] ?? {}, { names, driver })),
  ];
}

async function outcomesOf(one: NamedCase, driver: Driver, player: Player): Promise<Outcome[]> {
  const prefix = `${(lastId += 1)}-`;
  const make = (call: Call): Promise<Outcome> => {
    const id = (lastId += 1);
    const isAborted = call.abortAfterRequests === 0;
    const answered = driver.call({
      id,
      ...clientOf(one, call, { prefix, origin: player.origin }),
      ...{ call: call.call, arguments: call.arguments ?? {} },
      ...(isAborted ? { aborted: true } : {}),
    });
    if (!isAborted && call.abortAfterRequests !== undefined) {
      void player.untilReceived(call.abortAfterRequests).then(() => {
        driver.abort(id);
      });
    }
    return answered;
  };
  if (one.sideBySide === true) return Promise.all(one.calls.map(make));
  const outcomes: Outcome[] = [];
  for (const call of one.calls) outcomes.push(await make(call));
  return outcomes;
}

function clientOf(one: NamedCase, call: Call, { prefix, origin }: { prefix: string; origin: string }): JsonObject {
  if (['sign', 'verifyWebhook'].includes(call.call)) return {};
  const { baseUrl = '{origin}', apiKey = usual.apiKey, apiSecret = usual.apiSecret } = one.client ?? {};
  const options = one.options ?? {};
  const name = prefix + (call.client ?? 'client');
  const client = { name, baseUrl: baseUrl.replace('{origin}', origin), apiKey, apiSecret, options };
  return { client: { ...client, random: one.random ?? 0 } };
}

function callDifferences(
  call: Call,
  index: number,
  outcome: Outcome,
  { names, driver }: { names: Names; driver: Driver },
): string[] {
  const where = `call ${index + 1}, ${call.call}`;
  const subset = { isSubset: true };
  const isError = call.error !== undefined;
  if (isError !== 'error' in outcome) {
    return [
      `${where}: expected ${isError ? `error ${shown(call.error)}` : 'a result'}, got ${shown(shortened(outcome))}`,
    ];
  }
  const capable = (member: keyof typeof told): boolean => driver.hello.capabilities.includes(told[member]);
  const found = [
    isError
      ? difference(`${where}: error`, call.error, outcome.error, names, subset)
      : difference(`${where}: result`, call.result, outcome.result, names, subset),
    'before' in call ? difference(`${where}: before`, call.before, outcome.before, names, subset) : undefined,
    'sent' in call && capable('sent')
      ? difference(`${where}: sent`, call.sent, outcome.sent, names, subset)
      : undefined,
    'pausesMs' in call && capable('pausesMs')
      ? difference(`${where}: pausesMs`, call.pausesMs, outcome.pausesMs, names, { ...subset, tolerance: 1 })
      : undefined,
  ];
  return found.filter((text) => text !== undefined);
}

function shortened({ result, error }: Outcome): JsonObject {
  return error === undefined ? { result: result ?? null } : { error };
}

function inTime<Value>(promise: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`The driver did not answer within ${caseMaxMs} ms.`));
  }, caseMaxMs);
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(timer);
  });
}
