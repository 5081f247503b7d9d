import { timeOfId } from '../domain/ids.ts';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { startRounds } from '../rounds.ts';
import type { Orders } from '../storage/orders.ts';

export interface BackPressure {
  /** @throws ServiceError UNAVAILABLE while new orders should not be taken. */
  readonly check: () => void;
  close(): Promise<void>;
}

interface BackPressureTools {
  readonly orders: Orders;
  readonly log: Logger;
  /** How old the oldest waiting order may be, in seconds, before new ones are refused. */
  readonly backlogSecondsMax: number;
}

const lookEveryMs = 1_000;
/** MongoDB answering a one-document query more slowly than this is too busy for more orders. */
const latencyMaxMs = 2_000;
const retryAfterSeconds = 5;

/**
 * Looks once a second at how old the oldest waiting order is and how fast MongoDB answers. Past a limit, creates are
 * refused before anything is stored; reads go on. A look that fails or does not come back refuses as well.
 */
export function startBackPressure({ orders, log, backlogSecondsMax }: BackPressureTools): BackPressure {
  let reason: string | undefined;
  let lookStartedAt: number | undefined;

  async function look(): Promise<string | undefined> {
    const startedAt = performance.now();
    lookStartedAt = startedAt;
    try {
      const oldestId = await orders.oldestWaitingId();
      if (performance.now() - startedAt > latencyMaxMs) return 'MongoDB is slow';
      const ageMs = oldestId === undefined ? 0 : Date.now() - timeOfId('order', oldestId).getTime();
      return ageMs > backlogSecondsMax * 1000 ? 'the backlog is too old' : undefined;
    } catch {
      return 'MongoDB is away';
    } finally {
      lookStartedAt = undefined;
    }
  }

  const rounds = startRounds({
    everyMs: lookEveryMs,
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
    close: () => rounds.close(),
  };
}
