import pTimeout from 'p-timeout';
import type { Clock } from '../clock.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { WorkerSettings } from '../settings/config.ts';
import type { Start } from '../lifecycle.ts';
import { tryToWrite, writeId } from '../queue/queue-id.ts';
import { whyAway, wrongAddressOf, type RedisClient, type RedisSettings } from '../redis/connection.ts';
import { tlsNodes } from '../settings/redis-address.ts';
import { startRounds, type Rounds } from '../waiting/rounds.ts';
import { openProcessRuns, type ProcessKind } from '../storage/processes/runs.ts';
import type { Queues } from '../storage/processes/queue-record.ts';
import type { Storage } from '../storage/shared/connection.ts';
import { watchCertificates } from './certificates.ts';
import { createHealth, type Health } from './health.ts';
import type { Observers } from './observers.ts';
import type { Pages } from './pages.ts';
import { endedMaxMs, startReporting, type ReportedTo } from './reports.ts';
import { startServerLog } from './server-log.ts';
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
  /** See {@link Health}. */
  readonly wrongSetting?: Health['wrongSetting'];
  /** Where it reports to the others. */
  readonly to: ReportedTo;
}

const { version } = packageJson;
/** Well below the time after which a process that is silent is lost (runs.ts). */
const seenEveryMs = 4_000;
/** Nothing waits for it. */
const seenMaxMs = 10_000;

/**
 * Everything by which the operator sees a process: its operations port and, once it has started, its report to the others.
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
    {
      isStarting,
      isDraining: () => signal.aborted,
      wrongSetting: () => work?.wrongSetting?.() ?? redis(wrongAddressOf),
    },
    clock,
  );
  metrics.buildInfo.set({ process: kind, version, node: process.version }, 1);
  metrics.starting.set({ process: kind }, 1);
  // From the start on, so that a process which dies before it has started counts as lost too; not one that is told to stop.
  const runs = connecting.mongodb.then(({ db }) => openProcessRuns(db));
  const saysThatItRuns = startRounds({
    everyMs: seenEveryMs,
    roundMaxMs: seenMaxMs,
    round: async () => (await runs).seen(instanceId, kind),
  });
  const connectedRuns = onceConnected(runs);
  const sayThatItEnds = async (): Promise<void> => {
    await saysThatItRuns.close();
    const ended = connectedRuns((record) => record.ended(instanceId));
    await pTimeout(ended ?? Promise.resolve(), { milliseconds: endedMaxMs }).catch(() => undefined);
  };
  onAbandoned(sayThatItEnds);
  const rounds: Pick<Rounds, 'close'>[] = [
    startServerLog(health, { log, noteServer }, clock),
    { close: sayThatItEnds },
  ];
  const { OPS_TOKEN: token, OPS_HOST: host, OPS_PORT: port } = settings;
  const server = await startOpsServer({ health, metrics, token, log }, host, port);
  return {
    port: server.port,
    health,
    /** Reports to the others from now on, and shows the pages of the whole service if it is given them. Once. */
    begin(begun: Work, pages?: Pages): void {
      work = begun;
      const { to, tlsHosts } = begun;
      if (pages !== undefined) server.show(pages);
      const { servers } = health;
      const startedWith = { masterKeyVersions: [...(settings.MASTER_KEYS?.keys() ?? [])] };
      const self = { id: instanceId, kind, version, startedAt: clock(), servers, startedWith };
      const tlsServers = { mongodb: tlsHosts, redis: () => tlsNodes(settings.REDIS_URL) };
      rounds.push(startReporting(to, self, observers), watchCertificates(tlsServers, observers.certificateSeen));
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
