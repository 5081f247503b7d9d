import { describe, expect, it } from 'vitest';
import { terminalJson, terminalLine, terminalText } from '../src/terminal-text.ts';

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
const lineEnd = '\n';
/** From the tables of Unicode: C0, DEL and C1; bidirectional controls; separators of lines; surrogates. */
const unsafe = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  ...['\u061c', '\u200e', '\u200f'],
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  ...['\u2028', '\u2029', '\ud800', '\udbff', '\udc00', '\udfff'],
];
const harmless = 'Zürich 東京 שלום مرحبا 👩‍🚀 \u00a0~€';

describe('text for a terminal', () => {
  it('shows a sign in place of each character that could steer it', () => {
    for (const character of unsafe) {
      expect(terminalLine(`a${character}b`)).toBe('a\ufffdb');
      expect(terminalText(`a${character}b`)).toBe(character === lineEnd ? 'a\nb' : 'a\ufffdb');
    }
  });

  it('is not changed otherwise', () => {
    expect([terminalLine(harmless), terminalText(harmless)]).toEqual([harmless, harmless]);
    expect(terminalJson(JSON.stringify({ harmless }))).toBe(JSON.stringify({ harmless }));
  });

  it('has them escaped in JSON, which keeps its value', () => {
    for (const character of unsafe) {
      const value = { [`name ${character}`]: [`a${character}b`] };
      const json = terminalJson(JSON.stringify(value, undefined, 2));
      expect(terminalText(json)).toBe(json);
      expect(JSON.parse(json)).toEqual(value);
    }
    expect(terminalJson(JSON.stringify('\u009b31m\u202e'))).toBe(String.raw`"\u009b31m\u202e"`);
  });
});
