import { Cluster } from 'ioredis';
import type { RedisClient } from './connection.ts';

/** How often a subscriber asks for what it is subscribed to, which changes nothing. */
const usualSubscribedAgainMs = 5_000;

/** The nodes of a cluster pass messages on to each other, so any node will do. */
export async function publish(redis: RedisClient, channel: string, message: string): Promise<void> {
  const nodes = redis instanceof Cluster ? redis.nodes().filter(({ status }) => status === 'ready') : [];
  await (nodes[Math.floor(Math.random() * nodes.length)] ?? redis).publish(channel, message);
}

/**
 * @param redis a subscriber's connection; others may have subscribed to other channels on it.
 * @param againEveryMs the pause between questions that only find out whether Redis still answers.
 */
export async function subscribe(
  redis: RedisClient,
  channel: string,
  onMessage: (message: string) => void,
  againEveryMs = usualSubscribedAgainMs,
): Promise<void> {
  redis.on('message', (of: string, message: string) => {
    if (of === channel) onMessage(message);
  });
  const again = (): void => {
    redis.subscribe(channel).catch(() => undefined);
  };
  redis.on('ready', again);
  // Without this nothing would be sent on the connection, and silence would not be noticed.
  const asking = setInterval(() => {
    if (redis.status === 'ready') again();
  }, againEveryMs).unref();
  redis.once('end', () => {
    clearInterval(asking);
  });
  await redis.subscribe(channel);
}

const changesOf = (prefix: string): string => `${prefix}:changed`;

/**
 * Tells every API process that something was changed that they remember. Best effort: caches expire anyway.
 * @param walletId if a client changed this wallet, and nothing else was changed.
 */
export async function announceChange(redis: RedisClient, prefix: string, walletId?: string): Promise<void> {
  await publish(redis, changesOf(prefix), walletId ?? '');
}

/**
 * @param redis a subscriber's connection. @param onChange told the wallet, if nothing else was changed.
 * @param againEveryMs see {@link subscribe}.
 */
export async function subscribeToChanges(
  redis: RedisClient,
  prefix: string,
  onChange: (walletId: string | undefined) => void,
  againEveryMs?: number,
): Promise<void> {
  const onMessage = (message: string): void => {
    onChange(message === '' ? undefined : message);
  };
  await subscribe(redis, changesOf(prefix), onMessage, againEveryMs);
}
