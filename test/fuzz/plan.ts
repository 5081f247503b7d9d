import fc from 'fast-check';
import { createChoices, type Choices } from '../faults/harness/choices.ts';
import { buildRequest, type BuildContext, type FuzzRequest } from './build.ts';
import type { Drafts } from './drafts/all.ts';

/** How the requests of a connection are sent. */
export const deliveries = [
  'pipelined',
  'in turn',
  'in pieces',
  'byte by byte',
  'half-closed',
  'cut',
  'unread',
  'stalled',
] as const;
export type Delivery = (typeof deliveries)[number];

/** Some requests that follow each other, by number, and how they are sent. */
export interface Exchange {
  first: number;
  count: number;
  delivery: Delivery;
  seed: number;
}

/** Until then nothing is held open: memory is measured against what is in use after these. */
export const warmUpRequests = 2_000;

const shares: readonly { delivery: Delivery; percent: number; count: readonly [number, number] }[] = [
  { delivery: 'pipelined', percent: 38, count: [1, 40] },
  { delivery: 'in turn', percent: 20, count: [1, 16] },
  { delivery: 'in pieces', percent: 16, count: [1, 10] },
  { delivery: 'byte by byte', percent: 6, count: [1, 1] },
  { delivery: 'half-closed', percent: 6, count: [1, 8] },
  { delivery: 'cut', percent: 12, count: [1, 8] },
  { delivery: 'stalled', percent: 1, count: [1, 1] },
  { delivery: 'unread', percent: 1, count: [40, 160] },
];
const isHeld = (delivery: Delivery): boolean => delivery === 'unread' || delivery === 'stalled';
const repeatedPercent = 2;
const seedMax = 0x7fffffff;

/** The exchanges of a seed, in their order; the same whatever number of requests is asked for, but for the last one. */
export function* planExchanges(seed: number, requests: number): Generator<Exchange> {
  const choices = createChoices(seed);
  for (let first = 0; first < requests;) {
    const share = pickShare(choices);
    const [min, max] = share.count;
    const wanted = choices.whole(min, max);
    const exchangeSeed = choices.whole(0, seedMax);
    const delivery = first < warmUpRequests && isHeld(share.delivery) ? 'in turn' : share.delivery;
    const count = Math.min(wanted, requests - first);
    yield { first, count, delivery, seed: exchangeSeed };
    first += count;
  }
}

function pickShare(choices: Choices): (typeof shares)[number] {
  let left = choices.whole(
    1,
    shares.reduce((sum, { percent }) => sum + percent, 0),
  );
  return shares.find(({ percent }) => (left -= percent) <= 0) ?? shares[0]!;
}

/** The requests of an exchange, by the connections that carry them: each ends with what may break its framing. */
export function buildExchange(
  { first, count, delivery, seed }: Exchange,
  drafts: Drafts,
  context: Omit<BuildContext, 'number'>,
): FuzzRequest[][] {
  const choices = createChoices(seed);
  const connections: FuzzRequest[][] = [];
  let isOpen = false;
  for (const [index, draft] of fc
    .sample(delivery === 'unread' ? drafts.large : drafts.any, { numRuns: count, seed })
    .entries()) {
    const before: FuzzRequest | undefined = isOpen ? connections.at(-1)?.at(-1) : undefined;
    const number = first + index;
    const isRepeated = choices.chance(repeatedPercent) && before !== undefined;
    const request: FuzzRequest = isRepeated
      ? { ...before, number, kind: 'repeated' as const }
      : buildRequest(draft, { ...context, number });
    if (isOpen) connections.at(-1)?.push(request);
    else connections.push([request]);
    isOpen = request.isFramed;
  }
  return connections;
}
