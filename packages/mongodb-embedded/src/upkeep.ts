import type { Engine } from './commands/context.ts';
import { execute } from './query/execute.ts';
import type { Value } from './semantics/values.ts';
import type { Collection, Index } from './storage/collection.ts';
import { WriteBlocked } from './storage/transaction.ts';

const sweepEveryMs = 2_000;
const cursorLifetimeMs = 600_000;
const sessionLifetimeMs = 1_800_000;
const expiredMax = 1_000;

/** Removes what has had its time: documents under TTL indexes, idle cursors, old sessions. Gives the way to stop. */
export function startUpkeep(engine: Engine): () => void {
  let sessionsSweptAt = Date.now();
  const sweep = (): void => {
    const now = Date.now();
    for (const [id, { usedAt, session }] of engine.cursors) {
      // A cursor of a session lives as long as the session does.
      if (now - usedAt > (session === undefined ? cursorLifetimeMs : sessionLifetimeMs)) engine.cursors.delete(id);
    }
    for (const collection of engine.catalog.all()) {
      for (const index of collection.indexes) expire(engine, collection, index, now);
    }
    if (now - sessionsSweptAt < sessionLifetimeMs / 10) return;
    engine.sessions.forgetBefore(now - sessionLifetimeMs);
    sessionsSweptAt = now;
  };
  const timer = setInterval(() => {
    try {
      sweep();
    } catch (error) {
      if (!engine.isDiskFailure(error)) throw error;
    }
  }, sweepEveryMs).unref();
  return () => {
    clearInterval(timer);
  };
}

/** Deletes expired documents; those that an open transaction has written are left for the next time. */
function expire(engine: Engine, collection: Collection, index: Index, now: number): void {
  const seconds: Value = index.spec['expireAfterSeconds'];
  const [path] = index.paths;
  if (seconds === undefined || path === undefined) return;
  const filter = { [path]: { $lte: new Date(now - Number(seconds) * 1000) } };
  const { store, versions, transactions } = engine;
  const source = { store, versions, collection, view: () => undefined, lastCommit: transactions.lastCommit };
  const { rows } = execute(source, { filter, sort: {}, hint: index.name, hasCollation: false }, undefined);
  const unit = transactions.begin(true);
  try {
    let taken = 0;
    for (const { record, version } of rows) {
      if (++taken > expiredMax) break;
      try {
        transactions.write(unit, collection, { record, before: version, after: undefined });
      } catch (error) {
        if (!(error instanceof WriteBlocked)) throw error;
      }
    }
    transactions.commit(unit);
  } finally {
    transactions.abort(unit);
  }
}
