import { describe, expect, it } from 'vitest';
import { createAnswerReader, type HasBody } from './answers.ts';

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: b c\r\n\r\n{}';

/** Reads bytes that come in pieces of a size. */
function read(text: string, { size = text.length, hasBody = 'yes' }: { size?: number; hasBody?: HasBody } = {}) {
  const reader = createAnswerReader(() => hasBody);
  for (let at = 0; at < text.length; at += size) reader.take(Buffer.from(text.slice(at, at + size), 'latin1'));
  reader.end();
  return { answers: reader.answers, problem: reader.problem() };
}

describe('createAnswerReader', () => {
  it.each([1, 7, 1_000])('reads answers that come in pieces of %d bytes', (size) => {
    const { answers, problem } = read(answer + `HTTP/1.1 100 Continue\r\n\r\n` + answer, { size });
    expect(problem).toBeUndefined();
    expect(answers.map(({ status, body }) => [status, body.toString()])).toEqual([
      [200, '{}'],
      [200, '{}'],
    ]);
    expect(answers[0]?.headers.get('x-a')).toBe('b c');
  });

  it('reads the answer to a HEAD, and one that may be to a HEAD', () => {
    const head = answer.slice(0, -2);
    expect(read(head + head, { hasBody: 'no' }).answers).toHaveLength(2);
    for (const [text, count] of [
      [head, 1],
      [answer, 1],
      [head + answer, 2],
    ] as const) {
      const { answers, problem } = read(text, { hasBody: 'either' });
      expect([answers.length, problem]).toEqual([count, undefined]);
    }
    expect(read('HTTP/1.1 304 Not Modified\r\n\r\n').answers).toHaveLength(1);
  });

  it.each([
    ['a body cut off', answer.slice(0, -1)],
    ['headers cut off', answer.slice(0, 30)],
    ['more than was announced', `${answer}x`],
    ['another version', answer.replace('1.1', '1.0')],
    ['no reason', answer.replace(' OK', '')],
    ['no length', answer.replace('Content-Length', 'X-Length')],
    ['a length that is none', answer.replace(': 2', ': +2')],
    ['two lengths', answer.replace('\r\n', '\r\nContent-Length: 2\r\n')],
    ['chunks', answer.replace('\r\n', '\r\nTransfer-Encoding: chunked\r\n')],
    ['a bare line feed', answer.replace('X-A: b', 'X-A: b\nX')],
    ['a control character', answer.replace('X-A: b', 'X-A: b\0')],
    ['a byte beyond ASCII', answer.replace('X-A: b', 'X-A: \xe9')],
    ['a blank before the colon', answer.replace('X-A:', 'X-A :')],
  ])('finds %s', (_, text) => {
    expect(read(text).problem).toBeTypeOf('string');
  });
});
