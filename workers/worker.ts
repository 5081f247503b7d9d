import type { WorkerSettings } from '../src/settings/config.ts';
import type { Running, Start } from '../src/lifecycle.ts';
import { connectWorker } from './connect.ts';
import { startPosting } from './posting.ts';
import { startSendingWebhooks } from './webhooks.ts';

/**
 * Starts what a worker process does: by WORKER_ROLE it posts orders, sends webhooks, or both. Run as many as the load needs.
 * A receiver of webhooks decides what has to be parsed of its answer, so where both matter they are processes of their own.
 */
export async function startWorker(start: Start<WorkerSettings>): Promise<Running> {
  const { WORKER_ROLE: role, MASTER_KEYS: masterKeys } = start.settings;
  const connected = await connectWorker(start);
  const { opsPort } = connected;
  const parts: { close(): Promise<unknown> }[] = [];
  if (role !== 'webhooks') parts.push(await startPosting(start, connected));
  // One that does both needs no keys: without them, others send.
  if (role !== 'posting' && masterKeys !== undefined) parts.push(startSendingWebhooks(start, connected, masterKeys));
  connected.begin();
  start.log.info({ event: 'ready', opsPort, role }, 'working');
  return {
    opsPort,
    async stop() {
      await Promise.all(parts.map((part) => part.close()));
      await connected.close();
    },
  };
}
