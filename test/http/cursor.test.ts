import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../src/http/cursor.ts';

const cursor = { list: 'orders ws_1', below: 'tr_1', total: 7, size: 20, filters: { status: 'FAILED' } };
const content = { l: 'orders ws_1', b: 'tr_1', t: 7, s: 20, f: {} };
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor', () => {
  it('is read as it was written, by its own list alone', () => {
    expect(decodeCursor(encodeCursor(cursor), 'orders ws_1')).toEqual(cursor);
    expect(decodeCursor(encodeCursor(cursor), 'orders ws_2')).toBeUndefined();
  });

  it.each([
    ['no base64', '{}'],
    ['base64 of the other alphabet', `${encode(content)}=`],
    ['no JSON', Buffer.from('nonsense').toString('base64url')],
    ['no object', encode(null)],
    ['an operator for the row', encode({ ...content, b: { $gt: '' } })],
    ['a row that is no id', encode({ ...content, b: 'tr_1" || "' })],
    ['a total below zero', encode({ ...content, t: -1 })],
    ['a total that is no whole number', encode({ ...content, t: 1.5 })],
    ['a size beyond the limit', encode({ ...content, s: 101 })],
    ['a filter that is no text', encode({ ...content, f: { status: { $ne: '' } } })],
    ['an unknown field', encode({ ...content, w: 'ws_2' })],
    ['a missing field', encode({ ...content, f: undefined })],
    ['too long a text', encode({ ...content, f: { status: 'x'.repeat(3_000) } })],
  ])('is refused for %s', (_, text) => {
    expect(decodeCursor(text, 'orders ws_1')).toBeUndefined();
  });
});
