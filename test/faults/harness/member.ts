import { describeExit, type Child, type Exit } from '../../../local/child.ts';
import { redisUrl } from '../../../local/redis.ts';
import { startServiceProcess, type ServiceReady } from '../../../local/service-process.ts';
import { clockOffBy } from './clock-off-by.ts';
import type { MongodbServer } from './mongodb-server.ts';
import { startProxy, type Proxy } from './proxy.ts';
import type { RedisServer } from './redis-server.ts';
import '../../support/started.ts';

/** A web or worker process of the stack; it keeps its place, its proxies and its name over restarts. */
export interface Member {
  name: string;
  /** None before a cluster. */
  redisProxy: Proxy | undefined;
  /** Only the first of its kind has one; the others connect as in production, by the replica set's name. */
  mongodbProxy: Proxy | undefined;
  isAlive(): boolean;
  pid(): number;
  /** Of the API; throws for a worker. */
  baseUrl(): string;
  signal(signal: NodeJS.Signals): void;
  /** SIGKILL, and the wait for its end. */
  kill(): Promise<void>;
  /** How it ended, once it has. */
  exited(): Promise<Exit>;
  /** Starts it again where it is not running. @param clockOffsetMs how far its clock is off. */
  start(clockOffsetMs?: number): Promise<void>;
  /** How far the clock of the running process is off. */
  clockOffsetMs(): number;
  /** SIGTERM; throws unless it exits with 0. */
  stop(): Promise<void>;
}

export interface MemberPlace {
  name: string;
  /** Entry point from the project's root. */
  entry: string;
  hasMongodbProxy: boolean;
  mongodb: MongodbServer;
  redis: RedisServer;
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
}

/** A process drains for 14 s at most, by its own account. */
const stopTimeoutMs = 20_000;

export async function startMember({ name, entry, mongodb, redis, ...place }: MemberPlace): Promise<Member> {
  const redisProxy = redis.address === undefined ? undefined : await startProxy(redis.address);
  const mongodbProxy = place.hasMongodbProxy ? await startProxy(mongodb.address) : undefined;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...place.env,
    MONGODB_URI: mongodbProxy === undefined ? mongodb.uri : mongodb.uriThrough(mongodbProxy.port),
    REDIS_URL: redisProxy === undefined ? redis.url : redisUrl(redisProxy.port),
  };
  let [child, port, isAlive, offsetMs]: [Child<ServiceReady> | undefined, number, boolean, number] = [
    undefined,
    0,
    false,
    0,
  ];
  const running = (): Child<ServiceReady> => {
    if (child === undefined) throw new Error(`${name} was never started`);
    return child;
  };
  let launching: Promise<Child<ServiceReady>> | undefined;
  async function start(clockOffsetMs = 0): Promise<void> {
    if (isAlive) return;
    // Whoever heals the stack, and a crash itself, may both ask for it.
    launching ??= launch(clockOffsetMs).finally(() => (launching = undefined));
    const started = await launching;
    const ready = await started.ready.catch(async (error: unknown) => {
      // It is being killed: whoever asks again is not to take it for alive.
      await started.exited;
      throw error;
    });
    // The port it got is the one it keeps: a client's next attempt finds it again.
    port = ready.port ?? 0;
  }
  async function launch(clockOffsetMs: number): Promise<Child<ServiceReady>> {
    let hasCrashed = false;
    const onLine = (line: string): void => {
      hasCrashed ||= line.includes('"event":"crashed"');
      place.onLine(line);
    };
    const started = await startServiceProcess({
      ...{ name, entry, onLine },
      env: { ...env, PORT: String(port), ...(clockOffsetMs === 0 ? {} : clockOffBy(clockOffsetMs)) },
    });
    [child, isAlive, offsetMs] = [started, true, clockOffsetMs];
    void started.exited.then(async () => {
      isAlive = false;
      // A process that ends because it is stuck counts on whoever runs it, in production as here.
      if (hasCrashed)
        await start(clockOffsetMs).catch((error: unknown) => {
          place.onLine(String(error));
        });
    });
    return started;
  }
  await start();
  return {
    name,
    redisProxy,
    mongodbProxy,
    isAlive: () => isAlive,
    pid: () => running().pid,
    baseUrl: () => `http://127.0.0.1:${port}`,
    signal: (signal) => {
      running().kill(signal);
    },
    async kill() {
      running().kill('SIGKILL');
      await running().exited;
    },
    exited: () => running().exited,
    start,
    clockOffsetMs: () => offsetMs,
    async stop() {
      const wasAlive = isAlive;
      const exit = await running().stop(stopTimeoutMs);
      await Promise.all([redisProxy?.close(), mongodbProxy?.close()]);
      if (wasAlive && exit.code !== 0) throw new Error(`${name} ended with ${describeExit(exit)}`);
    },
  };
}
