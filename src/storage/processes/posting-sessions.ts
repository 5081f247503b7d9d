import { Binary, type ClientSession, type Db, type MongoClient } from 'mongodb';
import { seeLatest } from '../shared/causality.ts';

export type PostingSession = ReturnType<typeof openSession>;
/** The `count` sessions in which a worker process posts. Source: MongoDB manual, "Server Sessions". */
export function openPostingSessions(client: MongoClient, count: number) {
  const sessions = Array.from({ length: count }, () => client.startSession());
  return {
    all: sessions.map((session) => openSession(client, session)),
    /** Their ids, as {@link endTransactions} takes them. */
    ids: sessions.flatMap(sessionIds),
    async end(): Promise<void> {
      await Promise.all(sessions.map((session) => session.endSession()));
    },
  };
}

/** The id of a session, as {@link endTransactions} takes it. */
export function sessionIds({ id }: ClientSession): string[] {
  return id === undefined ? [] : [id.id.toString('base64')];
}

/** Runs transactions, one at a time, which see what this client has read by `readBefore`. */
function openSession(client: MongoClient, session: ClientSession) {
  return {
    async run<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
      seeLatest(client, session);
      return work(session);
    },
  };
}

/**
 * Ends the transactions that sessions have left open, of whichever process. One that dies leaves its transaction open, and with
 * it the wallets that it wrote locked, for the server's whole transaction lifetime (60 s). A process that lives loses what it has
 * not committed, and nothing else: its sessions go on. What was committed stays.
 * @param ids of sessions, in base64. Source: MongoDB manual, "killSessions".
 */
export async function endTransactions(db: Db, ids: readonly string[]): Promise<void> {
  // With an empty list MongoDB would end every session of this user, in any process.
  if (ids.length === 0) return;
  await db.command({ killSessions: ids.map((id) => ({ id: Binary.createFromBase64(id, Binary.SUBTYPE_UUID) })) });
}
