import { CommandError } from '../errors.ts';
import type { ClientTransaction, Sessions } from './sessions.ts';

/** Who may use a collection while another command needs it for itself. */
export interface Locks {
  /** For a command outside a transaction: waits while somebody waits for the collection or has it for himself. */
  share(ns: string, deadline: number | undefined): Promise<void>;
  /** For a statement in a transaction: keeps the collection until its end. Throws 24 (LockTimeout) instead of waiting. */
  hold(transaction: ClientTransaction, ns: string): void;
  /** Waits until no open transaction uses the collection (or any of the database), then runs the work. */
  exclusive<T>(scope: string, deadline: number | undefined, work: () => T | Promise<T>): Promise<T>;
}

/**
 * Collection locks as far as they can be seen from outside (recordings: transactions, "drop waits" and others): data
 * commands share, drop and index builds exclude. A transaction never waits behind a waiting exclusive lock, for it
 * might wait for itself.
 */
export function createLocks(sessions: Sessions): Locks {
  const waiting = new Map<string, Promise<unknown>>();
  const blockers = (ns: string): Promise<unknown>[] =>
    [...waiting].filter(([scope]) => covers(scope, ns)).map(([, done]) => done);
  return {
    async share(ns, deadline) {
      for (let [blocker] = blockers(ns); blocker !== undefined; [blocker] = blockers(ns))
        await before(deadline, blocker);
    },
    hold(transaction, ns) {
      if (transaction.namespaces.has(ns)) return;
      if (blockers(ns).length > 0)
        throw new CommandError(24, `Unable to acquire lock '{Collection, ${ns}}' within 5ms.`);
      transaction.namespaces.add(ns);
    },
    async exclusive(scope, deadline, work) {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      for (let earlier = waiting.get(scope); earlier !== undefined; earlier = waiting.get(scope)) {
        await before(deadline, earlier);
      }
      waiting.set(scope, promise);
      try {
        for (;;) {
          const user = sessions.open().find(({ namespaces }) => [...namespaces].some((ns) => covers(scope, ns)));
          if (user === undefined) return await work();
          await before(deadline, user.unit.ended);
        }
      } finally {
        waiting.delete(scope);
        resolve(undefined);
      }
    },
  };
}

/** Waits for something until a deadline (milliseconds since the epoch), then throws 50 (MaxTimeMSExpired). */
export async function before<T>(deadline: number | undefined, awaited: Promise<T>): Promise<T> {
  if (deadline === undefined) return awaited;
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => {
      reject(new CommandError(50, 'operation exceeded time limit'));
    },
    Math.max(0, deadline - Date.now()),
  );
  try {
    return await Promise.race([awaited, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A scope is a collection, or a whole database when it has no dot. */
function covers(scope: string, ns: string): boolean {
  return scope === ns || (!scope.includes('.') && ns.startsWith(`${scope}.`));
}
