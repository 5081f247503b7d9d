import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Bulkhead, BulkheadFullError } from '../../src/waiting/bulkhead.ts';

const slowAfterMs = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that goes on until it is ended. */
function open(permits: number, permitsOfKey: number, slowPermits = 0) {
  const bulkhead = new Bulkhead({ permits, slowPermits, permitsOfKey, slowAfterMs });
  const inHand: { readonly key: string; readonly end: () => Promise<void> }[] = [];
  const begun: string[] = [];
  return {
    inHand,
    begun: () => begun.join(''),
    countOf: (key: string) => inHand.filter((work) => work.key === key).length,
    async enter(...keys: readonly string[]): Promise<void> {
      for (const key of keys) {
        void bulkhead.acquire(key).then((release) => {
          begun.push(key);
          const work = {
            key,
            end: async () => {
              inHand.splice(inHand.indexOf(work), 1);
              release();
              await nextTurn();
            },
          };
          inHand.push(work);
        });
      }
      await nextTurn();
    },
  };
}

describe('permits', () => {
  test('are never more than all, nor more of one key than its own, and nobody waits beside a free one', async () => {
    const step = fc.record({ who: fc.integer({ min: 0, max: 5 }), ends: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 100 }), async (permits, steps) => {
        const work = open(permits, 3);
        let entered = 0;
        for (const { who, ends } of steps) {
          if (ends) await work.inHand[who]?.end();
          else {
            await work.enter(`ws_${who}`);
            entered += 1;
          }
          expect(work.inHand.length).toBeLessThanOrEqual(permits);
          for (let each = 0; each <= 5; each += 1) expect(work.countOf(`ws_${each}`)).toBeLessThanOrEqual(3);
        }
        while (work.inHand.length > 0) await work.inHand[0]?.end();
        expect(work.begun().length).toBe('ws_0'.length * entered);
      }),
    );
  });

  test('are served round robin, and a key leaves as many free as it takes', async () => {
    const work = open(4, 4);
    await work.enter('a', 'a', 'a', 'a', 'b', 'b', 'c');
    expect(work.begun()).toBe('aabc');
    await work.inHand[0]?.end();
    // Another workspace's, if one came.
    expect(work.begun()).toBe('aabc');
    await work.inHand[0]?.end();
    expect(work.begun()).toBe('aabca');
    await work.enter('d');
    expect(work.begun()).toBe('aabcad');
    for (let ended = 0; ended < 3; ended += 1) await work.inHand[0]?.end();
    expect(work.begun()).toBe('aabcadba');
  });

  test('that take long keep out only others that do, however many keys have one', async () => {
    const work = open(2, 2, 3);
    await work.enter('a', 'b', 'c', 'd', 'e', 'f');
    expect(work.begun()).toBe('ab');
    vi.advanceTimersByTime(slowAfterMs);
    await nextTurn();
    expect(work.begun()).toBe('abcd');
    // Of the slow ones there are three at most.
    vi.advanceTimersByTime(slowAfterMs);
    await nextTurn();
    expect(work.begun()).toBe('abcde');
    for (let ended = 0; ended < 5; ended += 1) await work.inHand[0]?.end();
    expect(work.begun()).toBe('abcdef');
    // Those that were slow before are slow from the beginning, whoever else comes.
    await work.enter('a', 'b', 'c', 'd', 'g');
    expect(work.begun()).toBe('abcdefabcg');
    // And quick again after a turn that was.
    while (work.inHand.length > 0) await work.inHand[0]?.end();
    expect(work.begun()).toBe('abcdefabcgd');
    await work.enter('a', 'b', 'c');
    expect(work.begun()).toBe('abcdefabcgdab');
  });

  test('are no share of a key where none is set', () => {
    const room = vi.fn();
    const bulkhead = new Bulkhead({ permits: 2, slowPermits: 1 }, room);
    const release = bulkhead.enter('a');
    expect(bulkhead.isOpenTo('a')).toBe(true);
    bulkhead.enter('a');
    expect(bulkhead.isOpenTo('a')).toBe(false);
    release();
    expect(bulkhead.isOpenTo('a')).toBe(true);
    expect(room).toHaveBeenCalledTimes(1);
  });
});

describe('work', () => {
  const limits = { permits: 1, slowPermits: 0, slowAfterMs, waiting: { max: 2, ofKeyMax: 2 } };

  test('beyond what may wait is refused, or takes the place of the newest of who has more', async () => {
    const bulkhead = new Bulkhead(limits);
    const gate = Promise.withResolvers<undefined>();
    const did: string[] = [];
    const work = (name: string) => () => {
      did.push(name);
      return gate.promise;
    };
    const running = bulkhead.run('a', work('a1'));
    const kept = bulkhead.run('a', work('a2'));
    const lost = bulkhead.run('a', work('a3'));
    await expect(bulkhead.run('a', work('a4'))).rejects.toBeInstanceOf(BulkheadFullError);
    const other = bulkhead.run('b', work('b1'));
    await expect(lost).rejects.toBeInstanceOf(BulkheadFullError);
    gate.resolve(undefined);
    await Promise.all([running, kept, other]);
    expect(did).toEqual(['a1', 'a2', 'b1']);
    // Nothing is remembered of those that ended.
    await Promise.all([bulkhead.run('a', work('a5')), bulkhead.run('a', work('a6')), bulkhead.run('a', work('a7'))]);
  });

  test('gives its permit back when it fails', async () => {
    const bulkhead = new Bulkhead(limits);
    const failing = bulkhead.run('a', () => Promise.reject(new Error('broken')));
    const next = bulkhead.run('a', () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
});
