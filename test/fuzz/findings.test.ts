import { expect, it } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { errorEnvelope } from '../../src/http/envelope.ts';
import type { FuzzRequest } from './build.ts';
import { createFindings } from './findings.ts';
import { createJudge } from './judge.ts';

const request: FuzzRequest = {
  ...{ number: 7, kind: 'valid', bytes: Buffer.from('GET'), nonce: 'a', isRight: () => true },
  ...{ isFramed: true, isHead: false, hasBody: false, isOutside: false, hasBound: false },
};
const headers = {
  ...{ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  ...{ 'retry-after': '1', 'x-error-reason': 'UNAVAILABLE' },
};
const unavailable = (requestId: string) => ({
  status: 503,
  headers: new Map(Object.entries({ ...headers, 'x-content-type-options': 'nosniff', 'x-request-id': requestId })),
  body: Buffer.from(JSON.stringify(errorEnvelope(new ServiceError('UNAVAILABLE'), undefined, new Date()))),
});

it('keeps what is wrong with its request, and counts what there was', () => {
  const findings = createFindings();
  findings.note('cut', [request], { answers: [], problem: 'odd' }, createJudge());
  findings.addAll(['more']);
  expect(findings.count()).toBe(2);
  expect(findings.list[0]).toMatchObject({ what: 'odd', request: { number: 7 }, delivery: 'cut' });
  expect([...findings.requestsByKind]).toEqual([['valid', 1]]);
});

it('finds a 503 that has no reason, and too many that have one', () => {
  const findings = createFindings();
  const note = (requestId: string): void => {
    findings.note('cut', [request], { answers: [unavailable(requestId)], problem: undefined }, createJudge());
  };
  note('a');
  expect(findings.judgeHeldBack(() => 'UNAVAILABLE: Command timed out')).toBe(1);
  expect(findings.count()).toBe(0);
  expect(findings.judgeHeldBack(() => undefined)).toBe(1);
  expect(findings.list[0]).toMatchObject({ what: 'answered 503', request: { number: 7 } });
  note('b');
  findings.judgeHeldBack(() => 'UNAVAILABLE: Command timed out');
  expect(findings.list.at(-1)?.what).toBe('2 requests were answered 503 because Redis was not heard in time');
});
