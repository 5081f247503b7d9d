import { describe, expect, it } from 'vitest';
import { parseWait } from '../../src/http/order-waits.ts';

describe('parseWait', () => {
  it.each([
    [undefined, 0],
    ['', 0],
    ['wait=5', 5],
    ['wait = 5', 5],
    ['Wait="5"', 5],
    ['respond-async, wait=3;foo=bar', 3],
    ['wait=0', 0],
    ['wait=11', 10],
    ['wait=999999999', 10],
    ['wait=99999999999999999999', 0],
    ['wait=-1', 0],
    ['wait=1.5', 0],
    ['wait', 0],
    ['await=5', 0],
  ])('reads %j as %i seconds', (prefer, seconds) => {
    expect(parseWait(prefer)).toBe(seconds);
  });
});
