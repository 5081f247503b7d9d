import type { Clock } from '../clock.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { WorkerSettings } from '../settings/config.ts';
import type { Start } from '../lifecycle.ts';
import { tryToWrite, writeId } from '../queue/queue-id.ts';
import { whyAway, wrongAddressOf, type RedisClient, type RedisSettings } from '../redis/connection.ts';
import { tlsNodes } from '../settings/redis-address.ts';
import type { Rounds } from '../waiting/rounds.ts';
import { openProcessReports, type ProcessKind } from '../storage/processes/reports.ts';
import type { Queues } from '../storage/processes/queue-record.ts';
import type { Storage } from '../storage/shared/connection.ts';
import { watchCertificates } from './certificates.ts';
import { createHealth, startServerLog } from './health.ts';
import type { Observers } from './observers.ts';
import type { Pages } from './pages.ts';
import { startReporting } from './reports.ts';
import { startOpsServer } from './server.ts';

type Settings = RedisSettings &
  Pick<WorkerSettings, 'OPS_HOST' | 'OPS_PORT' | 'OPS_TOKEN' | 'MASTER_KEYS' | 'QUEUE_PREFIX'>;

/** The servers without which a process cannot do its work. */
interface Connecting {
  readonly mongodb: Promise<Pick<Storage, 'ping' | 'db'>>;
  /** The connection that its work uses. It reconnects in its own time, so whether another one works says nothing. */
  readonly redis: Promise<RedisClient>;
}

/** What is to be seen of a process that has started. */
interface Work {
  readonly tlsHosts: Storage['tlsHosts'];
  /** Those that all processes share. */
  readonly queues: Queues;
}

const { version } = packageJson;

/**
 * Everything by which the operator sees a process: its operations port and its reports to the others.
 * The port answers while MongoDB and Redis are still being connected to, so that a supervisor does not end a process that
 * waits for them. Close it before them, so that `/readyz` says that the process drains until it ends.
 */
export async function openOperations(
  kind: ProcessKind,
  { settings, instanceId, log, noteServer, signal, onAbandoned }: Start<Settings>,
  connecting: Connecting,
  observers: Observers,
  clock: Clock,
) {
  const { metrics } = observers;
  const mongodb = onceConnected(connecting.mongodb);
  const redis = onceConnected(connecting.redis);
  let work: Work | undefined;
  let startedAt: Date | undefined;
  const isStarting = (): boolean => work === undefined;
  const writeTo = (client: RedisClient): Promise<void> => {
    if (client.status !== 'ready') return notConnected(whyAway(client));
    return work === undefined ? tryToWrite(client, settings.QUEUE_PREFIX) : writeId(client, work.queues);
  };
  const health = createHealth(
    {
      mongodb: () => mongodb(({ ping }) => ping()) ?? notConnected(),
      redis: () => redis(writeTo) ?? notConnected(),
    },
    { isStarting, isDraining: () => signal.aborted, wrongSetting: () => redis(wrongAddressOf) },
    clock,
  );
  metrics.buildInfo.set({ process: kind, version, node: process.version }, 1);
  metrics.starting.set({ process: kind }, 1);
  const self = {
    ...{ id: instanceId, kind, version, servers: health.servers, startedAt: () => startedAt },
    startedWith: { masterKeyVersions: [...(settings.MASTER_KEYS?.keys() ?? [])] },
  };
  const reporting = startReporting(() => mongodb(({ db }) => openProcessReports(db)), self, observers);
  // One that is told to stop while it starts is not lost.
  onAbandoned(() => reporting.close());
  const rounds: Pick<Rounds, 'close'>[] = [startServerLog(health, { log, noteServer }, clock), reporting];
  const { OPS_TOKEN: token, OPS_HOST: host, OPS_PORT: port } = settings;
  const server = await startOpsServer({ health, metrics, token, log }, host, port);
  return {
    port: server.port,
    health,
    /** Is listed among the others from now on, and shows the pages of the whole service if it is given them. Once. */
    begin(begun: Work, pages?: Pages): void {
      work = begun;
      startedAt = clock();
      reporting.runNow();
      if (pages !== undefined) server.show(pages);
      const tlsServers = { mongodb: begun.tlsHosts, redis: () => tlsNodes(settings.REDIS_URL) };
      rounds.push(watchCertificates(tlsServers, observers.certificateSeen));
      metrics.starting.set({ process: kind }, 0);
    },
    async close(): Promise<void> {
      await Promise.all(rounds.map((each) => each.close()));
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

function notConnected(why = 'not connected'): Promise<never> {
  return Promise.reject(new Error(why));
}
