import packageJson from '../../package.json' with { type: 'json' };
import type { WebSettings } from '../config.ts';
import type { RunningServer } from '../http/server.ts';
import { instanceId } from '../instance.ts';
import type { Logger } from '../log.ts';
import { connectRedis, isRedisUp, type RedisClient, type RedisSettings } from '../redis/connection.ts';
import { tlsNodes } from '../redis-address.ts';
import type { Storage } from '../storage/connection.ts';
import { watchCertificates } from './certificates.ts';
import { createHealth, type Health } from './health.ts';
import type { Observers } from './observers.ts';
import { startReporting } from './reports.ts';
import { startOpsServer } from './server.ts';
import type { createServicePages } from './service-pages.ts';

interface OperationsOptions {
  readonly kind: 'web' | 'worker';
  readonly settings: RedisSettings & Pick<WebSettings, 'QUEUE_PREFIX' | 'OPS_HOST' | 'OPS_PORT' | 'OPS_TOKEN'>;
  readonly mongodb: Pick<Storage, 'isUp' | 'tlsHosts'>;
  /**
   * The connection without which the process cannot do its work. It reconnects in its own time, so whether another one
   * works says nothing.
   */
  readonly redis: RedisClient;
  readonly observers: Observers;
  readonly isDraining: () => boolean;
  /** See {@link Health}. */
  readonly wrongSetting?: Health['wrongSetting'];
  /** The partitions that a worker consumes now. */
  readonly ownedPartitions?: () => readonly number[];
  /** For a process that shows the whole service; absent if it answers only for itself. */
  readonly startPages?: ReturnType<typeof createServicePages>;
}

const { version } = packageJson;

/**
 * Everything by which the operator sees a process: its report to the others, and its operations port. These have a Redis
 * connection of their own. Close it before MongoDB and Redis, so that `/readyz` says that the process drains until it ends.
 */
export async function startOperations(
  options: OperationsOptions,
  log: Logger,
  signal: AbortSignal,
): Promise<RunningServer> {
  const { kind, settings, mongodb, observers, isDraining } = options;
  const { ownedPartitions = () => [], wrongSetting = () => undefined } = options;
  const prefix = settings.QUEUE_PREFIX;
  const redis = await connectRedis(settings, 'request', log, signal);
  const health = createHealth(
    { mongodb: mongodb.isUp, redis: () => isRedisUp(options.redis) },
    { isDraining, wrongSetting },
  );
  const pages = options.startPages?.({ redis, health });
  const { metrics } = observers;
  metrics.buildInfo.set({ process: kind, version, node: process.version }, 1);
  const server = await startOpsServer(
    { health, metrics, token: settings.OPS_TOKEN, log, ...(pages === undefined ? {} : { pages }) },
    settings.OPS_HOST,
    settings.OPS_PORT,
  );
  const reporting = startReporting(redis, prefix, { id: instanceId, kind, partitions: ownedPartitions }, observers);
  const certificates = watchCertificates(
    { mongodb: mongodb.tlsHosts, redis: () => tlsNodes(settings.REDIS_URL) },
    observers.certificateSeen,
  );
  return {
    port: server.port,
    async close() {
      await Promise.all([reporting.close(), certificates.close(), pages?.close()]);
      redis.disconnect();
      await server.close();
    },
  };
}
