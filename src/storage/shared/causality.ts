import type { ClientSession, MongoClient } from 'mongodb';

/**
 * What was read is seen by the transactions that judge by it, whichever routers they go through. On a sharded cluster a
 * transaction's snapshot is as new as its router knows, which may be a moment less than what another router has just
 * acknowledged or shown; a replica set's primary has all of it anyway. So each client of MongoDB keeps the latest time of what
 * was read with it, and its transactions begin no earlier. What a client of the API was told in another process is read first
 * in this one, by whatever has to see it. Costs no round trip.
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
