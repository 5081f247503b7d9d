import { masterKeysOf, type DataFolder } from './data-folder.ts';
import { ADMIN_ENTRY, demoWorkspace, type DemoWorkspace } from './demo-workspace.ts';
import { environmentOf } from './environment.ts';
import { run } from './executables.ts';
import type { Logs } from './logs.ts';
import { mongodbMember, redisMember, serviceMember, type Members } from './members.ts';
import type { MongodbChoice } from './mongodb.ts';
import { ENV_FILE, STACK_FILE, STAGES, type ProcessList } from './process-list.ts';
import type { ServiceSettings } from './service-settings.ts';
import { supervise, type Supervised, type SuperviseOptions } from './supervise.ts';

/** Longer than the web process and the workers take to stop (14 s). */
const STOP_TIMEOUT_MS = 17_000;

export interface StackOptions {
  folder: DataFolder;
  processes: ProcessList;
  settings: ServiceSettings;
  workers: number;
  logs: Logs;
  /** Called when a server that cannot be started again has ended. */
  onLost: (reason: string) => void;
}

export interface StackAddresses {
  mongodbUri: string;
  redisUrl: string;
  masterKeys: string;
  apiUrl: string;
  opsUrl: string;
}

export interface Started {
  addresses: StackAddresses;
  mongodb: MongodbChoice;
  ownRedis: boolean;
  demo: DemoWorkspace;
}

export interface Stack {
  started: Promise<Started>;
  /** Stops web, workers, webhooks, MongoDB and Redis, in this order, each within a time limit. May be called during the start. */
  stop(): Promise<void>;
  /** Kills everything at once. */
  kill(): void;
}

/** Starts everything in order and keeps it running until stop(). */
export function startStack(options: StackOptions): Stack {
  const { folder, processes, logs } = options;
  const members: Supervised<unknown>[] = [];
  const stopping = new AbortController();

  function keep<Ready>(member: Omit<SuperviseOptions<Ready>, 'processes' | 'say'>): Promise<Ready> {
    if (stopping.signal.aborted) throw new Error('The stack is being stopped.');
    const supervised = supervise({ ...member, processes, say: logs.say });
    members.push(supervised);
    return supervised.ready;
  }

  const started = start({ folder, logs, keep, signal: stopping.signal, onLost: options.onLost }, options);
  return {
    started,
    async stop() {
      stopping.abort();
      for (const stage of STAGES) {
        const ending = members.filter((member) => member.stage === stage);
        if (ending.length > 0) logs.say(`Stopping ${ending.map(({ name }) => name).join(', ')}`);
        await Promise.all(ending.map((member) => member.stop(STOP_TIMEOUT_MS)));
      }
      // Waits for what was being started when the stop came.
      await started.catch(() => undefined);
    },
    kill() {
      stopping.abort();
      for (const member of members) member.kill();
    },
  };
}

async function start(members: Members, { settings, workers: workersCount }: StackOptions): Promise<Started> {
  const { folder, logs } = members;
  const redisUrl = await logs.progress('Starting Redis', redisMember(members));
  const choice = await logs.progress('Starting MongoDB', mongodbMember(members));
  logs.say(`MongoDB: ${choice.why}`);
  const masterKeys = await masterKeysOf(folder);
  const env = {
    ...process.env,
    MONGODB_URI: choice.uri,
    REDIS_URL: redisUrl,
    MASTER_KEYS: masterKeys,
    WEBHOOK_ALLOW_LOCAL: 'true',
  };
  // A folder of an earlier release is brought along; processes themselves refuse one.
  const apply = run(process.execPath, [ADMIN_ENTRY, 'schema', 'apply'], env, members.signal);
  await logs.progress('Laying out the database', apply);
  const listening = { HOST: settings.host, PORT: String(settings.port), OPS_PORT: String(settings.opsPort) };
  const web = serviceMember(members, { name: 'web', stage: 'web', env: { ...env, ...listening } });
  const ofWorkers = { ...env, OPS_PORT: '0' };
  const workers = Array.from({ length: workersCount }, (_, index) =>
    serviceMember(members, {
      name: `worker${index + 1}`,
      stage: 'worker',
      env: { ...ofWorkers, WORKER_ROLE: 'posting' },
    }),
  );
  const webhooks = serviceMember(members, {
    ...{ name: 'webhooks', stage: 'webhooks' },
    env: { ...ofWorkers, WORKER_ROLE: 'webhooks' },
  });
  const starting = Promise.all([web, ...workers, webhooks]);
  const [ready] = await logs.progress('Starting the web process and the workers', starting);
  const addresses: StackAddresses = {
    mongodbUri: choice.uri,
    redisUrl,
    masterKeys,
    apiUrl: urlOf(settings.host, ready.port ?? settings.port),
    opsUrl: urlOf(settings.opsHost, ready.opsPort),
  };
  const demo = await logs.progress('Making the demo workspace', demoWorkspace(folder, env, members.signal));
  await folder.write(ENV_FILE, `${environmentOf(addresses.apiUrl, demo, folder).join('\n')}\n`);
  // Written last, so that everything is ready once this file is there.
  await folder.writeJson(STACK_FILE, addresses);
  return { addresses, mongodb: choice, ownRedis: !process.env['REDIS_URL'], demo };
}

/** The URL by which this machine reaches a listening address. One cannot connect to the address of all interfaces. */
function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
