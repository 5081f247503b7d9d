import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FairShares, type Leave } from '../../src/waiting/shares.ts';

/** Who holds how many places, as their holders know it. */
function open(max: number, ofKeyMax = max) {
  const places = new FairShares({ max, ofKeyMax });
  const held = new Map<string, Set<Leave>>();
  const lost: string[] = [];
  const countOf = (workspaceId: string): number => held.get(workspaceId)?.size ?? 0;
  return {
    lost,
    countOf,
    inAll: () => [...held.values()].reduce((sum, { size }) => sum + size, 0),
    take(workspaceId: string, name = ''): boolean {
      const own = held.get(workspaceId) ?? new Set<Leave>();
      held.set(workspaceId, own);
      const leave = places.take(workspaceId, () => {
        lost.push(name);
        own.delete(leave!);
      });
      if (leave !== undefined) own.add(leave);
      return leave !== undefined;
    },
    leave(workspaceId: string): void {
      const [leave] = held.get(workspaceId) ?? [];
      if (leave === undefined) return;
      held.get(workspaceId)?.delete(leave);
      leave();
      // A second time frees nobody else's.
      leave();
    },
  };
}

describe('places', () => {
  test('however greedy the others are, a newcomer gets an equal share, and no more than all are ever held', () => {
    const step = fc.record({ who: fc.integer({ min: 0, max: 11 }), leaves: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 40 }), fc.array(step, { maxLength: 200 }), (max, steps) => {
        const places = open(max);
        for (const { who, leaves } of steps) {
          const most = Math.max(...Array.from({ length: 12 }, (_, each) => places.countOf(`ws_${each}`)));
          const lostBefore = places.lost.length;
          if (leaves) places.leave(`ws_${who}`);
          else places.take(`ws_${who}`, `ws_${who}`);
          // Only who had most loses a place.
          for (const loser of places.lost.slice(lostBefore)) expect(places.countOf(loser)).toBe(most - 1);
          expect(places.inAll()).toBeLessThanOrEqual(max);
        }
        const others = Array.from({ length: 12 }, (_, who) => places.countOf(`ws_${who}`)).filter((count) => count > 0);
        for (let asked = 0; asked < max; asked += 1) places.take('newcomer');
        expect(places.countOf('newcomer')).toBeGreaterThanOrEqual(Math.floor(max / (others.length + 1)));
        expect(places.inAll()).toBeLessThanOrEqual(max);
      }),
    );
  });

  test('are lost by the newest holder of the workspace that has the most, and by none that has no more', () => {
    const places = open(4);
    for (const name of ['a1', 'a2', 'a3']) expect(places.take('a', name)).toBe(true);
    expect(places.take('b', 'b1')).toBe(true);
    expect(places.take('a', 'a4')).toBe(false);
    expect(places.take('b', 'b2')).toBe(true);
    expect(places.lost).toEqual(['a3']);
    expect(places.take('b', 'b3')).toBe(false);
    expect(places.take('c', 'c1')).toBe(true);
    expect(places.lost).toEqual(['a3', 'a2']);
    expect([places.countOf('a'), places.countOf('b'), places.countOf('c')]).toEqual([1, 2, 1]);
  });

  test('of one workspace are limited, although others are free', () => {
    const places = open(4, 2);
    expect([places.take('a'), places.take('a'), places.take('a')]).toEqual([true, true, false]);
    places.leave('a');
    expect(places.take('a')).toBe(true);
  });

  test('that are held for long are there for who has none, the oldest first', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const shares = new FairShares({ max: 2, ofKeyMax: 2, heldMaxMs: 1_000 });
    const lost: string[] = [];
    const take = (key: string) => shares.take(key, () => lost.push(key)) !== undefined;
    expect([take('a'), take('b'), take('c')]).toEqual([true, true, false]);
    vi.advanceTimersByTime(1_001);
    expect([take('a'), take('c')]).toEqual([false, true]);
    expect(lost).toEqual(['a']);
    expect([take('d'), take('e')]).toEqual([true, false]);
    expect(lost).toEqual(['a', 'b']);
  });
});
