import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import type { Client } from '../support/api-client.ts';
import { postingQueueName } from '../../src/queue/posting-queue.ts';
import { testRedis } from '../support/redis.ts';
import { queueTexts, watchSecrets } from '../support/secrets-watch.ts';

const { url } = await testRedis();
const leaky: Client = {
  request: () => Promise.resolve({ status: 200, headers: {}, envelope: undefined, text: 'it was 0123456789abcdef' }),
  close: () => undefined,
};

describe('what every test that starts a service watches for', () => {
  test('is a secret in a text, told without repeating it', () => {
    const secrets = watchSecrets();
    secrets.guard('0123456789abcdef');
    secrets.see('a log line', '{"msg":"nothing"}');
    expect(secrets.leaks()).toEqual([]);
    secrets.see('a log line', '{"msg":"0123456789abcdef"}');
    expect(secrets.leaks()).toEqual(['a secret was seen in a log line']);
  });

  test('is a secret in an answer', async () => {
    const secrets = watchSecrets();
    secrets.guard('0123456789abcdef');
    await secrets.watched(leaky).request('GET', '/');
    expect(secrets.leaks()).toEqual(['a secret was seen in an answer']);
  });

  test('is what a job carries', async () => {
    const redis = new Redis(url, { maxRetriesPerRequest: null });
    const queue = new Queue(postingQueueName, { connection: redis, prefix: `test-${randomUUID()}` });
    await queue.add('post', { bucket: 0, causes: ['canary-in-a-job'] });
    expect((await queueTexts(url)).join('\n')).toContain('canary-in-a-job');
    await queue.close();
    redis.disconnect();
  });
});
