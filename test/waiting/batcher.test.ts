import { TimeoutError } from 'p-timeout';
import { describe, expect, it } from 'vitest';
import { createBatcher, createBatchers, createWorkspaceBatcher } from '../../src/waiting/batcher.ts';
import { Bulkhead } from '../../src/waiting/bulkhead.ts';

/** A flush that the test lets go, one at a time. */
function heldFlush() {
  const groups: string[][] = [];
  const gates: PromiseWithResolvers<undefined>[] = [];
  return {
    groups,
    release: (index: number): void => {
      gates[index]!.resolve(undefined);
    },
    flush: async (items: readonly string[]) => {
      const gate = Promise.withResolvers<undefined>();
      gates.push(gate);
      groups.push([...items]);
      await gate.promise;
      return items.map((item) => (item === 'bad' ? new Error('bad item') : item.toUpperCase()));
    },
  };
}

const flushMaxMs = 5_000;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('createBatcher', () => {
  it('lets a lone item leave at once, and what arrives meanwhile join the next group', async () => {
    const held = heldFlush();
    const load = createBatcher(held.flush, { sizeMax: 10, inFlightMax: 1, flushMaxMs });
    const first = load('a');
    await turn();
    const rest = [load('b'), load('c')];
    await turn();
    expect(held.groups).toEqual([['a']]);
    held.release(0);
    expect(await first).toBe('A');
    await turn();
    expect(held.groups).toEqual([['a'], ['b', 'c']]);
    held.release(1);
    expect(await Promise.all(rest)).toEqual(['B', 'C']);
  });

  it('bounds a group and the groups in flight', async () => {
    const held = heldFlush();
    const load = createBatcher(held.flush, { sizeMax: 2, inFlightMax: 2, flushMaxMs });
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((item) => load(item)));
    await turn();
    expect(held.groups).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    held.release(0);
    await turn();
    expect(held.groups[2]).toEqual(['e']);
    held.release(1);
    held.release(2);
    expect(await all).toEqual(['A', 'B', 'C', 'D', 'E']);
  });

  it('gives an item its own error, and its neighbours their results', async () => {
    const held = heldFlush();
    const load = createBatcher(held.flush, { sizeMax: 10, inFlightMax: 1, flushMaxMs });
    const settled = Promise.allSettled([load('a'), load('bad')]);
    await turn();
    held.release(0);
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('rejects the group whose flush fails, and goes on with the next', async () => {
    let flushes = 0;
    const load = createBatcher<string, string>(
      (items) => {
        flushes += 1;
        return flushes === 1 ? Promise.reject(new Error('server away')) : Promise.resolve([...items]);
      },
      {
        sizeMax: 1,
        inFlightMax: 1,
        flushMaxMs,
      },
    );
    const settled = await Promise.allSettled([load('a'), load('b')]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('rejects a group whose flush hangs, and goes on with the next', async () => {
    let flushes = 0;
    const load = createBatcher<string, string>(
      (items) => {
        flushes += 1;
        return flushes === 1 ? Promise.withResolvers<string[]>().promise : Promise.resolve([...items]);
      },
      {
        sizeMax: 1,
        inFlightMax: 1,
        flushMaxMs: 20,
      },
    );
    const settled = await Promise.allSettled([load('a'), load('b')]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('tells a flush that it is given up, because it hangs or because nobody waits for one of its items any more', async () => {
    const leftMs = new Map([
      ['a', 1],
      ['b', 1],
    ]);
    const looks: (() => boolean)[] = [];
    const load = createBatcher<string, string>(
      (_, isGivenUp) => {
        looks.push(isGivenUp);
        return Promise.withResolvers<string[]>().promise;
      },
      { sizeMax: 10, inFlightMax: 1, flushMaxMs: 20, timeLeftMs: (item) => leftMs.get(item) ?? 0 },
    );
    const both = Promise.allSettled([load('a'), load('b'), load('late')]);
    await turn();
    expect(looks.map((isGivenUp) => isGivenUp())).toEqual([false]);
    leftMs.set('b', 0);
    expect(looks.map((isGivenUp) => isGivenUp())).toEqual([true]);
    leftMs.set('b', 1);
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(looks.map((isGivenUp) => isGivenUp())).toEqual([true]);
  });

  it('does not flush what had to wait for too long: who asked was told that nothing was done', async () => {
    const held = heldFlush();
    const isInTime = (_: string, waitedMs: number): boolean => waitedMs <= 200;
    const load = createBatcher(held.flush, { sizeMax: 10, inFlightMax: 1, flushMaxMs: 200, isInTime });
    const hanging = expect(load('hanging')).rejects.toThrow(TimeoutError);
    await turn();
    const late = expect(load('late')).rejects.toThrow(TimeoutError);
    // The event loop itself hangs: by the time the group may leave, it has waited for too long.
    const until = performance.now() + 250;
    while (performance.now() < until);
    const fresh = load('fresh');
    await hanging;
    await turn();
    expect(held.groups).toEqual([['hanging'], ['fresh']]);
    held.release(1);
    expect(await fresh).toBe('FRESH');
    await late;
  });
});

describe('batchers of keys', () => {
  const keyOf = (item: string): string => item[0] ?? '';

  it('flush what is of one key together, and wait for no other key', async () => {
    const held = heldFlush();
    const load = createBatchers(keyOf, held.flush, { inFlightMax: 1, flushMaxMs });
    const stuck = [load('a1'), load('a2')];
    const other = load('b1');
    await turn();
    expect(held.groups).toEqual([['a1', 'a2'], ['b1']]);
    const more = load('a3');
    await turn();
    expect(held.groups).toHaveLength(2);
    held.release(1);
    expect(await other).toBe('B1');
    held.release(0);
    expect(await Promise.all(stuck)).toEqual(['A1', 'A2']);
    await turn();
    expect(held.groups[2]).toEqual(['a3']);
    held.release(2);
    expect(await more).toBe('A3');
  });

  it('wait for a permit, and items join them until then', async () => {
    const held = heldFlush();
    const bulkhead = new Bulkhead({ permits: 1, slowPermits: 0 });
    const load = createWorkspaceBatcher(
      bulkhead,
      async (items: readonly { workspaceId: string; text: string }[]) => held.flush(items.map(({ text }) => text)),
      { flushMaxMs },
    );
    const first = load({ workspaceId: 'a', text: 'a1' });
    await turn();
    const rest = [load({ workspaceId: 'b', text: 'b1' })];
    await turn();
    rest.push(load({ workspaceId: 'b', text: 'b2' }));
    expect(held.groups).toEqual([['a1']]);
    held.release(0);
    await first;
    await turn();
    expect(held.groups).toEqual([['a1'], ['b1', 'b2']]);
    held.release(1);
    expect(await Promise.all(rest)).toEqual(['B1', 'B2']);
  });
});
