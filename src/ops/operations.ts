import type { Clock } from '../clock.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { WebSettings } from '../config.ts';
import type { Logger } from '../log.ts';
import { isRedisUp, wrongAddressOf, type RedisClient, type RedisSettings } from '../redis/connection.ts';
import { tlsNodes } from '../redis-address.ts';
import type { ProcessReports } from '../storage/processes/reports.ts';
import type { Storage } from '../storage/shared/connection.ts';
import { watchCertificates } from './certificates.ts';
import { createHealth, type Health } from './health.ts';
import type { Observers } from './observers.ts';
import type { Pages } from './pages.ts';
import { startReporting } from './reports.ts';
import { startOpsServer } from './server.ts';

interface OperationsOptions {
  readonly kind: 'web' | 'worker';
  /** Names this start of the process to the others. */
  readonly instanceId: string;
  readonly settings: RedisSettings & Pick<WebSettings, 'OPS_HOST' | 'OPS_PORT' | 'OPS_TOKEN'>;
  readonly observers: Observers;
  readonly clock: Clock;
  readonly isDraining: () => boolean;
  readonly mongodb: Promise<Pick<Storage, 'isUp'>>;
  /**
   * The connection without which the process cannot do its work. It reconnects in its own time, so whether another one
   * works says nothing.
   */
  readonly redis: Promise<RedisClient>;
}

/** A setting that is checked against the database, again and again until it is right. */
interface CheckedSetting {
  /** See {@link Health}. */
  readonly wrongSetting: Health['wrongSetting'];
  readonly untilRight: (signal: AbortSignal) => Promise<void>;
}

/** What is to be seen of a process that has started. */
interface Work {
  readonly tlsHosts: Storage['tlsHosts'];
  /** See {@link Health}. */
  readonly wrongSetting: Health['wrongSetting'];
  /** The partitions that a worker consumes now. */
  readonly ownedPartitions?: () => readonly number[];
  /** Where it reports to the others. */
  readonly reports: ProcessReports;
}

const { version } = packageJson;

/**
 * Everything by which the operator sees a process: its operations port and, once it has started, its report to the others.
 * The port answers while MongoDB and Redis are still being connected to, so that a supervisor does not end a process that
 * waits for them. Close it before them, so that `/readyz` says that the process drains until it ends.
 */
export async function openOperations(options: OperationsOptions, log: Logger) {
  const { kind, instanceId, settings, observers, isDraining, clock } = options;
  const { metrics } = observers;
  let checked: CheckedSetting | undefined;
  let work: Work | undefined;
  let closeWork = (): Promise<unknown> => Promise.resolve();
  const mongodb = onceConnected(options.mongodb);
  const redisOfWork = onceConnected(options.redis);
  const health = createHealth(
    {
      mongodb: () => mongodb(({ isUp }) => isUp()) ?? Promise.resolve(false),
      redis: () => redisOfWork(isRedisUp) ?? Promise.resolve(false),
    },
    {
      isStarting: () => work === undefined,
      isDraining,
      wrongSetting: () => checked?.wrongSetting() ?? work?.wrongSetting() ?? redisOfWork(wrongAddressOf),
    },
    clock,
  );
  metrics.buildInfo.set({ process: kind, version, node: process.version }, 1);
  const { OPS_TOKEN: token, OPS_HOST: host, OPS_PORT: port } = settings;
  const server = await startOpsServer({ health, metrics, token, log }, host, port);
  return {
    port: server.port,
    health,
    /** Resolves once a setting is right. Until then `/readyz` says what is wrong with it. @throws AbortError. */
    async untilRight(setting: CheckedSetting, signal: AbortSignal): Promise<void> {
      checked = setting;
      await setting.untilRight(signal);
    },
    /** Reports to the others from now on, and shows the pages of the whole service if it is given them. Once. */
    begin(begun: Work, pages?: Pages): void {
      if (pages !== undefined) server.show(pages);
      const { reports, ownedPartitions = () => [] } = begun;
      const self = { id: instanceId, kind, startedAt: clock(), partitions: ownedPartitions };
      const reporting = startReporting(reports, self, observers);
      const certificates = watchCertificates(
        { mongodb: begun.tlsHosts, redis: () => tlsNodes(settings.REDIS_URL) },
        observers.certificateSeen,
      );
      closeWork = () => Promise.all([reporting.close(), certificates.close()]);
      work = begun;
    },
    async close(): Promise<void> {
      await closeWork();
      await server.close();
    },
  };
}

/** Asks a server; undefined before it is connected to. Where that fails, the process ends and says why. */
function onceConnected<Server>(connecting: Promise<Server>) {
  let server: Server | undefined;
  connecting.then(
    (connected) => {
      server = connected;
    },
    () => undefined,
  );
  return <Answer>(ask: (connected: Server) => Answer): Answer | undefined =>
    server === undefined ? undefined : ask(server);
}
