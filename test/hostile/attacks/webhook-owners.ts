import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callsPerMinute, replayedAtOnceMax } from '../../../src/redis/webhook-limits.ts';
import { endpointsMax } from '../../../src/storage/webhooks/endpoints.ts';
import { createClient } from '../../support/api-client.ts';
import { waitFor } from '../../support/wait-for.ts';
import { evenly, host, type Attack, type Target } from '../attack.ts';

const path = '/api/v1/webhooks';
const events = ['transfer.completed', 'transfer.failed'];
export const env = { WEBHOOK_ALLOW_LOCAL: 'true' };
const callsPerSecond = 60;
const replaysPerSecond = 20;
const orders = 200;
/** What a failing receiver is sent before it backs off, and the tries that are due in some minutes. */
const failingPostsMax = 40;
const deliveredWithinMs = 30_000;

/** Receivers of the attacker's, one port for all its webhooks. */
async function startReceiver(status: number) {
  const seen = { posts: 0, bytes: 0 };
  const server = createServer((request, response) => {
    seen.posts += 1;
    request.on('data', (chunk: Buffer) => (seen.bytes += chunk.length));
    request.on('end', () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    seen,
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Receiver {
  /** To which the webhook's place among others is added. */
  readonly url: string;
  close(): void | Promise<void>;
}

/** A workspace's owner, with webhooks at one receiver. */
export async function openOwner({ webPort, attacker }: Target, receiver: Receiver, count: number) {
  const client = createClient({ baseUrl: `http://${host}:${webPort}`, ...attacker.key });
  const make = async (_: unknown, index: number): Promise<string> => {
    const body = { url: `${receiver.url}${index}`, events };
    const { envelope, text } = await client.request<{ id: string } | null>('POST', path, { body });
    if (!envelope?.data) throw new Error(text);
    return envelope.data.id;
  };
  const ids = await Promise.all(Array.from({ length: count }, make));
  const [sourceWalletId, targetWalletId] = attacker.walletIds;
  return {
    ids,
    call: (rest: string, body?: object): void => {
      client.request('POST', path + rest, body === undefined ? {} : { body }).catch(() => undefined);
    },
    transfer: async (): Promise<void> => {
      const body = { sourceWalletId, targetWalletId, amount: '0.01', currency: 'USD' };
      await client.request('POST', '/api/v1/transfer/command/create', { body });
    },
    /** Another attack may follow. */
    stop: async (): Promise<void> => {
      await Promise.all(ids.map((id) => client.request('POST', `${path}/${id}/delete`).catch(() => undefined)));
      client.close();
      await receiver.close();
    },
  };
}

/** Has a worker send a webhook. */
export async function deliverOnce(target: Target): Promise<void> {
  const receiver = await startReceiver(204);
  const owner = await openOwner(target, receiver, 1);
  await owner.transfer();
  await waitFor(() => receiver.seen.posts > 0, { timeoutMs: deliveredWithinMs, what: 'A webhook' });
  await owner.stop();
}

/** Something comes, and no more than may. */
function owedOf(posts: number, postsMax: number): string[] {
  return posts > 0 && posts <= postsMax ? [] : [`the receivers were sent ${posts} messages`];
}

/** The owner of a webhook whose receiver answers 500 asks for all that may have it tried. */
export const failingWebhook: Attack = {
  name: 'failing-webhook',
  what: `${callsPerSecond} tests, replays, enables, disables and rotations a second of a webhook that answers 500`,
  against: 'worker',
  env,
  warmUp: deliverOnce,
  async start(target, { seconds, share }) {
    const receiver = await startReceiver(500);
    const owner = await openOwner(target, receiver, 1);
    const [id = ''] = owner.ids;
    await owner.transfer();
    const calls = [
      ['test'],
      ['replay', { since: new Date(Date.now() - 3_600_000).toISOString() }],
      ['rotate'],
      ['disable'],
      ['enable'],
    ] as const;
    let made = 0;
    return {
      sent: evenly(Math.ceil(callsPerSecond * seconds * share), seconds, () => {
        const [verb = '', body] = calls[made++ % calls.length] ?? [];
        owner.call(`/${id}/${verb}`, body);
      }),
      bytes: () => receiver.seen.bytes,
      seen: () => `${receiver.seen.posts} messages came to the receiver`,
      owed: () => owedOf(receiver.seen.posts, failingPostsMax),
      stop: owner.stop,
    };
  },
};

/** The owner of ten webhooks has all replayed again and again. */
export const replays: Attack = {
  name: 'replays',
  what: `${replaysPerSecond} replays a second, of ${orders} orders at ${endpointsMax} webhooks`,
  against: 'worker',
  env,
  warmUp: deliverOnce,
  async start(target, { seconds, share }) {
    const receiver = await startReceiver(204);
    const owner = await openOwner(target, receiver, endpointsMax);
    const startedAt = performance.now();
    const count = Math.ceil(orders * share);
    await Promise.all(Array.from({ length: count }, owner.transfer));
    // Each is sent once as new.
    const passedSeconds = (): number => (performance.now() - startedAt) / 1_000;
    const postsMax = (): number => count * endpointsMax + (passedSeconds() + 1) * replayedAtOnceMax;
    let made = 0;
    return {
      sent: evenly(Math.ceil(replaysPerSecond * seconds * share), seconds, () => {
        const since = new Date(Date.now() - 3_600_000 - made).toISOString();
        owner.call(`/${owner.ids[made++ % endpointsMax] ?? ''}/replay`, { since });
      }),
      bytes: () => receiver.seen.bytes,
      seen: () =>
        `${receiver.seen.posts} messages came to the receivers; ${callsPerMinute.replay} replays a minute begin`,
      owed: () => owedOf(receiver.seen.posts, postsMax()),
      stop: owner.stop,
    };
  },
};
