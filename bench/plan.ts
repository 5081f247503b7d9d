import type { Cell } from './cells.ts';
import { batchCells } from './plan/batch-cells.ts';
import { acceptCell, endToEndCell, idleCell, inFlightCells, readsCell, steadyReadsCell } from './plan/request-cells.ts';
import { emptyJobsCell, insertManyCell, signedCell } from './plan/limit-cells.ts';
import { growthCells } from './plan/growth-cells.ts';
import { peerCells } from './plan/peer-cells.ts';
import { naiveEndToEndCell, naiveIdleCell, naivePostCell } from './plan/naive-cells.ts';
import { neighbourCells, testClockCell } from './plan/neighbour-cells.ts';
import { readCells } from './plan/read-cells.ts';
import { postCell, postLegsCell, postLimitsCell } from './plan/post-cells.ts';
import { roundTripCells } from './plan/round-trip-cells.ts';
import { killCell, scaleCells } from './plan/scale-cells.ts';
import { webhookCells } from './plan/webhook-cells.ts';
import type { BenchOptions } from './options.ts';
import type { PatternName } from './load/patterns.ts';
import { isPattern } from './scenarios.ts';

/** Creates a second that a small machine serves with room to spare: what latency is like then. */
const steadyRate = 300;

/** What a scenario measures, in its order: baselines first, since the others are compared with them. */
export function planOf(options: BenchOptions): readonly Cell[] {
  const { scenario } = options;
  if (isPattern(scenario)) return patternCells(options, scenario);
  switch (scenario) {
    case 'reads':
      return [
        signedCell(options, 'read'),
        ...(options.kind === undefined ? [readsCell(options)] : []),
        ...readCells(options),
      ];
    case 'reads-under-creates':
      return [steadyReadsCell(options, false), steadyReadsCell(options, true)];
    case 'in-flight':
      return inFlightCells(options);
    case 'idle':
      return [naiveIdleCell(options), idleCell(options)];
    case 'round-trips':
      return roundTripCells(options);
    case 'scale':
      return options.isKilling ? [killCell(options)] : scaleCells(options);
    case 'noisy-neighbour':
      return neighbourCells(options);
    case 'test-clock':
      return [testClockCell(options)];
    case 'webhooks':
      return webhookCells(options);
    case 'legs':
      return [postCell(options, 'uniform'), postLegsCell(options, 2), postLegsCell(options, 10)];
    case 'wallet-limits':
      return [postCell(options, 'uniform'), postLimitsCell(options)];
    case 'batches':
      return batchCells(options);
    case 'growth':
      return growthCells(options);
    case 'limits':
      return [insertManyCell(options), signedCell(options, 'create'), emptyJobsCell(options)];
    case 'peers':
      return peerCells(options);
    case 'table':
      return tableCells(options);
  }
}

function patternCells(options: BenchOptions, pattern: PatternName): readonly Cell[] {
  switch (options.mode) {
    case 'post':
      return [insertManyCell(options), naivePostCell(options, pattern), postCell(options, pattern)];
    case 'accept':
      return [insertManyCell(options), signedCell(options, 'create'), acceptCell(options, pattern)];
    case 'end-to-end':
      return [signedCell(options, 'create'), naiveEndToEndCell(options, pattern), endToEndCell(options, pattern)];
  }
}

function tableCells(options: BenchOptions): readonly Cell[] {
  const uniform = postCell(options, 'uniform');
  return [
    // Each right after what it is compared with: a machine has faster and slower minutes.
    emptyJobsCell(options),
    insertManyCell(options),
    naivePostCell(options, 'uniform'),
    uniform,
    naivePostCell(options, 'hot-target'),
    postCell(options, 'hot-target', [uniform.name]),
    postCell(options, 'hot-source', [uniform.name]),
    postCell(options, 'zipf', [uniform.name]),
    postCell(options, 'ab', [uniform.name]),
    postCell(options, 'unfunded', [uniform.name]),
    signedCell(options, 'create'),
    acceptCell(options, 'uniform'),
    naiveEndToEndCell(options, 'uniform'),
    endToEndCell(options, 'uniform'),
    endToEndCell({ ...options, rate: steadyRate }, 'uniform', []),
    ...inFlightCells(options),
    signedCell(options, 'read'),
    readsCell(options),
    naiveIdleCell(options),
    idleCell(options),
  ];
}
