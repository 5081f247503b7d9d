import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { startRounds } from '../rounds.ts';
import { failoverMaxMs } from '../storage/failover.ts';
import type { Orders } from '../storage/orders.ts';

export interface BackPressure {
  /** @throws ServiceError UNAVAILABLE while new orders should not be taken. */
  readonly check: () => void;
  /** How many orders waited for a worker at the last look, up to one above the limit; undefined where it failed. */
  readonly pendingCount: () => number | undefined;
  close(): Promise<void>;
}

interface BackPressureTools {
  readonly orders: Orders;
  readonly log: Logger;
  /** How many orders may wait for a worker before new ones are refused; those set aside for the operator do not count. */
  readonly backlogMax: number;
}

const lookEveryMs = 1_000;
const roundMaxMs = 15_000;
/** MongoDB answering that question more slowly than this is away, or too busy for more orders. */
const latencyMaxMs = 2_000;
const retryAfterSeconds = 5;

/**
 * Looks once a second at how many orders wait and how fast MongoDB answers. Past a limit, creates are refused before
 * anything is stored; reads go on. An election is no reason: creates wait it out, so many as may. Where no look came back in
 * time for longer than that, they are refused at once. Orders are counted, up to the limit: their age would depend on the
 * clock of whoever took them.
 */
export function startBackPressure({ orders, log, backlogMax }: BackPressureTools): BackPressure {
  let toldReason: string | undefined;
  let pendingCount: number | undefined;
  let answeredAt = performance.now();

  async function look(): Promise<void> {
    const startedAt = performance.now();
    pendingCount = await orders.countWaiting(backlogMax + 1).catch(() => undefined);
    const now = performance.now();
    if (pendingCount !== undefined && now - startedAt <= latencyMaxMs) answeredAt = now;
  }

  function reason(): string | undefined {
    if (performance.now() - answeredAt > failoverMaxMs) return 'MongoDB is away or slow';
    return pendingCount !== undefined && pendingCount > backlogMax ? 'too many orders wait' : undefined;
  }

  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs,
    round: async () => {
      await look();
      const found = reason();
      if (found !== toldReason) {
        log.warn({ reason: found }, found === undefined ? 'taking orders again' : 'refusing orders');
      }
      toldReason = found;
    },
    onError: (error) => {
      log.error({ err: error }, 'looking for back-pressure failed');
    },
  });

  return {
    check() {
      if (reason() !== undefined) throw new ServiceError('UNAVAILABLE', { retryAfterSeconds });
    },
    pendingCount: () => pendingCount,
    close: () => rounds.close(),
  };
}
