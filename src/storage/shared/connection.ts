import { MongoClient, type MongoClientOptions, type TopologyDescription } from 'mongodb';
import { SettingsError } from '../../settings/config.ts';
import type { Logger } from '../../log.ts';
import { databaseOf } from '../../settings/mongodb-address.ts';
import { majorityJournaled } from './commands.ts';
import { retryUntil } from './start.ts';
import { faultOfAddress, refuseStandalone, wrongAddress } from './address.ts';
import { failWritesToClosed } from './writes-to-closed.ts';

export type Storage = Awaited<ReturnType<typeof connectStorage>>;

const usualPort = 27_017;
/** How long one attempt looks for a primary before it fails. A request makes several attempts (src/waiting/failover.ts). */
const serverSelectionTimeoutMs = 3_000;
const connectTimeoutMs = 5_000;
/** Longer than any operation of a request or a posting takes. A connection that hangs for longer is dropped. */
const socketTimeoutMs = 10_000;
const poolSizeMax = 32;
/** How long an operation waits for a connection of the pool. */
const waitQueueTimeoutMs = 5_000;
/**
 * On a sharded cluster, the permits of the batches that record orders, and as many again of the batches that read; a key's
 * look-up needs none. Few of one workspace, because what arrives meanwhile joins the next batch. A batch that hangs keeps its
 * permit until its connection is dropped, after {@link socketTimeoutMs}; the overflow is for those that begin until then.
 */
export const batchPermits = { permits: 48, slowPermits: 64, overflow: 400, permitsOfKey: 2 } as const;
/** The same for what owners ask of their webhooks: more of one workspace, because these are no batches. */
export const webhookPermits = { permits: 32, slowPermits: 32, permitsOfKey: 8 } as const;
/**
 * So many that all of {@link batchPermits}, of creates and of reads, and the counts of back-pressure may hang at a shard without
 * a primary while other shards are asked. More than {@link poolSizeMax} are in use only then.
 */
const manyConnections = { maxPoolSize: 1_120, maxConnecting: 8 } as const;
/**
 * One connection for each list that is read at once, because a list sends one command after the other. By the name an
 * operator tells their operations from all others.
 */
const ofLists = { appName: 'signed-wallet-transfers lists', maxPoolSize: 32 } as const;

/**
 * Connects to the replica set. While that is away, tries again with backoff, and says so, until `signal` aborts.
 *
 * Writes are acknowledged by a majority, journaled; reads see only what a majority holds, so that a state once read is
 * never rolled back. Source: MongoDB manual, "Read Concern majority", "Write Concern".
 * @param hungAfterMs a connection on which an answer takes longer is dropped; the default suits requests and postings.
 * @param limits that differ from those of requests and postings.
 * @throws the signal's reason; SettingsError the address is wrong, so that waiting does not help.
 */
export async function connectStorage(
  uri: string,
  log: Logger,
  signal: AbortSignal,
  hungAfterMs = socketTimeoutMs,
  limits: MongoClientOptions = {},
) {
  const whileAway = {
    shouldRetry: (error: Error) => !(error instanceof SettingsError),
    message: 'connecting to MongoDB failed; trying again',
  };
  const client = await retryUntil(() => openClient(uri, hungAfterMs, limits), whileAway, log, signal);
  const db = client.db(databaseOf(uri));
  return {
    client,
    db,
    /** Resolves if the primary answers. @throws why it does not. */
    ping: (): Promise<unknown> => db.command({ ping: 1 }),
    /** The servers that the address names, for their TLS certificates; empty without TLS. */
    tlsHosts: () =>
      client.options.tls
        ? client.options.hosts.flatMap(({ host, port = usualPort }) => (host === undefined ? [] : { host, port }))
        : [],
    close: () => client.close(),
  };
}

/** {@link connectStorage} for requests: those of a shard without a primary hang, and must not use up the connections. */
export function connectForRequests(uri: string, log: Logger, signal: AbortSignal): Promise<Storage> {
  return connectStorage(uri, log, signal, socketTimeoutMs, manyConnections);
}

/** {@link connectStorage} for lists and counts alone, so that a slow one keeps no create and no key look-up waiting. */
export function connectForLists(uri: string, log: Logger, signal: AbortSignal): Promise<Storage> {
  return connectStorage(uri, log, signal, socketTimeoutMs, ofLists);
}

/** One attempt to connect. @throws SettingsError the address is wrong; else the driver's error. */
export async function openClient(
  uri: string,
  hungAfterMs: number,
  limits: MongoClientOptions = {},
): Promise<MongoClient> {
  const client = createClient(uri, hungAfterMs, limits);
  let topology: TopologyDescription | undefined;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    topology = newDescription;
  });
  try {
    await client.connect();
    await client.db('admin').command({ ping: 1 });
    refuseStandalone([...(topology?.servers.values() ?? [])]);
    client.removeAllListeners('topologyDescriptionChanged');
    return client;
  } catch (error) {
    await client.close();
    throw faultOfAddress(error) ?? error;
  }
}

/**
 * A client that connects with its first operation.
 * @param uri whose options do not weaken what the service guarantees: the settings are judged for that (mongodb-address.ts).
 * @throws SettingsError the driver cannot parse the address.
 */
export function createClient(uri: string, hungAfterMs: number, limits: MongoClientOptions = {}): MongoClient {
  const options = {
    appName: 'signed-wallet-transfers',
    writeConcern: majorityJournaled,
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    serverSelectionTimeoutMS: serverSelectionTimeoutMs,
    connectTimeoutMS: connectTimeoutMs,
    socketTimeoutMS: hungAfterMs,
    maxPoolSize: poolSizeMax,
    waitQueueTimeoutMS: waitQueueTimeoutMs,
    ignoreUndefined: true,
    // A driver wrote what is read, and validated it then.
    enableUtf8Validation: false,
    ...failWritesToClosed,
    ...limits,
  } as const;
  try {
    return new MongoClient(uri, options);
  } catch (error) {
    // No server has been asked yet, so the address must be at fault.
    throw wrongAddress(error);
  }
}
