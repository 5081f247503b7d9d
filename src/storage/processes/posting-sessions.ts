import type { ClientSession, MongoClient } from 'mongodb';
import { seeLatest } from '../shared/causality.ts';

export type PostingSession = ReturnType<typeof openSession>;
export type PostingSessions = ReturnType<typeof openPostingSessions>;

/** The `count` sessions in which a worker process posts. Source: MongoDB manual, "Server Sessions". */
export function openPostingSessions(client: MongoClient, count: number) {
  const all = Array.from({ length: count }, () => openSession(client));
  return {
    all,
    /** All sessions that may hold a transaction, also old ones that a group still uses. */
    open: () => all.flatMap((session) => session.open()),
    /** Replaces the sessions. A group under way ends in the one in which it began. */
    renew(): void {
      // All are replaced before any is ended, because the driver would reuse an ended one.
      for (const session of all.flatMap((session) => session.renew())) void session.endSession();
    },
    async end(): Promise<void> {
      await Promise.all(all.flatMap((session) => session.open()).map((session) => session.endSession()));
    },
  };
}

/** Runs transactions, one at a time. */
function openSession(client: MongoClient) {
  let current = client.startSession();
  let inUse: ClientSession | undefined;
  return {
    /**
     * Runs `work` in this session, which sees what this client has read by `readBefore`. It keeps the same one to its end, even
     * if `renew` is called meanwhile.
     */
    async run<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
      const session = current;
      inUse = session;
      seeLatest(client, session);
      try {
        return await work(session);
      } finally {
        inUse = undefined;
        if (session !== current) await session.endSession();
      }
    },
    open: () => [...new Set([current, ...(inUse === undefined ? [] : [inUse])])],
    /** @returns the sessions that may be ended now. */
    renew(): ClientSession[] {
      const left = current;
      current = client.startSession();
      return left === inUse ? [] : [left];
    },
  };
}
