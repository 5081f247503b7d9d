import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { malformed } from '../../src/auth/signing-headers.ts';
import { newId } from '../../src/domain/ids.ts';
import { ServiceError } from '../../src/errors.ts';
import { createRefusalLog } from '../../src/ops/refusal-log.ts';

let entries: Record<string, unknown>[];
let refuse: (headers?: Record<string, string | typeof malformed>, address?: string) => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  entries = [];
  const write = (line: string) => void entries.push(JSON.parse(line) as Record<string, unknown>);
  const logRefusal = createRefusalLog(pino({ base: null, timestamp: false }, { write }));
  refuse = (headers = {}, address = '203.0.113.9') => {
    const attempt = { header: (name: string) => headers[name], clientAddress: () => address };
    logRefusal({ step: 'signature', error: new ServiceError('SIGNATURE_MISMATCH'), attempt });
  };
});
afterEach(() => {
  vi.useRealTimers();
});

it('a refused request is told with step, code, key and address, and nothing else of it', () => {
  const keyId = newId('apiKey');
  const secret = 'of nobody but its owner';
  refuse({ 'x-api-key': keyId, 'x-nonce': secret, 'x-signature': secret, 'x-timestamp': secret });
  expect(entries).toEqual([
    {
      ...{ level: 40, msg: 'request refused by the authentication pipeline' },
      ...{ step: 'signature', code: 'GA2012', keyId, address: '203.0.113.9', leftOut: 0 },
    },
  ]);
});

it.each(['the secret, in the wrong header', '', `${newId('apiKey')}x`])(
  'what has not the form of a key is not told: %s',
  (value) => {
    refuse({ 'x-api-key': value });
    expect(entries).toMatchObject([{ keyId: null }]);
  },
);

it('of a key that came several times none is told', () => {
  refuse({ 'x-api-key': malformed });
  expect(entries).toMatchObject([{ keyId: null }]);
});

it('a flood is five entries a second; the next one says how many were left out', () => {
  for (let count = 0; count < 1_000; count += 1) refuse();
  expect(entries.map(({ leftOut }) => leftOut)).toEqual([0, 0, 0, 0, 0]);
  vi.advanceTimersByTime(1_000);
  for (let count = 0; count < 3; count += 1) refuse();
  expect(entries.slice(5).map(({ leftOut }) => leftOut)).toEqual([995, 0, 0]);
});
