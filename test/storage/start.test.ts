import { MongoNetworkError, MongoServerError } from 'mongodb';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { bringUp } from '../../src/storage/shared/start.ts';

const log = pino({ level: 'silent' });
const { signal } = new AbortController();

describe('a step of the start', () => {
  test('is run again where MongoDB goes away in the middle of it', async () => {
    let runs = 0;
    const step = () => {
      runs += 1;
      return runs === 1 ? Promise.reject(new MongoNetworkError('connection closed')) : Promise.resolve('up');
    };
    expect(await bringUp(step, log, signal)).toBe('up');
    expect(runs).toBe(2);
  });

  test('is not run again where MongoDB refuses it', async () => {
    const refusal = new MongoServerError({ code: 13, errmsg: 'not authorized' });
    let runs = 0;
    const step = () => {
      runs += 1;
      return Promise.reject(refusal);
    };
    await expect(bringUp(step, log, signal)).rejects.toBe(refusal);
    expect(runs).toBe(1);
  });

  test('ends where the process is stopped meanwhile', async () => {
    const stopping = new AbortController();
    const step = () => {
      stopping.abort(new Error('stopped by SIGTERM'));
      return Promise.reject(new MongoNetworkError('connection closed'));
    };
    await expect(bringUp(step, log, stopping.signal)).rejects.toThrow('stopped by SIGTERM');
  });
});
