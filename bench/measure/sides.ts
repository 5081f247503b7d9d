import { nodeOptions } from '../../local/service-process.ts';
import { startNaiveWorker } from '../naive/side.ts';
import { forkProcess } from '../servers/forked.ts';
import { startService, type OnLine } from '../servers/service.ts';
import type { Stage } from '../servers/stage.ts';
import { startWorkers } from './product.ts';
import type { AnsweringSide } from './requests.ts';

/**
 * The product's web process, and its workers.
 * @param workerCount 0 for creates that nobody posts, and for reads.
 * @param onLine told what they say.
 */
export function productWeb(workerCount: number, profileFolder?: string, onLine?: OnLine): AnsweringSide {
  return {
    recordsOrders: true,
    posts: workerCount > 0,
    async start(stage) {
      const workers = await startWorkers(stage, workerCount, profileFolder, onLine);
      const web = await startService('web', stage.env, profileFolder, onLine);
      return {
        port: web.port ?? 0,
        pids: { ...workers.pids, web: web.pid },
        stop: once(async () => {
          await Promise.all([web.stop(), workers.stop()]);
        }),
      };
    },
  };
}

/** The naive web process with the naive worker. */
export function naiveWeb(concurrency: number): AnsweringSide {
  return {
    recordsOrders: true,
    posts: true,
    async start(stage) {
      const worker = await startNaiveWorker(stage, concurrency);
      const web = await startSigned(stage, 'naive/web.ts');
      return {
        port: web.port,
        pids: { ...worker.pids, web: web.pid },
        stop: once(async () => {
          await Promise.all([web.stop(), worker.stop()]);
        }),
      };
    },
  };
}

/** The limit of requests: signature and nonce are checked, and nothing is done. */
export const signedOnly: AnsweringSide = {
  recordsOrders: false,
  posts: false,
  async start(stage) {
    const web = await startSigned(stage, 'limits/signed-main.ts');
    return { port: web.port, pids: { web: web.pid }, stop: () => web.stop() };
  },
};

async function startSigned(stage: Stage, entry: string): Promise<{ port: number; pid: number; stop(): Promise<void> }> {
  const secrets = Object.fromEntries(stage.world.keys.map(({ apiKey, apiSecret }) => [apiKey, apiSecret]));
  // With the options of the product's web process: a yardstick is not to be slowed by garbage that it is spared.
  const forked = forkProcess(entry, { ...stage.env, BENCH_SECRETS: JSON.stringify(secrets) }, nodeOptions.web);
  const { port } = (await forked.next()) as { port: number };
  return { port, pid: forked.pid, stop: () => forked.stop() };
}

function once(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => (stopping ??= stop());
}
