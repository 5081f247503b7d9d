import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type ClusterOptions, type RedisOptions } from 'ioredis';
import { SettingsError, type AdminSettings } from '../settings/config.ts';
import type { Logger } from '../log.ts';
import { parseRedisAddress, redisAddressForm, type RedisAddress } from '../settings/redis-address.ts';

/** A connection to one server, or those to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/** How a connection behaves while Redis is away. */
export type RedisPurpose =
  /** Commands of a request: they fail at once, and never hang longer than a second. */
  | 'request'
  /** A worker's or a subscriber's connection: it waits until Redis is back. */
  | 'background';

const backoffStepMs = 200;
const backoffMaxMs = 3_000;
const connectTimeoutMs = 5_000;
const keepAliveMs = 10_000;
/** How often a cluster is asked which node has which keys. It is also asked when a node says that it lacks some. */
const slotsRefreshMs = 5_000;
const slotsTimeoutMs = 1_000;
/** After this long a command is sent again if its keys are being moved, or no node has them. */
const clusterRetryMs = 100;
/** Together with {@link clusterRetryMs} less than the second that a request's command may take. */
const redirectionsMax = 8;
/**
 * Codes by which Redis refuses who connects: a wrong password or none, a user who may not, a server that others may not
 * reach. Waiting does not mend these. Source: Redis's `server.c` and `acl.c`.
 */
const refusals: ReadonlySet<string> = new Set(['WRONGPASS', 'NOAUTH', 'NOPERM', 'DENIED']);
/** Why a connection does not come about, as the driver says, since it last worked. */
const lastErrors = new WeakMap<RedisClient, Error>();
/**
 * A connection may stay open although the server, or something on the way to it, is gone. TCP alone notices that after a
 * quarter of an hour, or never. So a connection on which commands wait and nothing is heard is opened anew.
 */
const usualSilenceMaxMs = {
  /** After this long without a word from Redis, all commands of a request have failed. */
  request: 3_000,
  /** Longer than BullMQ has Redis wait for a job, which is 10 s at most. */
  background: 15_000,
};

/** The address of Redis and, with TLS, which certificates are accepted. */
export type RedisSettings = Pick<AdminSettings, 'REDIS_URL'> &
  Partial<Pick<AdminSettings, 'REDIS_TLS_CA' | 'REDIS_TLS_UNVERIFIED'>>;

const commandsByPurpose = {
  request: { maxRetriesPerRequest: 0, commandTimeout: 1_000 },
  background: { maxRetriesPerRequest: null },
} as const satisfies Record<RedisPurpose, RedisOptions>;

const clusterByPurpose = {
  request: {
    maxRedirections: redirectionsMax,
    // A command that may have been carried out is not sent again, because a request would find its own nonce spent.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
  },
  background: {
    maxRedirections: Infinity,
    retryDelayOnFailover: clusterRetryMs,
    retryDelayOnClusterDown: clusterRetryMs,
  },
} as const satisfies Record<RedisPurpose, ClusterOptions>;

/**
 * Opens a connection and waits until Redis answers. While Redis is away, ioredis tries again with backoff, and the log says
 * so. After that the connection repairs itself, also when a cluster fails over or moves keys between its nodes. Close it
 * with `disconnect()`. While a node of a cluster is away, only commands on that node's keys fail.
 * @param silenceMaxMs a connection on which commands wait is opened anew after so long a silence; the default suits `purpose`.
 * @throws the signal's reason; SettingsError the address is none, or Redis refuses its user or password.
 */
export async function connectRedis(
  settings: RedisSettings,
  purpose: RedisPurpose,
  log: Logger,
  signal: AbortSignal,
  silenceMaxMs = usualSilenceMaxMs[purpose],
): Promise<RedisClient> {
  const address = parseRedisAddress(settings.REDIS_URL);
  if (address === undefined) throw new SettingsError(`REDIS_URL is wrong: ${redisAddressForm}`);
  const tls = { ca: settings.REDIS_TLS_CA, rejectUnauthorized: settings.REDIS_TLS_UNVERIFIED !== true };
  const redis = open(address, tls, purpose, log, silenceMaxMs);
  await untilReady(redis, signal);
  if (redis instanceof Cluster) await Promise.allSettled(redis.nodes().map((node) => node.ping()));
  return redis;
}

/** Why a connection that worked once cannot come about again until its address is changed; undefined if it may. */
export function wrongAddressOf(redis: RedisClient): string | undefined {
  return refusalIn(lastErrors.get(redis))?.message;
}

/** Why a connection is away, as the driver says. */
export function whyAway(redis: RedisClient): string {
  return lastErrors.get(redis)?.message ?? 'not connected';
}

/** Whether Redis refuses who connects. @param error of an attempt to connect; of a cluster, that no node could be asked. */
function refusalIn(error: Error | undefined): SettingsError | undefined {
  if (error === undefined) return undefined;
  if ('lastNodeError' in error && error.lastNodeError instanceof Error) return refusalIn(error.lastNodeError);
  // An error's first word is its code. Source: Redis serialization protocol, "Simple errors".
  const [code = ''] = error.message.split(' ', 1);
  if (error.name !== 'ReplyError' || !refusals.has(code)) return undefined;
  return new SettingsError(`REDIS_URL is wrong: Redis refuses: ${error.message}`, { cause: error });
}

/** The servers behind a connection that have work of their own, to be asked whether they answer. */
export function mastersOf(redis: RedisClient): readonly Redis[] {
  return redis instanceof Cluster ? redis.nodes('master') : [redis];
}

/**
 * A part of the names of keys that one command uses together. On a cluster this part alone decides which node has them.
 * Source: Redis Cluster specification, "Hash tags".
 */
export function slotTag(redis: RedisClient, name: string): string {
  return redis instanceof Cluster ? `{${name}}` : name;
}

/** Without `lazyConnect`: BullMQ duplicates connections, and gives up a lazy one for good if its first attempt fails. */
function open(
  address: RedisAddress,
  tls: ConnectionOptions,
  purpose: RedisPurpose,
  log: Logger,
  silenceMaxMs: number,
): RedisClient {
  const enableOfflineQueue = purpose === 'background';
  const retry = (attempt: number): number => {
    const reason = whyAway(redis);
    log.warn({ server: 'redis', attempt, purpose, reason }, 'a connection to Redis failed; trying again');
    return Math.min(attempt * backoffStepMs, backoffMaxMs);
  };
  const options = {
    ...commandsByPurpose[purpose],
    socketTimeout: silenceMaxMs,
    connectTimeout: connectTimeoutMs,
    keepAlive: keepAliveMs,
    // Off, because nobody catches its failure, for example in a process that stops. `subscribe` of messages.ts does it instead.
    autoResubscribe: false,
    // A primary that was demoted behind the same name keeps its connections, and refuses every write on them. Before Redis
    // 7 a script's error has the word further behind.
    reconnectOnError: (error: Error) => error.message.includes('READONLY'),
    ...(address.isTls ? { tls } : {}),
  };
  const redis =
    address.kind === 'server'
      ? new Redis(address.url, { ...options, enableOfflineQueue, retryStrategy: retry })
      : openCluster(address, options, {
          ...clusterByPurpose[purpose],
          enableOfflineQueue,
          clusterRetryStrategy: retry,
        });
  redis.on('error', (error: Error) => {
    // A cluster's own error says no more than that no node could be asked; those of its nodes say why.
    if (redis instanceof Redis || refusalIn(error) !== undefined) lastErrors.set(redis, error);
  });
  redis.on('ready', () => lastErrors.delete(redis));
  if (redis instanceof Cluster) {
    watchNodes(redis, (error, node) => {
      lastErrors.set(redis, error);
      log.warn({ server: 'redis', node, reason: error.message, purpose }, 'a node of Redis is away; trying again');
    });
  }
  return redis;
}

function openCluster(
  { nodes, username, password }: RedisAddress & { kind: 'cluster' },
  options: Omit<RedisOptions, 'replyMapping'>,
  clusterOptions: ClusterOptions,
): Cluster {
  return new Cluster([...nodes], {
    ...clusterOptions,
    redisOptions: {
      ...options,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
    },
    // Off, because it takes a node that is still connecting for a cluster that is down.
    enableReadyCheck: false,
    retryDelayOnTryAgain: clusterRetryMs,
    slotsRefreshInterval: slotsRefreshMs,
    slotsRefreshTimeout: slotsTimeoutMs,
    // A name is not resolved here, because TLS compares it with the certificate.
    dnsLookup: (host, done) => {
      done(null, host);
    },
  });
}

/**
 * Connects to each node as soon as it is known. By default ioredis connects with the node's first command, refuses the next
 * ones until that is done, and while it is connected to none searches for a node to subscribe at without a pause.
 * @param onError called for each attempt that failed.
 */
function watchNodes(cluster: Cluster, onError: (error: Error, node: string) => void): void {
  cluster.on('+node', (node: Redis) => {
    setImmediate(() => {
      if (node.status === 'wait') node.connect().catch(() => undefined);
    });
  });
  // This only says that no node answered. The nodes' own errors say why.
  cluster.on('error', () => undefined);
  cluster.on('node error', (error: Error, node: string) => {
    // The error of a command. The connection's own error says why.
    if (error.message !== 'Connection is closed.') onError(error, node);
  });
}

async function untilReady(redis: RedisClient, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const abort = (): void => {
    redis.disconnect();
    reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  };
  const refuse = (error: Error): void => {
    const fault = refusalIn(error);
    if (fault === undefined) return;
    redis.disconnect();
    reject(fault);
  };
  signal.addEventListener('abort', abort, { once: true });
  redis.on('error', refuse);
  redis.once('ready', () => {
    resolve(undefined);
  });
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', abort);
    redis.off('error', refuse);
  }
}
