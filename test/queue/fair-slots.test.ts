import { describe, expect, it } from 'vitest';
import { createFairSlots } from '../../src/queue/fair-slots.ts';

const total = 64;

/** Workspaces that want slots and keep them. */
function open() {
  const slots = createFairSlots(total);
  const held: { workspaceId: string; giveBack: () => void }[] = [];
  const want = (workspaceId: string, count: number): void => {
    for (let times = 0; times < count; times += 1) {
      void slots.take(workspaceId).then((giveBack) => held.push({ workspaceId, giveBack }));
    }
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    want,
    has: async (workspaceId?: string): Promise<number> => {
      await settled();
      return held.filter((each) => workspaceId === undefined || each.workspaceId === workspaceId).length;
    },
    giveBack: async (workspaceId: string): Promise<void> => {
      await settled();
      held
        .splice(
          held.findIndex((each) => each.workspaceId === workspaceId),
          1,
        )[0]
        ?.giveBack();
    },
    order: () => held.map(({ workspaceId }) => workspaceId),
  };
}

describe('slots that are shared among workspaces', () => {
  it('are all that a workspace wants while that is a little', async () => {
    const { want, has } = open();
    want('ws_1', 10);
    expect(await has('ws_1')).toBe(10);
  });

  it.each([1, 7, 20, 40])('are free for others while %i workspaces go on wanting all of them', async (hogs) => {
    const { want, has, giveBack, order } = open();
    for (let hog = 0; hog < hogs; hog += 1) want(`hog_${hog}`, total);
    // Runs end, those that began first before the others.
    for (let runs = 0; runs < 2 * total; runs += 1) await giveBack(order()[0] ?? '');
    expect(await has()).toBeLessThan(total);
    want('ws_1', 1);
    expect(await has('ws_1')).toBe(1);
  });

  it('are given round robin, a workspace with many no more often than one with a single run', async () => {
    const { want, has, giveBack, order } = open();
    for (let each = 0; each < total; each += 1) want(`ws_${each}`, 1);
    want('many', 5);
    want('one', 1);
    want('other', 1);
    expect(await has()).toBe(total);
    for (const each of [0, 1, 2]) await giveBack(`ws_${each}`);
    await has();
    expect(order().slice(-3)).toEqual(['many', 'one', 'other']);
  });

  it('are all used once, and given to who waits', async () => {
    const { want, has, giveBack } = open();
    want('hog', total);
    const first = await has('hog');
    for (let times = 0; times < total - first; times += 1) await giveBack('hog');
    expect(await has('hog')).toBe(first);
    for (let times = 0; times < first; times += 1) await giveBack('hog');
    expect(await has('hog')).toBe(0);
    want('ws_1', 1);
    expect(await has('ws_1')).toBe(1);
  });
});
