import { setTimeout as delay } from 'node:timers/promises';
import { sealSecret } from '../../src/auth/secrets.ts';
import { webhookTypes } from '../../src/domain/webhook.ts';
import type { OutboxEntry } from '../../src/storage/webhooks/outbox.ts';
import { newWebhookSecret } from '../../src/webhooks/signature.ts';
import type { PostingSide } from '../measure/post.ts';
import { productSide, startWorkers } from '../measure/product.ts';
import { WrongWorkError } from '../measure/wrong-work.ts';
import { forkProcess } from '../servers/forked.ts';
import type { Stage } from '../servers/stage.ts';

/** Whether the workers that post also send, or somebody else does, later. */
export type Sending = 'later' | 'meanwhile';

const pollMs = 100;
const receivedWithinMs = 120_000;

/**
 * The product's workers, and a webhook of the workspace. Workers without master keys record what is to be told and leave the
 * sending to others: what they post is slowed by the recording alone.
 */
export function webhookSide(workers: number, sending: Sending, profileFolder?: string): PostingSide {
  return sending === 'later' ? recordingSide(workers, profileFolder) : sendingSide(workers, profileFolder);
}

function recordingSide(workers: number, profileFolder?: string): PostingSide {
  let stage: Stage;
  return {
    ...productSide(workers, profileFolder),
    async start(given) {
      stage = given;
      await createWebhook(stage, 'https://webhooks.example/');
      const { MASTER_KEYS: _, ...env } = stage.env;
      return startWorkers({ env }, workers, profileFolder);
    },
    async finish(orders) {
      const entries = await stage.world.db.collection<OutboxEntry>('webhookOutbox').find().toArray();
      const recorded = entries.reduce((sum, { completed, failed }) => sum + completed.length + failed.length, 0);
      if (recorded !== orders) throw new WrongWorkError(`of ${orders} orders ${recorded} are in the outbox`);
      return { 'entries of the outbox': entries.length };
    },
  };
}

function sendingSide(workers: number, profileFolder?: string): PostingSide {
  const receiver = forkProcess('webhooks/receiver-main.ts');
  return {
    ...productSide(workers, profileFolder),
    async start(stage) {
      const port = (await receiver.next()) as number;
      await createWebhook(stage, `http://127.0.0.1:${port}/`);
      const running = await startWorkers(
        { env: { ...stage.env, WEBHOOK_ALLOW_LOCAL: 'true' } },
        workers,
        profileFolder,
      );
      return {
        pids: { ...running.pids, receiver: receiver.pid },
        async stop() {
          await Promise.all([running.stop(), receiver.stop()]);
        },
      };
    },
    async finish(orders) {
      const startedAt = performance.now();
      const count = async (): Promise<number> => {
        receiver.send({});
        return (await receiver.next()) as number;
      };
      const receivedBefore = await count();
      for (let received = receivedBefore; received < orders; received = await count()) {
        if (performance.now() - startedAt > receivedWithinMs) {
          throw new WrongWorkError(`of ${orders} events ${received} were received`);
        }
        await delay(pollMs);
      }
      const seconds = (performance.now() - startedAt) / 1000;
      return {
        'received when all were posted': receivedBefore,
        'received a second, after that': (orders - receivedBefore) / seconds,
      };
    },
  };
}

async function createWebhook({ world }: Stage, url: string): Promise<void> {
  const values = { workspaceId: world.workspaceId, url, description: '', events: webhookTypes };
  const keys = new Map([[1, world.masterKey]]);
  await world.collections.webhookEndpoints.create(values, (id) => sealSecret(newWebhookSecret(), id, keys));
}
