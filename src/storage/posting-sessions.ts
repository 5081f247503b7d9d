import type { ClientSession, MongoClient } from 'mongodb';

export type PostingSession = ReturnType<typeof openSession>;
export type PostingSessions = ReturnType<typeof openPostingSessions>;

/** The sessions in which a worker process posts, so many. Source: MongoDB manual, "Server Sessions". */
export function openPostingSessions(client: MongoClient, count: number) {
  const all = Array.from({ length: count }, () => openSession(client));
  return {
    all,
    /** All that may hold a transaction, those that are being left too. */
    open: () => all.flatMap((session) => session.open()),
    /** Goes on in new sessions; a group under way ends in the one in which it began. */
    renew(): void {
      // All are replaced before any is ended: the driver gives out the ended ones again.
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
    /** Gives `work` a session of its own, the same until it has ended. */
    async run<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
      const session = current;
      inUse = session;
      try {
        return await work(session);
      } finally {
        inUse = undefined;
        if (session !== current) await session.endSession();
      }
    },
    open: () => [...new Set([current, ...(inUse === undefined ? [] : [inUse])])],
    /** @returns what may be ended now. */
    renew(): ClientSession[] {
      const left = current;
      current = client.startSession();
      return left === inUse ? [] : [left];
    },
  };
}
