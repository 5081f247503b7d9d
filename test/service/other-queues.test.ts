import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Child } from '../../local/child.ts';
import { freePort } from '../../local/free-port.ts';
import { startServiceProcess, type ServiceReady } from '../../local/service-process.ts';
import { startRedis, type OwnRedis } from '../support/redis.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';

const stopTimeoutMs = 20_000;
const slowly = { timeoutMs: 60_000 };

let redis: OwnRedis;
let elsewhere: OwnRedis;
let mongodb: MongoClient;
let service: RunningService;
let workspace: TestWorkspace;
let wallets: readonly [source: string, target: string];

beforeAll(async () => {
  [redis, elsewhere] = await Promise.all([startRedis(), startRedis()]);
  service = await startService({ redisUrl: redis.url });
  mongodb = await MongoClient.connect(service.mongodbUri);
  workspace = await createWorkspace(service);
  wallets = [await workspace.wallet('100'), await workspace.wallet()];
});
afterAll(async () => {
  await service.admin('verify');
  await service.stop();
  await mongodb.close();
  await Promise.all([redis.stop(), elsewhere.stop()]);
});

interface Readiness {
  readonly status: number;
  readonly wrongSetting?: string;
}

async function readinessOf(opsPort: number): Promise<Readiness> {
  const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
  return { ...((await answer.json()) as object), status: answer.status };
}

/** What it says is wrong, once it has looked. */
const wrongSettingOf = (opsPort: number): Promise<string> =>
  waitFor(async () => {
    const { status, wrongSetting } = await readinessOf(opsPort);
    return status === 503 && wrongSetting !== undefined && !/not (checked|compared)/.test(wrongSetting) && wrongSetting;
  }, slowly);

const untilReady = (opsPort: number): Promise<true> =>
  waitFor(async () => ((await readinessOf(opsPort)).status === 200 ? (true as const) : undefined), slowly);

async function start(kind: 'web' | 'worker', more: NodeJS.ProcessEnv) {
  const [port, opsPort] = [await freePort(), await freePort()];
  const child = await startServiceProcess({
    name: kind,
    entry: kind === 'web' ? 'src/main.ts' : 'workers/main.ts',
    env: {
      ...process.env,
      ...service.env,
      ...{ MONGODB_URI: service.mongodbUri, REDIS_URL: service.redisUrl, HOST: '127.0.0.1' },
      ...{ PORT: String(port), OPS_PORT: String(opsPort) },
      ...more,
    },
    onLine: (line) => service.logs.push(line),
  });
  child.ready.catch(() => undefined);
  return { child, port, opsPort };
}

async function stop(child: Pick<Child<ServiceReady>, 'stop'>): Promise<void> {
  expect((await child.stop(stopTimeoutMs)).code).toBe(0);
}

interface Named {
  readonly _id: string;
}

async function holdsNothing({ pid }: Child<ServiceReady>): Promise<void> {
  const ofIt = new RegExp(`:${pid}:`);
  expect(await mongodb.db().collection('leases').countDocuments({ holder: ofIt })).toBe(0);
  const posters = mongodb.db().collection<Named>('posters');
  expect(await posters.countDocuments({ _id: ofIt })).toBe(1);
  expect(await posters.countDocuments({ _id: ofIt, takesPartitions: true })).toBe(0);
}

async function create(): Promise<string> {
  const [sourceWalletId, targetWalletId] = wallets;
  const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  const path = '/api/v1/transfer/command/create';
  const { status, envelope } = await workspace.client.request<{ transferId: string }>('POST', path, { body });
  expect(status).toBe(200);
  return envelope?.data.transferId ?? '';
}

const untilPosted = (ids: string[]): Promise<true> =>
  waitFor(async () => {
    const orders = mongodb.db().collection<Named>('orders');
    return (await orders.countDocuments({ _id: { $in: ids }, status: 'COMPLETED' })) === ids.length;
  }, slowly);

async function createMany(): Promise<void> {
  const ids: string[] = [];
  for (let count = 0; count < 10; count += 1) ids.push(await create());
  await untilPosted(ids);
}

describe('a process whose queues are not those of the others', () => {
  it.each([
    ['another QUEUE_PREFIX', () => ({ QUEUE_PREFIX: 'other' }), 'QUEUE_PREFIX is "other", but', 'other:queues'],
    ['an empty Redis of its own', () => ({ REDIS_URL: elsewhere.url }), 'REDIS_URL leads to', 'transfers:queues'],
  ])(
    'because a worker has %s is not ready, says which setting differs, and holds nothing',
    async (_, env, what, key) => {
      const { child, opsPort } = await start('worker', env());
      try {
        expect(await wrongSettingOf(opsPort)).toContain(what);
        await createMany();
        await holdsNothing(child);
        expect(await wrongSettingOf(opsPort)).toContain(what);
        const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
        expect(metrics).toContain(`transfers_setting_right{setting="${what.split(' ')[0] ?? ''}"} 0`);
        for (const url of [redis.url, elsewhere.url]) {
          const own = new Redis(url);
          expect(await own.exists(key)).toBe(url === redis.url && key === 'transfers:queues' ? 1 : 0);
          own.disconnect();
        }
      } finally {
        await stop(child);
      }
    },
  );

  it('because a web process has another QUEUE_PREFIX does not open the API', async () => {
    const { child, port, opsPort } = await start('web', { QUEUE_PREFIX: 'other' });
    try {
      expect(await wrongSettingOf(opsPort)).toContain('QUEUE_PREFIX is "other", but');
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    } finally {
      await stop(child);
    }
  });

  it('is refused on the command line too', async () => {
    const fund = ['wallet', 'fund', '--wallet', wallets[0], '--amount', '1'];
    await expect(service.adminWith({ QUEUE_PREFIX: 'other' }, ...fund)).rejects.toThrow('QUEUE_PREFIX is "other", but');
    await expect(service.adminWith({ REDIS_URL: elsewhere.url }, ...fund)).rejects.toThrow('REDIS_URL leads to');
  });
});

describe('a Redis that is emptied under load', () => {
  it('makes nobody unready, and has its id again', async () => {
    const ready = [...service.webs, ...service.workers].map(async ({ ready }) => (await ready).opsPort);
    const opsPorts = await Promise.all(ready);
    const own = new Redis(redis.url);
    const before = await own.get('transfers:queues');
    expect(before).not.toBeNull();
    const ids: string[] = [await create()];
    await own.flushall();
    await waitFor(async () => {
      ids.push(await create());
      for (const opsPort of opsPorts) expect(await readinessOf(opsPort)).toMatchObject({ status: 200 });
      return (await own.exists('transfers:queues')) === 1;
    }, slowly);
    // What they all see now is what is recorded.
    const { id } =
      (await mongodb.db().collection<{ _id: string; id: string }>('partitioning').findOne({ _id: 'queues' })) ?? {};
    expect(await own.get('transfers:queues')).toBe(id);
    for (let count = 0; count < 10; count += 1) {
      ids.push(await create());
      for (const opsPort of opsPorts) expect(await readinessOf(opsPort)).toMatchObject({ status: 200 });
    }
    await untilPosted(ids);
    own.disconnect();
  });
});

describe('another Redis', () => {
  it('is taken once all processes of the one before have stopped, and who still has that is not ready', async () => {
    const url = elsewhere.url;
    for (const child of [...service.webs.splice(0), ...service.workers.splice(0)]) await stop(child);
    const moved = await start('worker', { REDIS_URL: url });
    const left = await (async () => {
      await untilReady(moved.opsPort);
      return start('worker', {});
    })();
    try {
      expect(await wrongSettingOf(left.opsPort)).toContain('REDIS_URL leads to');
      await holdsNothing(left.child);
      expect((await readinessOf(moved.opsPort)).status).toBe(200);
    } finally {
      await Promise.all([stop(moved.child), stop(left.child)]);
    }
  });
});
