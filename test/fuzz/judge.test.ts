import { describe, expect, it } from 'vitest';
import { errorEnvelope, successEnvelope } from '../../src/http/envelope.ts';
import { catalogue, ServiceError, type ErrorName } from '../../src/errors.ts';
import type { Answer } from './answers.ts';
import type { FuzzRequest } from './build.ts';
import { createJudge, judge503 } from './judge.ts';

const request: FuzzRequest = {
  ...{ number: 0, kind: 'valid', bytes: Buffer.alloc(0), nonce: 'a', isRight: () => true },
  ...{ isFramed: true, isHead: false, hasBody: false, isOutside: false, hasBound: false },
};

function answerOf(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  const usual = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return {
    status,
    headers: new Map(Object.entries({ ...usual, ...headers })),
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}
const error = (name: ErrorName) => errorEnvelope(new ServiceError(name), undefined, new Date());
const reasonOf = (name: ErrorName) => ({ 'x-error-reason': name });
const refusal = (name: ErrorName, headers: Record<string, string> = {}) =>
  answerOf(catalogue[name].status, error(name), { ...reasonOf(name), ...headers });
const altered = (changed: object) =>
  answerOf(400, { ...error('BODY_NOT_JSON'), ...changed }, reasonOf('BODY_NOT_JSON'));
const complaint = (answer: Answer, given: Partial<FuzzRequest> = {}) =>
  createJudge().complaint({ ...request, ...given }, answer);

describe('createJudge', () => {
  it('lets a create or a list be held back, if it says for how long', () => {
    const later = { 'retry-after': '5' };
    const busy = refusal('UNAVAILABLE', later);
    const bounded = { ...request, hasBound: true };
    expect(judge503(bounded, busy, 'UNAVAILABLE')).toBe('held back');
    expect(judge503(request, busy, 'UNAVAILABLE: Command timed out')).toBe('unheard');
    expect(judge503(request, busy, 'UNAVAILABLE')).toBe('wrong');
    expect(judge503({ ...bounded, isRight: () => false }, busy, 'UNAVAILABLE')).toBe('wrong');
    expect(judge503(bounded, busy, undefined)).toBe('wrong');
    expect(judge503(bounded, refusal('UNAVAILABLE'), 'UNAVAILABLE')).toBe('wrong');
    expect(judge503(bounded, answerOf(503, 'busy', later), 'UNAVAILABLE')).toBe('wrong');
  });

  it.each([
    ['a fault of the service', refusal('INTERNAL_ERROR')],
    ['a stack trace', answerOf(400, 'Error: at app.ts:1')],
    ['another content type', refusal('SIGNATURE_MISMATCH', { 'content-type': 'text/html' })],
    ['an answer that may be kept', refusal('SIGNATURE_MISMATCH', { 'cache-control': 'public' })],
    ['an answer that may be sniffed', refusal('SIGNATURE_MISMATCH', { 'x-content-type-options': '' })],
    [
      'a code with a status that is not its own',
      answerOf(200, error('SIGNATURE_MISMATCH'), reasonOf('SIGNATURE_MISMATCH')),
    ],
    ['a failure without its reason', answerOf(401, error('SIGNATURE_MISMATCH'))],
    ['a reason of another code', refusal('SIGNATURE_MISMATCH', reasonOf('NONCE_REUSED'))],
    ['a code that there is not', altered({ code: 'XX' })],
    ['an error with data', altered({ data: {} })],
    ['a success without data', answerOf(200, successEnvelope(null, new Date()))],
    ['a field too many', altered({ stack: '' })],
    ['another reason in the body', altered({ error: { ...error('BODY_NOT_UTF8').error } })],
    ['a failure that does not say why', altered({ error: undefined })],
    ['a field too few', altered({ message: undefined })],
    ['a time long ago', altered({ timestamp: 0 })],
    ['a page under /api/', answerOf(404, 'There is nothing here; the API is under /api/.\n')],
  ])('finds %s', (_, answer) => {
    expect(complaint(refusal('SIGNATURE_MISMATCH'))).toBeUndefined();
    expect(complaint(answer)).toBeTypeOf('string');
  });

  it('finds what is accepted without a right signature, or a second time', () => {
    const granted = answerOf(200, successEnvelope({ transferId: 'tr_1' }, new Date()));
    expect(complaint(granted, { isRight: () => false })).toMatch('not rightly signed');
    const judge = createJudge();
    expect(judge.complaint(request, granted)).toBeUndefined();
    expect(judge.complaint(request, granted)).toMatch('nonce was accepted before');
    expect([...judge.acknowledged]).toEqual(['tr_1']);
  });
});
