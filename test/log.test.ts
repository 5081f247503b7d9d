import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLogLimit, describeError, kindEveryMs } from '../src/log.ts';

describe('of an error the log says', () => {
  it('what it is and where it came from, and nothing that hangs on it besides', () => {
    const cause = new Error('a fault');
    const error = Object.assign(new Error('not posted', { cause }), {
      code: 11,
      reason: { servers: ['pages'] },
      op: {},
    });
    const described = describeError(error);
    expect(Object.keys(described)).toEqual(['type', 'message', 'code', 'stack']);
    expect(described).toMatchObject({ type: 'Error', message: 'not posted: a fault', code: 11 });
    expect(described['stack']).toContain('caused by: Error: a fault');
    expect(describeError(new Error('plain'))).not.toHaveProperty('code');
  });

  it('where it came from too, if it is of a file or this machine', () => {
    for (const code of ['ENOENT', 'EACCES', 'EMFILE']) {
      const error = Object.assign(new Error(`${code}: open 'x'`), { code });
      expect(describeError(error)['stack'], code).toContain('log.test.ts');
    }
  });

  it('what was thrown, if it is none', () => {
    expect(describeError('pages')).toEqual({ type: 'string', message: 'pages' });
    expect(describeError(null)).toEqual({ type: 'object', message: 'null' });
    expect(describeError({ of: 'a client' })).toEqual({ type: 'object', message: 'what was thrown is no error' });
  });

  it('only the message where a server does not answer', () => {
    const cause = new Error('connect ECONNREFUSED 127.0.0.1:1');
    const named = Object.assign(new Error(cause.message, { cause }), { name: 'MongoNetworkError' });
    expect(describeError(named)).toEqual({ type: 'Error', message: cause.message });
    for (const code of [
      'ECONNRESET',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EHOSTUNREACH',
      'EPIPE',
      'ETIMEDOUT',
      'ERR_SSL_ALERT',
    ]) {
      const ofSocket = Object.assign(new Error(`read ${code}`), { code });
      expect(describeError(ofSocket)).toEqual({ type: 'Error', message: `read ${code}`, code });
    }
    expect(describeError(new Error('Command timed out'))).not.toHaveProperty('stack');
  });
});

interface Line {
  msg: string;
}

describe('what happens again and again', () => {
  let nowMs: number;
  let lines: Line[];
  let limit: ReturnType<typeof createLogLimit>;
  let log: pino.Logger;

  beforeEach(() => {
    nowMs = 0;
    lines = [];
    limit = createLogLimit({ now: () => nowMs });
    const write = (line: string) => lines.push(JSON.parse(line) as Line);
    log = pino({ hooks: { logMethod: limit.logMethod } }, { write });
  });

  const fault = (text: string) => new Error(text);
  const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const told = () => lines.map(({ msg }) => msg);

  it('is written once a minute', () => {
    for (nowMs = 1; nowMs <= kindEveryMs + 100; nowMs += kindEveryMs / 1_000)
      log.error({ err: fault(`of 127.0.0.1:${nowMs}`), attempt: nowMs }, 'request failed');
    expect(told()).toEqual(['request failed', 'request failed']);
  });

  it('is of one kind whatever its error or its sender says, so that neither can fill the log', () => {
    for (let number = 0; number < 2_000; number += 1)
      log.warn({ keyId: `ak_${number}`, address: String(number), err: fault(String(number)) }, 'request refused');
    log.warn('another');
    expect(told()).toEqual(['request refused', 'another']);
  });

  it('hides no other cause, nothing about something else, no fatal error, and nothing that is no warning', () => {
    log.error({ err: fault('a') }, 'request failed');
    log.error({ err: new TypeError('a') }, 'request failed');
    log.error({ err: fault('made elsewhere') }, 'enqueuing failed');
    log.warn({ err: fault('a') }, 'request failed');
    for (const workspaceId of ['ws_1', 'ws_2', 'ws_2']) log.warn({ workspaceId }, 'refusing orders');
    for (let count = 0; count < 2; count += 1) {
      log.fatal({ err: fault('a') }, 'could not start');
      log.info({ version: 1 }, 'starting');
    }
    expect(lines).toHaveLength(6 + 2 * 2);
  });

  it('is not written of a server that is known to be away, but for that it is away and back', () => {
    log.warn({ err: away() }, 'sweeping failed; tried again');
    limit.note('redis', true);
    log.warn({ event: 'away', server: 'redis' }, 'Redis is away');
    log.warn({ err: away() }, 'a heartbeat failed; tried again');
    log.error({ server: 'redis', why: 'UNAVAILABLE' }, 'request not served');
    log.error({ server: 'mongodb', why: 'UNAVAILABLE' }, 'request not served');
    log.error({ err: fault('a') }, 'request failed');
    limit.note('redis', false);
    log.warn({ event: 'recovered', server: 'redis' }, 'Redis answers again');
    log.error({ server: 'redis', why: 'UNAVAILABLE' }, 'request not served');
    expect(told()).toEqual([
      ...['sweeping failed; tried again', 'Redis is away', 'request not served', 'request failed'],
      ...['Redis answers again', 'request not served'],
    ]);
  });
});
