import { recordUsualCurrencies } from './accepting/currencies.ts';
import { checkMasterKeys } from './auth/master-keys.ts';
import { SettingsError, type WorkerSettings } from './settings/config.ts';
import type { Start } from './lifecycle.ts';
import { agreeOnQueues } from './queue/queue-id.ts';
import type { RedisClient } from './redis/connection.ts';
import type { Collections } from './storage/collections.ts';
import type { Queues } from './storage/processes/queue-record.ts';
import { bringUp, retryUntil } from './storage/shared/start.ts';

type Shared = Pick<WorkerSettings, 'MASTER_KEYS' | 'QUEUE_PREFIX'>;

/**
 * Compares, once, when a process starts, what all processes have to share with what the database has, and records what it has
 * not yet: master keys, and which Redis and prefix the queues have; and the usual currencies. While a server is away, it tries again.
 * @param redis its commands fail within a second.
 * @returns the queues.
 * @throws WrongSettingError this process differs; the signal's reason.
 */
export async function agreeOnSettings(
  { settings, instanceId, log, signal }: Pick<Start<Shared>, 'settings' | 'instanceId' | 'log' | 'signal'>,
  redis: RedisClient,
  collections: Collections,
): Promise<Queues> {
  const { MASTER_KEYS, QUEUE_PREFIX: prefix } = settings;
  await bringUp(() => recordUsualCurrencies(collections.currencyRecord), log, signal);
  if (MASTER_KEYS !== undefined) await bringUp(() => checkMasterKeys(MASTER_KEYS, collections), log, signal);
  const whileAway = {
    shouldRetry: (error: Error) => !(error instanceof SettingsError),
    message: 'the queues could not be compared; trying again',
  };
  return retryUntil(() => agreeOnQueues({ redis, prefix }, instanceId, collections), whileAway, log, signal);
}
