import { Redis } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import type { Logger } from '../log.ts';

const backoffStepMs = 200;
const backoffMaxMs = 3_000;
const connectTimeoutMs = 5_000;
const keepAliveMs = 10_000;

/** How a connection behaves when Redis is away. */
export type RedisPurpose =
  /** Commands of a request: they fail at once, and never hang longer than a second. */
  | 'request'
  /** A worker's or a subscriber's connection: it waits until Redis is back. */
  | 'background';

const optionsByPurpose = {
  request: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 1_000, enableAutoPipelining: true },
  background: { maxRetriesPerRequest: null },
} as const satisfies Record<RedisPurpose, RedisOptions>;

/**
 * Opens a connection and waits until Redis answers; while it is away, ioredis keeps trying with backoff, and the log
 * says so. After that the connection mends itself; `close()` it with `disconnect()`.
 * @throws the signal's reason.
 */
export async function connectRedis(
  url: string,
  purpose: RedisPurpose,
  log: Logger,
  signal: AbortSignal,
): Promise<Redis> {
  let reason: string | undefined;
  const redis = new Redis(url, {
    ...optionsByPurpose[purpose],
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    keepAlive: keepAliveMs,
    // A primary that was demoted behind the same name keeps its connections, and refuses every write on them.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    retryStrategy: (attempt) => {
      const delayMs = Math.min(attempt * backoffStepMs, backoffMaxMs);
      log.warn({ attempt, delayMs, purpose, reason }, 'Redis is away; trying again');
      return delayMs;
    },
  });
  redis.on('error', (error: Error) => {
    reason = error.message;
    log.debug({ reason: error.message, purpose }, 'Redis connection failed');
  });
  await untilReady(redis, signal);
  return redis;
}

/** Whether Redis answers; never throws. */
export async function isRedisUp(redis: Redis): Promise<boolean> {
  return redis.ping().then(
    () => true,
    () => false,
  );
}

/** The first `connect()` may fail while the connection goes on trying: what counts is that it becomes ready. */
async function untilReady(redis: Redis, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const abort = (): void => {
    redis.disconnect();
    reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  };
  signal.addEventListener('abort', abort, { once: true });
  redis.once('ready', () => {
    resolve(undefined);
  });
  redis.connect().catch(() => undefined);
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
