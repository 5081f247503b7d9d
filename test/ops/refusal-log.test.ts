import { pino } from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { malformed } from '../../src/auth/signing-headers.ts';
import { newId } from '../../src/domain/ids.ts';
import { ServiceError, type ErrorName } from '../../src/errors.ts';
import { createObservers } from '../../src/ops/observers.ts';

let entries: Record<string, unknown>[];
let refuse: (headers?: Record<string, string | typeof malformed>, address?: string, errorName?: ErrorName) => void;

beforeEach(() => {
  entries = [];
  const write = (line: string) => void entries.push(JSON.parse(line) as Record<string, unknown>);
  const observers = createObservers(pino({ base: null, timestamp: false }, { write }));
  refuse = (headers = {}, address = '203.0.113.9', errorName = 'SIGNATURE_MISMATCH') => {
    const attempt = { header: (name: string) => headers[name], clientAddress: () => address };
    observers.refused({ step: 'signature', error: new ServiceError(errorName), attempt });
  };
});

it('a refused request is told with step, code, key and address, and nothing else of it', () => {
  const keyId = newId('apiKey');
  const secret = 'of nobody but its owner';
  refuse({ 'x-api-key': keyId, 'x-nonce': secret, 'x-signature': secret, 'x-timestamp': secret });
  expect(entries).toEqual([
    {
      ...{ level: 40, msg: 'request refused by the authentication pipeline' },
      ...{ step: 'signature', code: 'GA2012', why: 'SIGNATURE_MISMATCH', keyId, address: '203.0.113.9' },
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

it.each([
  ['API_KEY_NOT_FOUND', true],
  ['WORKSPACE_NOT_FOUND', true],
  ['SCOPE_MISSING', true],
  ['ENDPOINT_UNKNOWN', true],
  ['KEY_RATE_EXCEEDED', false],
  ['UNAVAILABLE', false],
  ['BODY_TOO_LARGE', false],
] as const)('%s is a failed authentication: %s', (errorName, isTold) => {
  refuse({}, undefined, errorName);
  expect(entries.map(({ why }) => why)).toEqual(isTold ? [errorName] : []);
});
