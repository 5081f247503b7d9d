import type { IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { ServiceError } from '../../src/errors.ts';
import { createFailureLog } from '../../src/http/failure-log.ts';

const keyId = newId('apiKey');

function logOf(error: ServiceError, key = keyId): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const log = pino({ base: null, timestamp: false, level: 'debug' }, { write });
  const req = { rawHeaders: ['X-Api-Key', key], socket: { remoteAddress: '203.0.113.9' } };
  createFailureLog(log, [])(error, req as unknown as IncomingMessage, 'id');
  return lines;
}

const unavailable = { level: 50, msg: 'request not served', why: 'UNAVAILABLE', code: 'SY5031', requestId: 'id' };

it('a request over its rate is told with its key, if it has the form of one, and its address', () => {
  const told = { level: 40, msg: 'request over its rate', code: 'RQ4291', address: '203.0.113.9', requestId: 'id' };
  for (const why of ['KEY_RATE_EXCEEDED', 'ADDRESS_RATE_EXCEEDED', 'WEBHOOK_RATE_EXCEEDED'] as const) {
    expect(logOf(new ServiceError(why))).toEqual([{ ...told, why, keyId }]);
  }
  expect(logOf(new ServiceError('KEY_RATE_EXCEEDED'), 'a secret in the wrong place')).toMatchObject([{ keyId: null }]);
});

it('one that is not served is told with the server that is away, and why', () => {
  const cause = new Error('outer', { cause: new Error('Command timed out') });
  const error = new ServiceError('UNAVAILABLE', { cause, server: 'redis' });
  expect(logOf(error)).toEqual([{ ...unavailable, server: 'redis', reason: 'Command timed out' }]);
  expect(logOf(new ServiceError('BACKLOG_FULL'))).toEqual([{ ...unavailable, why: 'BACKLOG_FULL' }]);
});

it('a fault of the service is told with its error', () => {
  const cause = new Error('a secret cannot be opened');
  const [unopened] = logOf(new ServiceError('UNAVAILABLE', { cause }));
  expect(unopened).toMatchObject({ ...unavailable, err: { message: cause.message } });
  const [failed] = logOf(new ServiceError('INTERNAL_ERROR', { cause }));
  expect(failed).toMatchObject({ level: 50, msg: 'request failed', code: 'SY5001', err: { message: cause.message } });
});

it('what is the client’s affair is told only at debug', () => {
  expect(logOf(new ServiceError('BODY_TOO_LARGE'))).toMatchObject([{ level: 20, why: 'BODY_TOO_LARGE' }]);
  const simulated = new ServiceError('UNAVAILABLE', { isSimulated: true });
  expect(logOf(simulated)).toMatchObject([{ level: 20, why: 'UNAVAILABLE' }]);
});
