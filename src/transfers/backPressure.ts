import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { startRounds } from '../rounds.ts';
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
/** MongoDB answering that question more slowly than this is too busy for more orders. */
const latencyMaxMs = 2_000;
const retryAfterSeconds = 5;

/**
 * Looks once a second at how many orders wait and how fast MongoDB answers. Past a limit, creates are refused before
 * anything is stored; reads go on. A look that fails or does not come back refuses as well. Orders are counted, up to the
 * limit: their age would depend on the clock of whoever took them.
 */
export function startBackPressure({ orders, log, backlogMax }: BackPressureTools): BackPressure {
  let reason: string | undefined;
  let pendingCount: number | undefined;
  let lookStartedAt: number | undefined;

  async function look(): Promise<string | undefined> {
    const startedAt = performance.now();
    lookStartedAt = startedAt;
    try {
      pendingCount = await orders.countWaiting(backlogMax + 1);
      if (performance.now() - startedAt > latencyMaxMs) return 'MongoDB is slow';
      return pendingCount > backlogMax ? 'too many orders wait' : undefined;
    } catch {
      pendingCount = undefined;
      return 'MongoDB is away';
    } finally {
      lookStartedAt = undefined;
    }
  }

  const rounds = startRounds({
    everyMs: lookEveryMs,
    roundMaxMs,
    round: async () => {
      const found = await look();
      if (found !== reason) {
        log.warn({ reason: found }, found === undefined ? 'taking orders again' : 'refusing orders');
      }
      reason = found;
    },
    onError: (error) => {
      log.error({ err: error }, 'looking for back-pressure failed');
    },
  });

  return {
    check() {
      const isHanging = lookStartedAt !== undefined && performance.now() - lookStartedAt > latencyMaxMs;
      if (reason !== undefined || isHanging) throw new ServiceError('UNAVAILABLE', { retryAfterSeconds });
    },
    pendingCount: () => pendingCount,
    close: () => rounds.close(),
  };
}
