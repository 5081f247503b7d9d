import { describe, expect, it } from 'vitest';
import { freeText, hasForbiddenCharacter } from '../../src/domain/free-text.ts';

const form = freeText({ max: 5 });
const isTaken = (text: string): boolean => form.safeParse(text).success;

describe('a text for people', () => {
  it.each(['a', 'Grüße', '写真', '😀😀😀😀😀', 'e\u0301', '\u200d', '“a”', ' '])('may be %j', (text) => {
    expect(isTaken(text)).toBe(true);
    expect(hasForbiddenCharacter(text)).toBe(false);
  });

  it.each([
    ...['\0', '\t', '\n', '\r', '\u001b', '\u007f', '\u0080', '\u009b', '\u009f'],
    ...['\u202a', '\u202e', '\u2066', '\u2069', '\ud800', '\udfff', '\udc00\ud800'],
  ])('has no %j, wherever it stands', (character) => {
    for (const text of [character, `a${character}`, `${character}a`, `a${character}b`]) {
      expect(isTaken(text)).toBe(false);
      expect(hasForbiddenCharacter(text)).toBe(true);
    }
  });

  it('is as long as its code points', () => {
    expect(isTaken('')).toBe(false);
    expect(isTaken('aaaaaa')).toBe(false);
    expect(isTaken('😀😀😀😀😀😀')).toBe(false);
    expect(freeText({ min: 0, max: 5 }).safeParse('').success).toBe(true);
  });
});
