import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../src/http/lists/cursor.ts';

const paging = { total: 7, totalIsExact: false, size: 20 };
const cursor = { list: 'orders ws_1', below: 'tr_1', ...paging, filters: { status: 'FAILED' } };
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor', () => {
  it('is read as it was written, by its own list alone', () => {
    expect(decodeCursor(encodeCursor(cursor), 'orders ws_1')).toEqual(cursor);
    expect(decodeCursor(encodeCursor(cursor), 'orders ws_2')).toBeUndefined();
  });

  it('of the release before, which counted all, is exact', () => {
    const { totalIsExact: _, ...before } = cursor;
    expect(decodeCursor(encode(before), 'orders ws_1')).toEqual({ ...cursor, totalIsExact: true });
  });

  it.each([
    ['no base64', '{}'],
    ['base64 of the other alphabet', `${encode(cursor)}=`],
    ['no JSON', Buffer.from('nonsense').toString('base64url')],
    ['an operator for the row', encode({ ...cursor, below: { $gt: '' } })],
    ['a row that is no id', encode({ ...cursor, below: 'tr_1" || "' })],
    ['a total below zero', encode({ ...cursor, total: -1 })],
    ['a size beyond the limit', encode({ ...cursor, size: 101 })],
    ['a filter that is no text', encode({ ...cursor, filters: { status: { $ne: '' } } })],
    ['an unknown field', encode({ ...cursor, w: 'ws_2' })],
    ['too long a text', encode({ ...cursor, filters: { status: 'x'.repeat(3_000) } })],
  ])('is refused for %s', (_, text) => {
    expect(decodeCursor(text, 'orders ws_1')).toBeUndefined();
  });
});
