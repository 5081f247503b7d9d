import { Redis } from 'ioredis';
import type { Client } from './api-client.ts';
import { parseRedisAddress } from '../../src/settings/redis-address.ts';

/** Looks for secrets in whatever a service lets be seen, in every test that starts one. */
export interface SecretsWatch {
  /** From now on this text must be in nothing that is seen. */
  guard(secret: string): void;
  see(where: string, text: string): void;
  /** The same client; its answers are seen. */
  watched(client: Client): Client;
  /** Where a secret was seen, each place once; the secret itself is not repeated. */
  leaks(): string[];
}

const SECRET_LENGTH_MIN = 16;

export function watchSecrets(): SecretsWatch {
  const secrets = new Set<string>();
  const leaks = new Set<string>();
  function see(where: string, text: string): void {
    for (const secret of secrets) if (text.includes(secret)) leaks.add(`a secret was seen in ${where}`);
  }
  return {
    guard(secret) {
      // A short one would be found by chance.
      if (secret.length >= SECRET_LENGTH_MIN) secrets.add(secret);
    },
    see,
    watched: (client) => ({
      ...client,
      async request(method, path, options) {
        const answer = await client.request(method, path, options);
        see('an answer', answer.text + JSON.stringify(answer.headers));
        return answer as never;
      },
    }),
    leaks: () => [...leaks],
  };
}

/** What the queues hold: jobs, their data, results and reasons. Nothing where Redis is gone by then. */
export async function queueTexts(redisUrl: string): Promise<string[]> {
  const address = parseRedisAddress(redisUrl);
  const urls =
    address?.kind === 'cluster' ? address.nodes.map(({ host, port }) => `redis://${host}:${port}`) : [redisUrl];
  return (await Promise.all(urls.map(textsOfServer))).flat();
}

async function textsOfServer(redisUrl: string): Promise<string[]> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on('error', () => undefined);
  const texts: string[] = [];
  try {
    await redis.connect();
    for await (const keys of redis.scanStream({ match: '*:{posting}*', type: 'hash', count: 1_000 })) {
      for (const key of keys as string[]) texts.push(key, JSON.stringify(await redis.hgetall(key)));
    }
  } catch {
    // A test may have killed it.
  } finally {
    redis.disconnect();
  }
  return texts;
}

/** The pages that a process shows its operator. Nothing of a process that has ended. */
export async function opsTexts(opsUrl: string, token: string | undefined): Promise<string[]> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const pages = await Promise.allSettled(
    ['/metrics', '/readyz', '/', '/scaling'].map(async (page) => (await fetch(opsUrl + page, { headers })).text()),
  );
  return pages.flatMap((page) => (page.status === 'fulfilled' ? [page.value] : []));
}
