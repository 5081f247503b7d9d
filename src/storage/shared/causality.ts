import type { ClientSession, MongoClient } from 'mongodb';

/**
 * The latest time of what each client of MongoDB has read. Its transactions begin no earlier, so that they see what they judge
 * by, whichever routers they go through. On a sharded cluster a snapshot is only as new as its router knows, and another router
 * may have acknowledged or shown more; a replica set's primary has all of it anyway. What a client of the API was told by
 * another process has to be read in this one before the transaction. Costs no round trip.
 * Source: MongoDB manual, "Causal Consistency", "Read Concern snapshot and afterClusterTime".
 */
const latest = new WeakMap<MongoClient, Required<Pick<ClientSession, 'operationTime' | 'clusterTime'>>>();

/**
 * Reads in a session of its own, in which each command sees what the one before has shown, and so do this client's
 * transactions from then on.
 * @throws what `read` throws.
 */
export function readBefore<T>(client: MongoClient, read: (session: ClientSession) => Promise<T>): Promise<T> {
  return client.withSession(async (session) => {
    const result = await read(session);
    keepLatest(client, session);
    return result;
  });
}

/** What a session's transactions from now on see: at least what this client has read. */
export function seeLatest(client: MongoClient, session: ClientSession): void {
  const { operationTime, clusterTime } = latest.get(client) ?? {};
  if (operationTime === undefined || clusterTime === undefined) return;
  session.advanceOperationTime(operationTime);
  // A server refuses an operation time that is ahead of all that it knows of, so it is told. (The driver's own function for this
  // takes no time that is not signed, and a server without authentication need not sign it.)
  const sessionTime = session.clusterTime?.clusterTime;
  if (sessionTime === undefined || clusterTime.clusterTime.greaterThan(sessionTime)) session.clusterTime = clusterTime;
}

/** What later transactions of this client see: at least what this session has seen. */
export function keepLatest(client: MongoClient, session: ClientSession): void {
  const { operationTime, clusterTime } = session;
  if (operationTime === undefined || clusterTime === undefined) return;
  const last = latest.get(client);
  if (last === undefined || operationTime.greaterThan(last.operationTime))
    latest.set(client, { operationTime, clusterTime });
}
