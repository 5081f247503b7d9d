import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { runAdminJson } from '../../support/admin.ts';
import { dataFolder } from '../../support/data-folder.ts';
import { prepareBooks, type PreparedBooks } from './books.ts';
import type { Guards } from '../checker/guards.ts';
import { wake } from './posting-jobs.ts';
import { clearFailPoint, hasFailPoints } from './fail-point.ts';
import type { Sent, Told } from './sent.ts';
import { startMember, type Member, type MemberPlace } from './member.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';
import { startMongodb, type MongodbServer } from './mongodb-server.ts';
import { startClusteredRedis, startRedisServer, type RedisServer } from './redis-server.ts';

/** Everything real: two API processes, two workers, a Redis (or a cluster) and a MongoDB, all of which may be killed. */
export interface Stack {
  mongodb: MongodbServer;
  redis: RedisServer;
  webs: Member[];
  workers: Member[];
  /** Of several workspaces; what asks for one takes the first. */
  books: readonly [PreparedBooks, ...PreparedBooks[]];
  hasFailPoints: boolean;
  /** Everything that any client ever sent to this stack. */
  history: Sent[];
  /** Everything that any client was ever told by it. */
  told: Told[];
  /** Orders made by hand: those that are to complete, and those that are to be set aside. */
  byHand: { completed: string[]; setAside: string[] };
  /** The limits, alerts and budgets that it was given. */
  guards: Guards;
  /** What the processes logged, oldest first, bounded. */
  logs: string[];
  /** What must be in none of them. */
  secrets: readonly string[];
  /** Runs the administrator's command line. Rejects where it fails. */
  admin(...args: string[]): Promise<unknown>;
  /** One more than there are otherwise; who starts it stops it. */
  startThirdWorker(): Promise<Member>;
  /** Undoes what is left of a fault: everything runs, by the right clock, and nothing is held, cut or made to fail. */
  heal(): Promise<void>;
  /** Runs `admin verify`, waits for all webhooks and stops everything; throws where any of it does not end cleanly. */
  stop(): Promise<void>;
}

const logLinesMax = 5_000;
const workspacesUsually = 8;

export interface StackOptions {
  /** Whether its Redis is a cluster of three masters. */
  isRedisCluster?: boolean;
  /** How many workspaces, each with two clients. */
  workspaces?: number;
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { isRedisCluster = false, workspaces = workspacesUsually } = options;
  const folder = await dataFolder('faults-');
  const logs: string[] = [];
  const onLine = (line: string): void => {
    logs.push(line);
    if (logs.length > logLinesMax) logs.shift();
  };
  const [mongodb, redis] = await Promise.all([
    startMongodb(folder, onLine),
    isRedisCluster ? startClusteredRedis() : startRedisServer(folder, onLine),
  ]);
  const told: Told[] = [];
  const guards: Guards = { limits: [], alerts: [], budgets: [] };
  const webhooks = await startWebhookReceiver(told);
  const masterKey = randomBytes(32).toString('base64');
  const masterKeys = `1:${masterKey}`;
  const env = {
    ...{ MASTER_KEYS: masterKeys, HOST: '127.0.0.1', OPS_PORT: '0', WEBHOOK_ALLOW_LOCAL: 'true' },
  };
  const place = (kind: string, entry: string, index: number): MemberPlace => ({
    ...{ name: `${kind} ${index}`, entry, hasMongodbProxy: index === 0 },
    ...{ mongodb, redis, env, onLine },
  });
  const startTwo = (kind: string, entry: string): Promise<Member[]> =>
    Promise.all([0, 1].map((index) => startMember(place(kind, entry, index))));
  const [webs, workers] = await Promise.all([startTwo('web', 'src/main.ts'), startTwo('worker', 'workers/main.ts')]);
  const members = [...webs, ...workers];
  const adminEnv = { ...process.env, MASTER_KEYS: masterKeys, MONGODB_URI: mongodb.uri, REDIS_URL: redis.url };
  const admin = (...args: string[]): Promise<unknown> => runAdminJson(args, adminEnv);
  const [first, ...more] = await prepareBooks({
    db: mongodb.client.db(),
    masterKeys: new Map([[1, Buffer.from(masterKey, 'base64')]]),
    webhooks,
    count: workspaces,
    wake: (workspaceIds) => wake({ redis }, workspaceIds),
  });
  if (first === undefined) throw new Error('there is no workspace');
  const books = [first, ...more] as const;
  return {
    ...{
      mongodb,
      redis,
      webs,
      workers,
      logs,
      admin,
      told,
      guards,
      history: [],
      byHand: { completed: [], setAside: [] },
    },
    books,
    startThirdWorker: () => startMember(place('worker', 'workers/main.ts', 2)),
    secrets: [masterKey, webhooks.secret, ...books.map(({ apiSecret }) => apiSecret)],
    hasFailPoints: await hasFailPoints(mongodb.client),
    async heal() {
      mongodb.resume();
      for (const { redisProxy, mongodbProxy } of members) {
        redisProxy?.intercept(undefined);
        mongodbProxy?.intercept(undefined);
      }
      await clearFailPoint(mongodb.client).catch(() => undefined);
      for (const member of members) member.signal('SIGCONT');
      await Promise.all(
        members.map(async (member) => {
          if (member.clockOffsetMs() !== 0) await member.kill();
          await member.start();
        }),
      );
    },
    async stop() {
      const verified = await Promise.allSettled([admin('verify'), webhooks.untilAllTold(mongodb.client.db(), guards)]);
      const stopped = await Promise.allSettled(members.map((member) => member.stop()));
      webhooks.stop();
      await Promise.all([mongodb.stop(), redis.stop()]);
      await rm(folder, { recursive: true, force: true });
      const complaints = [...verified, ...stopped].flatMap((each) =>
        each.status === 'rejected' ? [String(each.reason)] : [],
      );
      if (complaints.length > 0) throw new Error(complaints.join('; '));
    },
  };
}
