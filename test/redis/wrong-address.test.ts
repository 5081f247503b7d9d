import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisUrl } from '../../local/redis.ts';
import { SettingsError } from '../../src/settings/config.ts';
import { connectRedis } from '../../src/redis/connection.ts';
import { startRedisNode, type RedisNode } from '../support/redis-node.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'test-redis-refusing-'));
let node: RedisNode | undefined;
beforeAll(async () => {
  node = await startRedisNode({ dataDir: folder, args: [] });
  const admin = new Redis(redisUrl(node.port));
  await admin.config('SET', 'requirepass', 'right');
  admin.disconnect();
});
afterAll(async () => {
  await node?.stop();
  rmSync(folder, { recursive: true });
});

async function connect(url: string): Promise<unknown> {
  const giveUp = AbortSignal.timeout(30_000);
  const redis = await connectRedis({ REDIS_URL: url }, 'request', pino({ level: 'silent' }), giveUp);
  redis.disconnect();
  return 'connected';
}

describe('a wrong address of Redis is refused at once', () => {
  const at = (credentials: string) => redisUrl(node?.port ?? 0).replace('://', `://${credentials}`);
  it.each<[string, () => string, RegExp]>([
    ['a wrong password', () => at(':hunter2@'), /^REDIS_URL is wrong: Redis refuses: WRONGPASS/],
    ['no password', () => at(''), /^REDIS_URL is wrong: Redis refuses: NOAUTH/],
  ])('%s', async (_, url, message) => {
    const refused = await connect(url()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SettingsError);
    expect((refused as Error).message).toMatch(message);
    expect((refused as Error).message).not.toContain('hunter2');
  });

  it('the right one is taken', async () => {
    expect(await connect(at(':right@'))).toBe('connected');
  });
});
