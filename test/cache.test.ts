import { describe, expect, it } from 'vitest';
import { createSharedRead } from '../src/cache.ts';

describe('a cached value', () => {
  it('is asked for once, however many want it; a failure is not remembered', async () => {
    let asked = 0;
    const read = createSharedRead(() => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve(asked);
    }, 60_000);
    expect((await Promise.allSettled([read(), read()])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await Promise.all([read(), read(), read()])).toEqual([2, 2, 2]);
    expect(await read()).toBe(2);
  });
});
