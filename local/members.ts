import { createHash } from 'node:crypto';
import type { DataFolder } from './data-folder.ts';
import { freePort } from './free-port.ts';
import type { Logs } from './logs.ts';
import { startMongodb, type MongodbChoice } from './mongodb.ts';
import { startRedis } from './redis.ts';
import { startServiceProcess, type ServiceReady } from './service-process.ts';
import { portOf } from './service-settings.ts';
import type { SuperviseOptions } from './supervise.ts';

export interface Members {
  folder: DataFolder;
  logs: Logs;
  /** Starts a process and keeps it running; resolves when it is ready. */
  keep: <Ready>(member: Omit<SuperviseOptions<Ready>, 'processes' | 'say'>) => Promise<Ready>;
  /** Aborts when the stack is stopped, even while it is starting. */
  signal: AbortSignal;
  /** Called when a server that cannot be started again has ended. */
  onLost: (reason: string) => void;
}

/** REDIS_URL's server, or one that the stack starts on REDIS_PORT or a free port. Returns its URL. */
export async function redisMember({ folder, logs, keep }: Members): Promise<string> {
  const given = process.env['REDIS_URL'];
  if (given) return given;
  const port = portOf(process.env, 'REDIS_PORT', 0) || (await freePort());
  let isReady = false;
  const onLine = (text: string) => {
    // Its first lines are of no interest. If it does not start, the error quotes them.
    if (isReady) logs.line('redis', text);
  };
  const options = {
    port,
    dataDir: folder.file(redisFolderFor(process.env['MONGODB_URI'])),
    persistent: true,
    detached: true,
    onLine,
  };
  const { url } = await keep({ name: 'redis', stage: 'redis', start: () => startRedis(options) });
  isReady = true;
  return url;
}

/** Queues belong to one database, so the data of each server that MONGODB_URI has named has a Redis of its own. */
export function redisFolderFor(mongodbUri = ''): string {
  return mongodbUri === '' ? 'redis' : `redis-${createHash('sha256').update(mongodbUri).digest('hex').slice(0, 12)}`;
}

/** The first MongoDB there is; mongodb.ts has the order. */
export async function mongodbMember({ folder, logs, keep, onLost }: Members): Promise<MongodbChoice> {
  const onLine = (text: string) => {
    logs.line('mongodb', text);
  };
  const choice = await startMongodb({ folder, say: logs.say, onLine });
  const { server, restart } = choice;
  if (!server) return choice;
  const starts = [() => Promise.resolve(server)];
  const start = () => {
    const next = starts.pop() ?? restart;
    if (next) return next();
    onLost('MongoDB ended, and cannot be started again from here.');
    return Promise.reject(new Error('it cannot be started again'));
  };
  await keep({ name: 'mongodb', stage: 'mongodb', start });
  return choice;
}

/** The web process, a worker, or the one that sends webhooks. */
export async function serviceMember(
  { logs, keep }: Members,
  { name, stage, env }: { name: string; stage: 'web' | 'worker' | 'webhooks'; env: NodeJS.ProcessEnv },
): Promise<ServiceReady> {
  const entry = stage === 'web' ? 'src/main.ts' : 'workers/main.ts';
  const onLine = (text: string) => {
    logs.line(name, text);
  };
  const start = () => startServiceProcess({ name, entry, env, detached: true, onLine });
  try {
    return await keep({ name, stage, start });
  } catch (cause) {
    // Only the first line, because the error quotes what has already been shown line by line.
    const [what = name] = (cause instanceof Error ? cause.message : String(cause)).split('\n', 1);
    throw new Error(`${what}: its log is above`, { cause });
  }
}
