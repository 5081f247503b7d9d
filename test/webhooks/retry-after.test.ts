import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { retryAfterMaxMs, retryAfterMs } from '../../src/webhooks/send.ts';
import { testDatabase } from '../support/database.ts';
import { openDelivery, startReceiver } from './delivering.ts';

const now = Date.parse('1994-11-06T08:49:00Z');

describe('what a receiver asks for', () => {
  it.each([
    ['seconds', 429, '60', 60_000],
    ['seconds', 503, '0', 0],
    ['a date', 429, 'Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
    ['a date of RFC 850', 503, 'Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
    ['a date of asctime', 503, 'Sun Nov  6 08:49:37 1994', 37_000],
    ['a date that has passed', 503, 'Sun, 06 Nov 1994 08:48:59 GMT', 0],
    ['more than is heeded', 503, '86400', retryAfterMaxMs],
    ['a date later than is heeded', 429, 'Mon, 07 Nov 1994 08:49:37 GMT', retryAfterMaxMs],
    ['seconds without end', 429, '9'.repeat(400), retryAfterMaxMs],
  ])('in %s (%i, %s) is heeded', (_, status, header, ms) => {
    expect(retryAfterMs(status, header, now)).toBe(ms);
  });

  it.each([
    ['nothing', 429, undefined],
    ['no time', 429, 'soon'],
    ['nothing that can be read', 429, ''],
    ['negative seconds', 503, '-5'],
    ['half seconds', 503, '1.5'],
    ['a date of another form', 503, '1994-11-06T08:49:37Z'],
    ['a date that is none', 503, 'Sun, 99 Nov 1994 08:49:37 GMT'],
    ['seconds with another status', 500, '60'],
    ['seconds with 200', 200, '60'],
  ])('%s is not', (_, status, header) => {
    expect(retryAfterMs(status, header, now)).toBe(0);
  });
});

describe('an event, and its endpoint', () => {
  const database = testDatabase();
  let delivery: Awaited<ReturnType<typeof openDelivery>>;
  beforeAll(async () => {
    delivery = await openDelivery(database);
  });
  afterAll(() => {
    delivery.close();
  });

  async function answeredWith(status: number, retryAfter: string) {
    const receiver = await startReceiver((_, response) => {
      response.writeHead(status, { 'Retry-After': retryAfter }).end();
    });
    onTestFinished(() => receiver.close());
    const { id } = await delivery.endpoint(receiver.url);
    await delivery.settle(1, [id]);
    await delivery.deliver(id);
    const [event] = await delivery.deliveries(id);
    const { retryAt } = await delivery.find(id);
    const at = receiver.received[0]?.at ?? NaN;
    return { event: Number(event?.nextAttemptAt) - at, endpoint: Number(retryAt) - at };
  }

  it.each([429, 503])('are not tried before it has passed, after %i', async (status) => {
    const after = await answeredWith(status, '120');
    expect(after.event).toBeGreaterThanOrEqual(120_000);
    expect(after.endpoint).toBeGreaterThanOrEqual(120_000);
  });

  it('wait for their own pause, where that is longer', async () => {
    const after = await answeredWith(429, '1');
    expect(after.event).toBeGreaterThanOrEqual(4_000);
  });

  it('wait too where the receiver takes another event after it has asked for it', async () => {
    const isRefused = Promise.withResolvers<undefined>();
    const receiver = await startReceiver((_, response) => {
      // Of those that are sent at once, the first is taken after all others were refused.
      if (receiver.received.length === 1) void isRefused.promise.then(() => response.end());
      else
        response.writeHead(429, { 'Retry-After': '120' }).end(() => {
          isRefused.resolve(undefined);
        });
    });
    onTestFinished(() => receiver.close());
    const { id } = await delivery.endpoint(receiver.url);
    await delivery.settle(4, [id]);
    await delivery.settle(4, [id]);
    await delivery.deliver(id);
    const { failures, retryAt } = await delivery.find(id);
    expect(failures).toBe(0);
    expect(Number(retryAt) - (receiver.received[0]?.at ?? NaN)).toBeGreaterThanOrEqual(120_000);
    // The second four were not sent any more.
    expect(receiver.received).toHaveLength(4);
  });

  it('do not, after another status', async () => {
    const after = await answeredWith(500, '7200');
    expect(after.event).toBeLessThan(60_000);
    expect(after.endpoint).toBeLessThan(60_000);
  });
});
