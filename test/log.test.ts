import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeError, createRepeatLimit } from '../src/log.ts';

it('of an error the log says what it is and where it came from, and nothing that hangs on it besides', () => {
  const cause = new Error('connection refused');
  const error = Object.assign(new Error('no primary', { cause }), {
    code: 11600,
    reason: { servers: ['pages'] },
    op: {},
  });
  const described = describeError(error);
  expect(Object.keys(described)).toEqual(['type', 'message', 'code', 'stack']);
  expect(described).toMatchObject({ type: 'Error', message: 'no primary: connection refused', code: 11600 });
  expect(described['stack']).toContain('caused by: Error: connection refused');
  expect(describeError(new Error('plain'))).not.toHaveProperty('code');
});

describe('an error that comes again and again', () => {
  const windowMs = 10_000;
  let lines: { level: number; msg: string; repeated?: number; attempt?: number }[];
  let limit: ReturnType<typeof createRepeatLimit>;
  let log: pino.Logger;

  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    limit = createRepeatLimit(windowMs);
    const write = (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]);
    log = pino({ hooks: { logMethod: limit.logMethod } }, { write });
  });
  afterEach(() => vi.useRealTimers());

  const refused = (port: number) => new Error(`connect ECONNREFUSED 127.0.0.1:${port}`);

  it('is written once, and then once a window with how often it came', () => {
    for (let attempt = 1; attempt <= 1_000; attempt += 1) {
      log.error({ err: refused(6000 + attempt), attempt }, 'request failed');
    }
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(windowMs);
    expect(lines).toMatchObject([{ attempt: 1 }, { attempt: 1_000, repeated: 999, level: 50, msg: 'request failed' }]);
    log.error({ err: refused(1) }, 'request failed');
    vi.advanceTimersByTime(windowMs);
    expect(lines.map(({ repeated }) => repeated)).toEqual([undefined, 999, 1]);
    vi.advanceTimersByTime(windowMs);
    log.error({ err: refused(1) }, 'request failed');
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).not.toHaveProperty('repeated');
  });

  it('hides no other cause, no fatal error, and nothing that is no error', () => {
    log.error({ err: refused(1) }, 'request failed');
    log.error({ err: refused(1) }, 'enqueuing failed');
    log.error({ err: new Error('no primary') }, 'request failed');
    log.warn({ err: refused(1) }, 'request failed');
    log.warn({ reason: 'no primary' }, 'trying again');
    for (let count = 0; count < 2; count += 1) {
      log.fatal({ err: refused(1) }, 'could not start');
      log.info({ err: refused(1) }, 'trying again');
      log.warn({ workspaceId: 'ws_1' }, 'refusing orders');
      log.error('without fields');
    }
    expect(lines).toHaveLength(5 + 2 * 4);
  });

  it('is written at the end of the process too', () => {
    for (let count = 0; count < 3; count += 1) log.warn({ reason: 'closed' }, 'Redis is away');
    limit.flush();
    limit.flush();
    expect(lines.map(({ repeated }) => repeated)).toEqual([undefined, 2]);
  });

  it('is remembered for a bounded number of causes', () => {
    const causes = Array.from({ length: 300 }, (_, index) => 'x'.repeat(index + 1));
    for (const reason of [...causes, ...causes]) log.warn({ reason }, 'failed');
    expect(lines).toHaveLength(600 - 200);
  });
});
