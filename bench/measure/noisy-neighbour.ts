import { setTimeout as delay } from 'node:timers/promises';
import { bucketOf } from '../../src/domain/bucket.ts';
import { latencyAt } from '../load/latency.ts';
import type { LoadResult } from '../load/load-order.ts';
import { startDelayProxy } from '../servers/delay-proxy.ts';
import type { Stage } from '../servers/stage.ts';
import { createWorkspace, workspaceIdIn } from '../servers/workspace.ts';
import { keyCount } from '../servers/world.ts';
import { checkAccepted, checkBooks } from './check-books.ts';
import type { Measured } from './measured.ts';
import { checkAnswers, load, loadOrder, type RequestOptions } from './requests.ts';
import { productWeb } from './sides.ts';

export interface NeighbourOptions {
  /** Whether the one that floods is in the bucket of the other. */
  readonly isSameBucket: boolean;
  /** Between the service and MongoDB, in each direction. */
  readonly delayMs: number;
  readonly workers: number;
  /** Creates of the one that floods; its connections, wallets, seed. */
  readonly flood: RequestOptions;
}

/** Creates a second of the workspace that is looked at, and connections enough for them. */
const quietRate = 10;
const quietConnections = 64;
/** A few seconds of what a worker posts: reached soon, and posted soon after the flood. */
const backlogMaxWorkspace = 2_000;
/** At about what is posted, so that nothing of it is left to wait for. */
const warmUp = { seconds: 5, floodShare: 0.2 } as const;
/** The flood begins before what is looked at, long enough to be refused, and ends after it. */
const floodAroundSeconds = 4;

/** How long a workspace's orders take, ten a second, by themselves and then beside a workspace that floods. */
export async function measureNeighbour(stage: Stage, options: NeighbourOptions): Promise<Measured> {
  const { isSameBucket, delayMs, workers, flood } = options;
  const { world } = stage;
  const own = bucketOf(world.workspaceId);
  const id = workspaceIdIn((bucket) => (bucket === own) === isSameBucket);
  const noisy = { ...stage, world: { ...world, ...(await createWorkspace(world, flood.wallets, keyCount, id)) } };
  const proxy = await startDelayProxy(stage, delayMs);
  const env = { ...proxy.env, BACKLOG_MAX_WORKSPACE: String(backlogMaxWorkspace) };
  const side = productWeb(workers);
  const running = await side.start({ ...stage, env });
  const quiet = { ...flood, ratePerSecond: quietRate, connections: quietConnections };
  const ask = async (of: Stage, request: RequestOptions, onSending?: () => void): Promise<LoadResult> =>
    (await load(loadOrder(of, side, request, running.port), running.pids, onSending)).result;
  try {
    const warmRate = flood.ratePerSecond * warmUp.floodShare;
    const warming = await ask(noisy, { ...flood, seconds: warmUp.seconds, ratePerSecond: warmRate });
    const alone = await ask(stage, quiet);
    const sending = Promise.withResolvers<undefined>();
    const floodSeconds = flood.seconds + 2 * floodAroundSeconds;
    const flooding = ask(noisy, { ...flood, seconds: floodSeconds }, () => {
      sending.resolve(undefined);
    });
    await Promise.race([sending.promise, flooding]);
    await delay(floodAroundSeconds * 1000);
    const [beside, flooded] = await Promise.all([ask(stage, { ...quiet, seed: quiet.seed + 1 }), flooding]);
    await running.stop();
    const results = [warming, alone, beside, flooded];
    await check(stage, results, noisy.world.fundingOrders);
    return figures({ alone, beside, flooded, floodSeconds }, results);
  } finally {
    await running.stop().catch(() => undefined);
    await proxy.stop();
  }
}

async function check(stage: Stage, results: readonly LoadResult[], furtherFunding: number): Promise<void> {
  checkAnswers(results);
  const acceptedIds = results.flatMap((result) => result.acceptedIds);
  await checkAccepted(stage, acceptedIds);
  const unknown = results.reduce((sum, { unanswered }) => sum + unanswered, 0);
  await checkBooks(stage, { completed: acceptedIds.length + furtherFunding, failed: 0, pending: 0, unknown });
}

interface Loads {
  readonly alone: LoadResult;
  readonly beside: LoadResult;
  readonly flooded: LoadResult;
  /** For how long the flood was sent. */
  readonly floodSeconds: number;
}

function figures({ alone, beside, flooded, floodSeconds }: Loads, results: readonly LoadResult[]): Measured {
  const done = beside.acceptedIds.length;
  const posted = flooded.acceptedIds.length / flooded.terminalSeconds;
  return {
    done,
    recorded: results.reduce((sum, { acceptedIds }) => sum + acceptedIds.length, 0),
    seconds: beside.answerSeconds,
    perSecond: done / beside.answerSeconds,
    dropped: beside.dropped,
    refused: beside.sent - beside.unanswered - done,
    figures: {
      'p50 alone, ms': terminalMs(alone, 50),
      'p50 beside, ms': terminalMs(beside, 50),
      'p99 alone, ms': terminalMs(alone, 99),
      'p99 beside, ms': terminalMs(beside, 99),
      'p99 beside ÷ alone': terminalMs(beside, 99) / terminalMs(alone, 99),
      '503s, alone and beside': unavailable(alone) + unavailable(beside),
      'flood: answered 200': flooded.byStatus['200'] ?? 0,
      'flood: answered 503': unavailable(flooded),
      'flood: found no free connection': flooded.dropped,
      'flood: posted a second': posted,
      'flood: sent ÷ posted': flooded.sent / floodSeconds / posted,
    },
    cpuMicros: {},
    ...(beside.answerLatency === undefined ? {} : { answerLatency: beside.answerLatency }),
    ...(beside.terminalLatency === undefined ? {} : { terminalLatency: beside.terminalLatency }),
  };
}

/** NaN if no order ended. */
export function terminalMs({ terminalLatency }: LoadResult, percentile: 50 | 99): number {
  return terminalLatency === undefined ? Number.NaN : latencyAt(terminalLatency, percentile);
}

function unavailable({ byStatus }: LoadResult): number {
  return byStatus['503'] ?? 0;
}
