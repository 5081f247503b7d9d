import { describe, expect, it } from 'vitest';
import { createAnswerReader } from './answers.ts';

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: b c\r\n\r\n{}';

/** What is wrong with an answer. What is right is seen by the run of many requests that finds nothing. */
function problemOf(text: string): string | undefined {
  const reader = createAnswerReader(() => 'yes');
  reader.take(Buffer.from(text, 'latin1'));
  reader.end();
  return reader.problem();
}

describe('createAnswerReader', () => {
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
    expect(problemOf(answer)).toBeUndefined();
    expect(problemOf(text)).toBeTypeOf('string');
  });
});
