import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTurns } from '../../src/waiting/turns.ts';

const slowAfterMs = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Turns that last until they are ended. */
function open(max: number, ofOneMax: number, slowMax = 0) {
  const turns = createTurns({ max, slowMax, ofOneMax, slowAfterMs });
  const inHand: { readonly workspaceId: string; readonly end: () => void }[] = [];
  const begun: string[] = [];
  return {
    inHand,
    begun: () => begun.join(''),
    countOf: (workspaceId: string) => inHand.filter((turn) => turn.workspaceId === workspaceId).length,
    enter: (workspaceId: string) =>
      turns.enter(workspaceId, (end) => {
        begun.push(workspaceId);
        const turn = {
          workspaceId,
          end: () => {
            inHand.splice(inHand.indexOf(turn), 1);
            end();
          },
        };
        inHand.push(turn);
      }),
  };
}

describe('turns', () => {
  test('are never more than all, nor more of one workspace than its own, and nobody waits beside a free one of his', () => {
    const step = fc.record({ who: fc.integer({ min: 0, max: 5 }), ends: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 100 }), (max, steps) => {
        const turns = open(max, 3);
        let entered = 0;
        for (const { who, ends } of steps) {
          if (ends) turns.inHand[who]?.end();
          else {
            turns.enter(`ws_${who}`);
            entered += 1;
          }
          expect(turns.inHand.length).toBeLessThanOrEqual(max);
          for (let each = 0; each <= 5; each += 1) expect(turns.countOf(`ws_${each}`)).toBeLessThanOrEqual(3);
        }
        while (turns.inHand.length > 0) turns.inHand[0]?.end();
        expect(turns.begun().length).toBe('ws_0'.length * entered);
      }),
    );
  });

  test('are served round robin, and a workspace leaves as many free as it takes', () => {
    const turns = open(4, 4);
    for (const workspaceId of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) turns.enter(workspaceId);
    expect(turns.begun()).toBe('aabc');
    turns.inHand[0]?.end();
    // Another workspace's, if one came.
    expect(turns.begun()).toBe('aabc');
    turns.inHand[0]?.end();
    expect(turns.begun()).toBe('aabca');
    turns.enter('d');
    expect(turns.begun()).toBe('aabcad');
    for (let ended = 0; ended < 3; ended += 1) turns.inHand[0]?.end();
    expect(turns.begun()).toBe('aabcadba');
  });

  test('that take long keep out only others that do, however many workspaces have one', () => {
    const turns = open(2, 2, 3);
    for (const workspaceId of ['a', 'b', 'c', 'd', 'e', 'f']) turns.enter(workspaceId);
    expect(turns.begun()).toBe('ab');
    vi.advanceTimersByTime(slowAfterMs);
    expect(turns.begun()).toBe('abcd');
    // Of the slow ones there are three at most.
    vi.advanceTimersByTime(slowAfterMs);
    expect(turns.begun()).toBe('abcde');
    for (let ended = 0; ended < 5; ended += 1) turns.inHand[0]?.end();
    expect(turns.begun()).toBe('abcdef');
    // Those that were slow before are slow from the beginning, whoever else comes.
    for (const workspaceId of ['a', 'b', 'c', 'd', 'g']) turns.enter(workspaceId);
    expect(turns.begun()).toBe('abcdefabcg');
    // And quick again after a turn that was.
    while (turns.inHand.length > 0) turns.inHand[0]?.end();
    expect(turns.begun()).toBe('abcdefabcgd');
    for (const workspaceId of ['a', 'b', 'c']) turns.enter(workspaceId);
    expect(turns.begun()).toBe('abcdefabcgdab');
  });

  test('are not taken by who gave up waiting', () => {
    const turns = open(1, 1);
    turns.enter('a');
    const giveUp = turns.enter('b');
    turns.enter('c');
    giveUp();
    turns.inHand[0]?.end();
    expect(turns.begun()).toBe('ac');
  });
});
