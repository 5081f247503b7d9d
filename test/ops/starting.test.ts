import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { startServiceProcess } from '../../local/service-process.ts';
import { parseMetrics } from '../support/metrics-text.ts';
import { startRedis, type OwnRedis } from '../support/redis.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

let redis: OwnRedis;
let service: RunningService;

beforeAll(async () => {
  redis = await startRedis();
  service = await startService({ webs: 0, workers: 0, redisUrl: redis.url });
});
afterAll(async () => {
  await service.stop();
  await redis.stop();
});

it.each([
  ['web', (env: NodeJS.ProcessEnv) => service.startWeb(env)],
  ['worker', (env: NodeJS.ProcessEnv) => service.startWorker(env)],
])('a %s that waits for a server says which, and is not taken for one that hangs', async (kind, start) => {
  await redis.kill();
  const opsPort = await freePort();
  const started = start({ OPS_PORT: String(opsPort) });
  const get = (path: string) => fetch(`http://127.0.0.1:${opsPort}${path}`);
  const isUp = async (server: string) => {
    const up = parseMetrics(await (await get('/metrics')).text()).get('transfers_server_up');
    return up?.samples.find(({ labels }) => [...labels.values()].includes(server))?.value;
  };
  const starting = async (process: string) => {
    const family = parseMetrics(await (await get('/metrics')).text()).get('transfers_starting');
    return family?.samples.find(({ labels }) => labels.get('process') === process)?.value;
  };
  const notReady = await waitFor(async () => {
    const answer = (await (await get('/readyz')).json()) as { mongodb: string };
    return answer.mongodb === 'up' ? answer : undefined;
  });
  expect(notReady).toMatchObject({ status: 'not ready', starting: true, draining: false, redis: 'down' });
  expect((await get('/livez')).status).toBe(200);
  expect((await get('/readyz')).status).toBe(503);
  const page = await get('/');
  expect(page.status).toBe(503);
  expect(await page.text()).toBe('This process is starting; /readyz says what it waits for.\n');
  // Others know them: a process that starts may not have asked.
  expect([await isUp('mongodb'), await isUp('redis')]).toEqual([undefined, undefined]);
  expect(await starting(kind)).toBe(1);

  await redis.restart();
  await started;
  await waitFor(async () => (await get('/readyz')).status === 200);
  expect(await (await get('/readyz')).json()).toMatchObject({ status: 'ready', starting: false, redis: 'up' });
  expect((await get('/')).status).toBe(kind === 'web' ? 200 : 404);
  await waitFor(async () => (await starting(kind)) === 0);
});

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'a process that ends by %s while it starts is counted unless it was told to stop',
  async (signal) => {
    const lines: string[] = [];
    await redis.kill();
    const opsPort = await freePort();
    const worker = await startServiceProcess({
      name: 'worker',
      entry: 'workers/main.ts',
      env: {
        ...process.env,
        MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
        MONGODB_URI: service.mongodbUri,
        REDIS_URL: redis.url,
        OPS_PORT: String(opsPort),
        BACKLOGMAX: '5',
      },
      onLine: (line) => lines.push(line),
    });
    worker.ready.catch(() => undefined);
    await waitFor(async () => (await fetch(`http://127.0.0.1:${opsPort}/livez`)).status === 200);
    expect(lines.join('\n')).toContain('BACKLOGMAX has no effect, because it is no setting; BACKLOG_MAX is one');
    const mongo = await MongoClient.connect(service.mongodbUri);
    // Instance ids have the process's number in the middle.
    const run = () =>
      mongo
        .db()
        .collection('posters')
        .findOne({ _id: { $regex: `:${worker.pid}:` } as never });
    await waitFor(async () => (await run())?.['reportedAt'] instanceof Date);
    worker.kill(signal);
    const { code } = await worker.exited;
    const endedAt: unknown = (await run())?.['endedAt'];
    expect([code, endedAt instanceof Date]).toEqual(signal === 'SIGTERM' ? [0, true] : [null, false]);
    await mongo.close();
    await redis.restart();
  },
);
