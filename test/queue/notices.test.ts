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
  expect(await notices.listen([newId('order')], 0.5, new AbortController().signal).heard).toBe(false);
});

test('what others publish on the channel ends nobody who waits, and no process', async () => {
  const notices = await subscribeToNotices(subscriber!, prefix);
  const orderId = newId('order');
  const hearing = notices.listen([orderId], waitMs, new AbortController().signal).heard;
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
  const both = notices.listen([first, second, first], waitMs, client.signal).heard;
  const never = notices.listen([first, other], waitMs, client.signal).heard;
  send([first]);
  // What was sent before it has arrived before it.
  const marker = notices.listen([newId('order')], 50, client.signal).heard;
  expect(await Promise.race([both, never, marker])).toBe(false);
  send([second]);
  expect(await both).toBe(true);
  client.abort();
  expect(await never).toBe(false);
});

test('a wait ends once those that it has not heard of are known to have ended', async () => {
  const notices = await subscribeToNotices(subscriber!, prefix);
  const [first, second] = [newId('order'), newId('order')];
  const { heard, drop } = notices.listen([first, second], waitMs, new AbortController().signal);
  createNoticeSender(publisher!, prefix)([second]);
  drop(first);
  drop(first);
  expect(await heard).toBe(true);
});
