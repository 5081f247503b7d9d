import { readWorkerSettings } from '../src/config.ts';
import type { WorkerSettings } from '../src/config.ts';
import { createCurrencies } from '../src/domain/currency.ts';
import { crash, runProcess } from '../src/lifecycle.ts';
import type { Running } from '../src/lifecycle.ts';
import type { Logger } from '../src/log.ts';
import { createObservers } from '../src/ops/observers.ts';
import { processId as holder, startOperations } from '../src/ops/operations.ts';
import { createNoticeSender } from '../src/queue/notices.ts';
import { createPostingQueue } from '../src/queue/queue.ts';
import { startPostingWorker } from '../src/queue/worker.ts';
import { connectRedis } from '../src/redis/connection.ts';
import { createWalletClaims } from '../src/redis/walletClaims.ts';
import { bringUp } from '../src/storage/bringUp.ts';
import { openCollections } from '../src/storage/collections.ts';
import { connectStorage } from '../src/storage/connection.ts';
import { openPostedWrites } from '../src/storage/postedWrites.ts';
import { openPostingSessions } from '../src/storage/postingSessions.ts';
import { openPulse } from '../src/storage/pulse.ts';
import { ensureSchema } from '../src/storage/schema.ts';
import { watchStorage } from '../src/storage/watch.ts';
import { startHeartbeat } from '../src/transfers/heartbeat.ts';
import { createPoster } from '../src/transfers/post.ts';
import { startReaper } from '../src/transfers/reaper.ts';
import { createRetreat } from '../src/transfers/retreat.ts';
import { startSweeper } from '../src/transfers/sweep.ts';

runProcess('worker', readWorkerSettings, startWorker);

/** Transactions in flight: one that MongoDB works on, one that is folded. */
const lanesMax = 2;

/** A worker process: posts what the queue brings, and sweeps what it lost. Run as many as the load needs. */
async function startWorker(settings: WorkerSettings, log: Logger, signal: AbortSignal): Promise<Running> {
  const { MONGODB_URI: uri, REDIS_URL: redisUrl, QUEUE_PREFIX: prefix } = settings;
  const [storage, workerRedis, commandRedis] = await Promise.all([
    connectStorage(uri, log, signal),
    connectRedis(redisUrl, 'background', log, signal),
    connectRedis(redisUrl, 'request', log, signal),
  ]);
  const observers = createObservers(log);
  const watch = watchStorage({ storage, uri, log, onClock: observers.clock, onStuck: (what) => crash(log, what) });
  const writePosted = await bringUp(
    async () => {
      await ensureSchema(storage.db);
      return openPostedWrites(storage.db);
    },
    log,
    signal,
  );
  const collections = openCollections(storage.db);
  const queue = createPostingQueue(commandRedis, prefix);
  const sessions = openPostingSessions(storage.client, lanesMax);
  const pulse = openPulse(uri);
  const heartbeat = startHeartbeat({ pulse, sessions, holder, log });
  const reaper = startReaper({ pulse, holder, log });
  const poster = createPoster({
    sessions: sessions.lanes,
    claims: { ...createWalletClaims(commandRedis, prefix, holder), areNeeded: () => heartbeat.hasCompany() },
    collections,
    writePosted,
    currencies: createCurrencies(settings.CURRENCIES),
    log,
    onPosted: createNoticeSender(commandRedis, prefix),
    onHung: (what) => crash(log, what),
    onPassage: (passage) => {
      retreat.observe(passage);
    },
    holder,
    observe: observers.post,
  });
  const worker = startPostingWorker(workerRedis, prefix, log, {
    post: (orderIds) => poster.post(orderIds),
    handBack: () => {
      poster.setHandingBack(true);
    },
  });
  const retreat = createRetreat({ holder, worker, heartbeat, poster, log });
  const sweeper = startSweeper({ collections, queue, log, holder });
  const isDraining = (): boolean => signal.aborted;
  const ops = await startOperations(
    { kind: 'worker', settings, isMongodbUp: storage.isUp, observers, isDraining },
    log,
    signal,
  );
  log.info({ event: 'ready', opsPort: ops.port }, 'posting');

  return {
    async stop() {
      retreat.close();
      // Those that are away come back for the jobs that this process no longer takes.
      heartbeat.setStanding('posting');
      await Promise.all([sweeper.close(), worker.close()]);
      await Promise.all([heartbeat.close(), reaper.close()]);
      await Promise.all([sessions.end(), pulse.close()]);
      await queue.close();
      for (const redis of [workerRedis, commandRedis]) redis.disconnect();
      await ops.close();
      await watch.close();
      await storage.close();
    },
  };
}
