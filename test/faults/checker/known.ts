import type { Told } from '../harness/sent.ts';
import { countSettled, type Histories } from './histories.ts';
import { isEnd, walletPath, type Telling } from './tellings.ts';

/**
 * What was proved by any answer or webhook, and when it was told. Whoever asks later, whichever client it is and whichever
 * process answers, is told no less. Times are those of the harness's monotonic clock.
 */
export interface Known {
  /** When an order was first told of; Infinity if never. */
  existsSince(orderId: string): number;
  /** When it was first told that an order had ended, or a flow of it. */
  endedSince(orderId: string): number;
  /** The latest time at which an order had not ended yet, as answers show; -Infinity if none does. */
  openUntil(orderId: string): number;
  /** The greatest sequence of a wallet that was told of before a time. */
  sequenceAt(walletId: string, askedAtMs: number): number;
}

interface Sequence {
  walletId: string;
  sequence: number;
}

/**
 * Goes through all that was told in the order in which it came. Flows come without a gap, and those of an order all at once. So a
 * flow proves those before it and its order, and a COMPLETED order proves its flows, on each of its wallets.
 */
export function knownOf(histories: Histories, told: readonly Told[], tellings: readonly Telling[]): Known {
  const [existsAt, endedAt, openAt]: [Times, Times, Times] = [new Map(), new Map(), new Map()];
  const proved = new Map<string, { toldAtMs: number; sequence: number }[]>();
  const flowsOf = Map.groupBy(
    [...histories.wallets.values()].flatMap(({ flows }) => flows),
    ({ transferId }) => String(transferId),
  );
  const sequencesOf = (orderId: string): Sequence[] =>
    (flowsOf.get(orderId) ?? []).map((flow) => ({
      walletId: String(flow['walletId']),
      sequence: Number(flow['sequence']),
    }));

  function prove(sequences: Sequence[], toldAtMs: number): void {
    const todo = [...sequences];
    // What one proves is added, and proves more.
    for (const { walletId, sequence } of todo) {
      const ofWallet = proved.get(walletId) ?? [];
      const before = ofWallet.at(-1)?.sequence ?? 0;
      if (sequence <= before) continue;
      proved.set(walletId, ofWallet);
      ofWallet.push({ toldAtMs, sequence });
      for (const { transferId } of histories.wallets.get(walletId)?.flows.slice(before, sequence) ?? []) {
        const id = String(transferId);
        for (const times of [existsAt, endedAt]) noteFirst(times, id, toldAtMs);
        todo.push(...sequencesOf(id));
      }
    }
  }

  const events = [
    ...tellings.map((telling) => ({ toldAtMs: telling.toldAtMs, telling })),
    ...told.map((each) => ({ toldAtMs: each.toldAtMs, sequences: sequencesIn(histories, each) })),
  ];
  for (const event of events.toSorted((a, b) => a.toldAtMs - b.toldAtMs)) {
    const { toldAtMs } = event;
    if ('sequences' in event) {
      prove(event.sequences, toldAtMs);
      continue;
    }
    const { order, askedAtMs, created } = event.telling;
    const id = String(order['transferId']);
    noteFirst(existsAt, id, toldAtMs);
    if (isEnd(order['status'])) noteFirst(endedAt, id, toldAtMs);
    if (order['status'] === 'COMPLETED') prove(sequencesOf(id), toldAtMs);
    if (!isEnd(order['status']) || created?.isReplay === false)
      openAt.set(id, Math.max(askedAtMs, openAt.get(id) ?? -Infinity));
  }
  return {
    existsSince: (id) => existsAt.get(id) ?? Infinity,
    endedSince: (id) => endedAt.get(id) ?? Infinity,
    openUntil: (id) => openAt.get(id) ?? -Infinity,
    sequenceAt: (id, askedAtMs) => proved.get(id)?.findLast(({ toldAtMs }) => toldAtMs < askedAtMs)?.sequence ?? 0,
  };
}

type Times = Map<string, number>;

function noteFirst(times: Times, id: string, atMs: number): void {
  if (!times.has(id)) times.set(id, atMs);
}

/** What an answer about a wallet shows of its flows: one of them, how many there are, or that those up to a time are final. */
function sequencesIn({ wallets }: Histories, { path, data }: Told): Sequence[] {
  const { id: walletId = '', what } = walletPath.exec(path)?.groups ?? {};
  const history = wallets.get(walletId);
  if (history === undefined || what === undefined) return [];
  const {
    sequence,
    settledUntil,
    items = [],
  } = data as {
    sequence?: unknown;
    settledUntil?: unknown;
    items?: { sequence: unknown }[];
  };
  const shown = [sequence ?? 0, ...items.map((item) => item.sequence)].map(Number);
  if (settledUntil !== undefined) shown.push(countSettled(history, settledUntil));
  return [{ walletId, sequence: Math.min(history.flows.length, Math.max(...shown)) }];
}
