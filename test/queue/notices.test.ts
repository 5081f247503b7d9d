import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { createNoticeSender, subscribeToNotices } from '../../src/queue/notices.ts';
import { testRedis } from '../support/redis.ts';

const { url } = await testRedis();
const prefix = 'notices-test';
const waitMs = 20_000;

let [publisher, subscriber]: Redis[] = [];

beforeAll(() => {
  [publisher, subscriber] = [new Redis(url), new Redis(url)];
});
afterAll(() => {
  publisher?.disconnect();
  subscriber?.disconnect();
});

test('a wait may end within a fraction of a millisecond', async () => {
  const notices = await subscribeToNotices(subscriber!, prefix);
  expect(await notices.hear([newId('order')], 0.5, new AbortController().signal)).toBe(false);
});

test('what others publish on the channel ends nobody who waits, and no process', async () => {
  const notices = await subscribeToNotices(subscriber!, prefix);
  const orderId = newId('order');
  const hearing = notices.hear([orderId], waitMs, new AbortController().signal);
  for (const message of ['', 'no JSON', '{"length": 1}', '["error", 1, null]']) {
    await publisher!.publish(`${prefix}:posted`, message);
  }
  createNoticeSender(publisher!, prefix)([orderId]);
  expect(await hearing).toBe(true);
});

test('a wait for several orders ends with the notice of the last of them', async () => {
  const notices = await subscribeToNotices(subscriber!, prefix);
  const [first, second, other] = [newId('order'), newId('order'), newId('order')];
  const [client, send] = [new AbortController(), createNoticeSender(publisher!, prefix)];
  const both = notices.hear([first, second, first], waitMs, client.signal);
  const never = notices.hear([first, other], waitMs, client.signal);
  send([first]);
  // What was sent before it has arrived before it.
  const marker = notices.hear([newId('order')], 50, client.signal);
  expect(await Promise.race([both, never, marker])).toBe(false);
  send([second]);
  expect(await both).toBe(true);
  client.abort();
  expect(await never).toBe(false);
});

test('a notice that came a moment before is heard', async () => {
  const notices = await subscribeToNotices(subscriber!, prefix);
  const [posted, marker] = [newId('order'), newId('order')];
  createNoticeSender(publisher!, prefix)([posted, marker]);
  expect(await notices.hear([marker], waitMs, new AbortController().signal)).toBe(true);
  expect(await notices.hear([posted, marker], waitMs, new AbortController().signal)).toBe(true);
  expect(await notices.hear([posted, newId('order')], 50, new AbortController().signal)).toBe(false);
});
