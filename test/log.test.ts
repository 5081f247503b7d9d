import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger, createThreadLogger, logFromThread } from '../src/log.ts';
import { createRepeatLimit, kindsOfMessageMax, stateWindowMs } from '../src/log-repeats.ts';
import { describeError } from '../src/logged-error.ts';

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
    expect(describeError({ type: 'Error', message: 'of a thread' })).toEqual({ type: 'Error', message: 'of a thread' });
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
  level: number;
  time: number;
  msg: string;
  count?: number;
  firstAt?: string;
  lastAt?: string;
  attempt?: number;
}

describe('what happens again and again', () => {
  const windowMs = 60_000;
  let lines: Line[];
  let limit: ReturnType<typeof createRepeatLimit>;
  let log: pino.Logger;

  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    limit = createRepeatLimit(windowMs);
    const write = (line: string) => lines.push(JSON.parse(line) as Line);
    log = pino({ hooks: { logMethod: limit.logMethod } }, { write });
  });
  afterEach(() => vi.useRealTimers());

  const fault = (port: number) => new Error(`fault of 127.0.0.1:${port}`);
  const told = () => lines.map(({ msg, count }) => (count === undefined ? msg : `${count} ${msg}`));

  it('is written once, and then once a window: the last, with their number and times', () => {
    log.error({ err: fault(1), attempt: 0 }, 'request failed');
    const startedAt = Date.now();
    for (let attempt = 1; attempt <= 1_000; attempt += 1) {
      vi.advanceTimersByTime(10);
      log.error({ err: fault(6000 + attempt), attempt }, 'request failed');
    }
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(windowMs);
    const times = { firstAt: new Date(startedAt + 10), lastAt: new Date(startedAt + 10_000) };
    const summary = { attempt: 1_000, count: 1_000, level: 50, firstAt: times.firstAt.toISOString() };
    expect(lines.slice(1)).toMatchObject([{ ...summary, lastAt: times.lastAt.toISOString() }]);
    log.error({ err: fault(1) }, 'request failed');
    vi.advanceTimersByTime(2 * windowMs);
    expect(told().slice(2)).toEqual(['1 request failed']);
    log.error({ err: fault(1) }, 'request failed');
    expect(told().slice(3)).toEqual(['request failed']);
  });

  it('stands before the line that says it works again, and in the order of the times', () => {
    for (let round = 0; round < 3; round += 1) {
      log.warn({ event: 'away', server: 'redis' }, 'Redis is away');
      for (let count = 0; count < 3; count += 1) log.warn({ reason: String(count) }, 'a connection failed');
      vi.advanceTimersByTime(stateWindowMs);
      log.warn({ event: 'recovered', server: 'redis' }, 'Redis answers again');
      vi.advanceTimersByTime(stateWindowMs);
    }
    const [first, ...more] = ['Redis is away', 'a connection failed', '2 a connection failed', 'Redis answers again'];
    const again = [first, '3 a connection failed', 'Redis answers again'];
    expect(told()).toEqual([first, ...more, ...again, ...again]);
    expect(lines.map(({ time }) => time)).toEqual(lines.map(({ time }) => time).toSorted((a, b) => a - b));
  });

  it('is also what goes and comes several times a second', () => {
    for (let time = 0; time < 100; time += 1) {
      log.warn({ event: 'away', server: 'redis' }, 'Redis is away');
      log.warn({ event: 'recovered', server: 'redis' }, 'Redis answers again');
      vi.advanceTimersByTime(200);
    }
    vi.advanceTimersByTime(windowMs);
    expect(told().slice(0, 2)).toEqual(['Redis is away', 'Redis answers again']);
    expect(lines.length).toBeLessThan(10);
  });

  it('hides no other cause, nothing about something else, no fatal error, and nothing that is no warning', () => {
    log.error({ err: fault(1) }, 'request failed');
    log.error({ err: fault(1) }, 'enqueuing failed');
    log.error({ err: new Error('no primary') }, 'request failed');
    log.warn({ err: fault(1) }, 'request failed');
    log.warn({ workspaceId: 'ws_1' }, 'refusing orders');
    log.warn({ workspaceId: 'ws_2' }, 'refusing orders');
    for (let count = 0; count < 2; count += 1) {
      log.fatal({ err: fault(1) }, 'could not start');
      log.info({ partitions: [1] }, 'partitions');
    }
    log.warn({ workspaceId: 'ws_2' }, 'refusing orders');
    expect(lines).toHaveLength(6 + 2 * 2);
  });

  it('is one, whatever the error says, where a server does not answer', () => {
    for (const name of ['MongoNetworkError', 'MongoServerSelectionError', 'TimeoutError']) {
      log.warn({ err: Object.assign(new Error(name), { name }) }, 'heartbeat failed');
    }
    limit.flush();
    expect(told()).toEqual(['heartbeat failed', '2 heartbeat failed']);
  });

  it('is written at the end of the process too, before the line that says so', () => {
    for (let count = 0; count < 3; count += 1) log.warn('Redis is away');
    log.info({ event: 'stopped' }, 'stopped');
    log.warn('Redis is away');
    limit.flush();
    limit.flush();
    expect(told()).toEqual(['Redis is away', '2 Redis is away', 'stopped', '1 Redis is away']);
  });

  it('is told apart in a bounded number of kinds of a message', () => {
    for (let key = 0; key < 2_000; key += 1) log.warn({ keyId: `ak_${key}` }, 'request refused');
    log.warn({ keyId: 'ak_0' }, 'another request refused');
    expect(lines).toHaveLength(kindsOfMessageMax + 2);
    vi.advanceTimersByTime(windowMs);
    expect(lines.slice(kindsOfMessageMax + 2)).toMatchObject([{ count: 2_000 - kindsOfMessageMax - 1 }]);
    vi.advanceTimersByTime(windowMs);
    log.warn({ keyId: 'ak_2000' }, 'request refused');
    expect(lines.at(-1)).not.toHaveProperty('count');
  });

  it('blames nobody for what others did, if there are too many to be told apart', () => {
    const refuse = (keyId: string, step: string): void => {
      log.warn({ keyId, step, address: '203.0.113.9' }, 'request refused');
    };
    for (let key = 0; key < kindsOfMessageMax + 5; key += 1) refuse(`ak_${key}`, 'signature');
    for (let count = 0; count < 3; count += 1) refuse('ak_real', 'ip whitelist');
    expect(lines.at(-1)).toMatchObject({ keyId: 'ak_real', step: 'ip whitelist' });
    const written = lines.length;
    expect(written).toBe(kindsOfMessageMax + 2);
    limit.flush();
    expect(lines.slice(written)).toMatchObject([
      { step: 'signature', count: 4 },
      { step: 'ip whitelist', count: 2 },
    ]);
    for (const line of lines.slice(written)) {
      for (const name of ['keyId', 'address']) expect(line).not.toHaveProperty(name);
    }
  });

  it('is known by the beginning of a long text', () => {
    const long = 'a'.repeat(1_000_000);
    for (const end of ['x', 'y']) log.error({ err: new Error(long + end), keyId: long + end }, long + end);
    expect(lines).toHaveLength(1);
  });
});

it('a line of a thread is the process’s own: its repeats are counted with the others, and secrets are replaced', () => {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const { log, flushRepeats } = createLogger('worker', 'info', { write });
  const thread = createThreadLogger('info', (line) => {
    logFromThread(log, line);
  });
  const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  log.warn({ err: away() }, 'sweeping failed');
  thread.warn({ err: away(), secret: 'of nobody' }, 'sweeping failed');
  thread.error({ err: new Error('a fault') }, 'a run failed');
  flushRepeats();
  expect(lines).toMatchObject([
    { level: 40, name: 'worker', msg: 'sweeping failed' },
    { level: 50, name: 'worker', msg: 'a run failed', err: { message: 'a fault' } },
    { level: 40, name: 'worker', msg: 'sweeping failed', count: 1, secret: '[redacted]' },
  ]);
  expect(lines[1]?.['err']).toHaveProperty('stack');
});
