import { expectsFailure, type PatternName, type WalletCounts } from '../load/patterns.ts';
import type { Batch, LoadOrder, LoadResult } from '../load/load-order.ts';
import { mixedReads, type ReadKind } from '../load/read-kinds.ts';
import { saturatingRate } from '../load/schedule.ts';
import { forkProcess } from '../servers/forked.ts';
import { cpuSeconds, cpuSince } from '../servers/process-times.ts';
import type { Stage } from '../servers/stage.ts';
import { checkAccepted, checkBooks, type EarlierOrders } from './check-books.ts';
import { groupFigures } from './group-figures.ts';
import { cpuMicrosEach, type Measured } from './measured.ts';
import { WrongWorkError } from './wrong-work.ts';

/** Who answers requests, and posts what is created: the product, or a baseline. */
export interface AnsweringSide {
  /** Whether orders come of creates at all. */
  readonly recordsOrders: boolean;
  /** Whether they are posted. */
  readonly posts: boolean;
  start(stage: Stage): Promise<{ port: number; pids: Record<string, number>; stop(): Promise<void> }>;
}

export interface RequestOptions {
  readonly kind: 'create' | 'read';
  /** Creates that come in one request; undefined: each is a request of its own. */
  readonly batch?: Batch;
  /** Legs of each order, which are counted in place of orders; undefined: each is a transfer. */
  readonly legs?: number;
  /** Whether each create is answered only once its order has ended; undefined: once it is recorded. */
  readonly awaitsEnd?: boolean;
  readonly pattern: PatternName;
  readonly wallets: WalletCounts;
  readonly ratePerSecond: number;
  readonly seconds: number;
  readonly connections: number;
  readonly seed: number;
  /** Requests that warm up; undefined: as many as `warmUps` says. */
  readonly warmUpRequests?: number | undefined;
  /** Orders to be read. */
  readonly orderIds?: readonly string[];
  /** What is read, by turns; undefined: what clients look at. */
  readonly reads?: readonly ReadKind[];
  readonly earlier?: EarlierOrders;
}

/**
 * A process is warm after so much: by then V8 has compiled what it runs through. At capacity that is what each request
 * takes; at a lower rate it is what each group takes, and groups are small: few connections, as fast as they are answered.
 */
const warmUps = {
  answersAtCapacity: { requests: 20_000, connections: 256 },
  ordersAtCapacity: { requests: 8_000, connections: 256 },
  belowCapacity: { requests: 3_000, connections: 4 },
} as const;
const warmUpRoundSecondsMax = 2;
/** Even a cold process answers so many a second: a round for a few requests is short. */
const coldAnswersPerSecond = 100;
const warmUpRoundsMax = 20;
const warmUpSeedStep = 1_000_000;

/** What a service under too much load may answer without being wrong. */
const refusals: ReadonlySet<string> = new Set(['429', '503']);

/**
 * Requests at a constant rate, from a process of their own. For creates whose orders are posted the clock runs until the
 * last one is COMPLETED or FAILED, and for all until the last answer.
 */
export async function measureRequests(stage: Stage, side: AnsweringSide, options: RequestOptions): Promise<Measured> {
  const running = await side.start(stage);
  const pids = { ...stage.servers.pids, ...running.pids };
  const order = loadOrder(stage, side, options, running.port);
  try {
    const warmUpResults = await warmUp(order, pids, options.warmUpRequests);
    const measured = await load(order, pids);
    await running.stop();
    await check(stage, side, options, [...warmUpResults, measured.result]);
    return await figures(stage, side, options, measured, warmUpResults);
  } finally {
    await running.stop().catch(() => undefined);
  }
}

/** What is measured is compiled code: requests of the same kind run before, for long enough. */
async function warmUp(
  order: LoadOrder,
  pids: Readonly<Record<string, number>>,
  requestsAsked: number | undefined,
): Promise<LoadResult[]> {
  const atCapacity = order.noticeChannel === undefined ? warmUps.answersAtCapacity : warmUps.ordersAtCapacity;
  const lines = order.legs ?? order.batch?.lines ?? 1;
  const { requests: creates, connections } =
    order.ratePerSecond * lines < saturatingRate ? warmUps.belowCapacity : atCapacity;
  const requests = requestsAsked ?? Math.ceil(creates / lines);
  const seconds = Math.min(warmUpRoundSecondsMax, (requests * lines) / coldAnswersPerSecond);
  const round = {
    ...order,
    ...{ connections: Math.ceil(connections / lines), ratePerSecond: saturatingRate / lines, seconds },
  };
  const results: LoadResult[] = [];
  const answered = (): number => results.reduce((sum, { sent, unanswered }) => sum + sent - unanswered, 0);
  for (let number = 1; answered() < requests && number <= warmUpRoundsMax; number += 1) {
    results.push((await load({ ...round, seed: order.seed + number * warmUpSeedStep }, pids)).result);
  }
  return results;
}

export interface Loaded {
  readonly result: LoadResult;
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

/** @param onSending told when everything is ready, and requests begin to leave. */
export async function load(
  order: LoadOrder,
  serverPids: Readonly<Record<string, number>>,
  onSending?: () => void,
): Promise<Loaded> {
  const generator = forkProcess('load/generator.ts');
  const pids = { ...serverPids, 'load generator': generator.pid };
  try {
    await generator.next();
    generator.send(order);
    // It says so when its requests are made and signed; that is not part of sending them.
    const started = (await generator.next()) as 'sending' | { error: string };
    if (started !== 'sending') throw new Error(started.error);
    onSending?.();
    const before = await cpuSeconds(pids);
    const result = (await generator.next()) as LoadResult | { error: string };
    if ('error' in result) throw new Error(result.error);
    return { result, cpuSeconds: cpuSince(before, await cpuSeconds(pids)) };
  } finally {
    await generator.stop();
  }
}

export function loadOrder(stage: Stage, side: AnsweringSide, options: RequestOptions, port: number): LoadOrder {
  const { world, servers } = stage;
  return {
    ...options,
    orderIds: options.orderIds ?? [],
    reads: options.reads ?? mixedReads,
    workspaceId: world.workspaceId,
    port,
    keys: world.keys,
    walletIds: world.walletIds,
    redisUrl: servers.redisUrl,
    ...(side.posts && options.kind === 'create' ? { noticeChannel: `${stage.prefix}:posted` } : {}),
  };
}

async function check(
  stage: Stage,
  side: AnsweringSide,
  options: RequestOptions,
  results: readonly LoadResult[],
): Promise<void> {
  checkAnswers(results);
  if (!side.recordsOrders || options.kind === 'read') return;
  const acceptedIds = results.flatMap((result) => result.acceptedIds);
  await checkAccepted(stage, acceptedIds);
  const accepted = acceptedIds.length;
  const indexes = results.flatMap(({ acceptedIndexes }) => acceptedIndexes);
  const failed = indexes.filter((index) => expectsFailure(options.pattern, index)).length;
  const { earlier = noOrders } = options;
  await checkBooks(stage, {
    completed: earlier.completed + (side.posts ? accepted - failed : 0),
    failed: earlier.failed + (side.posts ? failed : 0),
    pending: side.posts ? 0 : accepted,
    unknown: earlier.unknown + unansweredOf(results) * (options.batch?.lines ?? 1),
    legs: options.legs,
  });
}

const noOrders: EarlierOrders = { completed: 0, failed: 0, unknown: 0 };

function unansweredOf(results: readonly LoadResult[]): number {
  return results.reduce((sum, { unanswered }) => sum + unanswered, 0);
}

/**
 * @throws WrongWorkError a request was answered with neither a success nor what too much load is answered with, or before the end
 * that it was to wait for.
 */
export function checkAnswers(results: readonly LoadResult[]): void {
  for (const { byStatus, unanswered, answeredTooSoon, sent } of results) {
    const wrong = Object.entries(byStatus).find(([status]) => status !== '200' && !refusals.has(status));
    if (wrong !== undefined) throw new WrongWorkError(`${wrong[1]} requests were answered with ${wrong[0]}`);
    if (unanswered === sent) throw new WrongWorkError('no request was answered');
    if (answeredTooSoon > 0)
      throw new WrongWorkError(`${answeredTooSoon} creates were answered before their orders had ended`);
  }
}

async function figures(
  stage: Stage,
  side: AnsweringSide,
  { kind, batch, legs = 1, connections }: RequestOptions,
  { result, cpuSeconds: used }: Loaded,
  warmUpResults: readonly LoadResult[],
): Promise<Measured> {
  const arePosted = side.posts && kind === 'create';
  const answered = result.byStatus['200'] ?? 0;
  const { lines = 1 } = batch ?? {};
  const done = legs * (batch === undefined ? answered : result.acceptedIds.length);
  const seconds = Math.max(result.answerSeconds, arePosted ? result.terminalSeconds : 0);
  const [firstId] = result.acceptedIds.toSorted();
  const groups = arePosted && firstId !== undefined ? await groupFigures(stage, firstId.slice(0, -1)) : undefined;
  return {
    done,
    recorded: [...warmUpResults, result].reduce((sum, { acceptedIds }) => sum + acceptedIds.length, 0),
    seconds,
    perSecond: done / seconds,
    inFlight: connections * lines * legs,
    dropped: result.dropped * lines,
    refused: (result.sent - result.unanswered - answered) * lines,
    ...(kind === 'create' ? { unanswered: unansweredOf([...warmUpResults, result]) } : {}),
    cpuMicros: cpuMicrosEach(used, done),
    ...(result.answerLatency === undefined ? {} : { answerLatency: result.answerLatency }),
    ...(result.terminalLatency === undefined ? {} : { terminalLatency: result.terminalLatency }),
    ...(groups === undefined ? {} : { groups }),
  };
}
