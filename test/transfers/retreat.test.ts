import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { createRetreat } from '../../src/transfers/retreat.ts';
import type { Retreat } from '../../src/transfers/retreat.ts';
import { waitFor } from '../support/wait-for.ts';

const free = { kind: 'free' } as const;
const heldUpBy = (by: string) => ({ kind: 'held up', by }) as const;

const leaving = ['none', 'posting', 'handing back', 'no longer'];

const opened: Retreat[] = [];
afterEach(() => {
  for (const retreat of opened) retreat.close();
});

function open({ awayMs = 30, knownAfterMs = 20, emptyMaxMs = 60_000 } = {}) {
  const events: string[] = [];
  const times = new Map<string, number>();
  let said = 'taking';
  const note = (event: string): void => {
    events.push(event);
    times.set(event, performance.now());
  };
  const state = { isIdle: true, hasRelief: true, hasCompany: true };
  const retreat = createRetreat({
    holder: 'worker-2',
    worker: { setIntake: note, isIdle: () => state.isIdle },
    heartbeat: {
      setStanding: (standing) => {
        if (standing !== said) note(standing);
        said = standing;
      },
      hasRelief: () => state.hasRelief,
      hasCompany: () => state.hasCompany,
    },
    poster: {
      setHandingBack: (isOn) => {
        note(isOn ? 'handing back' : 'no longer');
      },
    },
    log: pino({ enabled: false }),
    times: { awayMs, awayMaxMs: 4 * awayMs, emptyMaxMs, knownAfterMs, lookEveryMs: 5 },
  });
  opened.push(retreat);
  return { retreat, events, times, state };
}

describe('a worker that is held up', () => {
  test('takes no jobs for a while, comes back with one, and takes all where that met nobody', async () => {
    const { retreat, events } = open();
    retreat.observe(heldUpBy('worker-1'));
    retreat.observe(heldUpBy('worker-1'));
    // What it still has in hand finds free wallets once the other is done with them: that says nothing of the queue.
    retreat.observe(free);
    await waitFor(() => events.includes('one'));
    retreat.observe(free);
    retreat.observe(free);
    expect(events).toEqual([...leaving, 'away', 'taking', 'one', 'full']);
  });

  test('hands back what it has not begun, and says that it is away only once it has nothing in hand', async () => {
    const { retreat, events, state } = open({ awayMs: 1 });
    state.isIdle = false;
    retreat.observe(heldUpBy('worker-1'));
    await setTimeout(30);
    expect(events).toEqual(['none', 'posting', 'handing back']);
    state.isIdle = true;
    await waitFor(() => events.includes('one'));
    expect(events).toEqual([...leaving, 'away', 'taking', 'one']);
  });

  test('goes on without having been away where it does not get rid of what it has in hand', async () => {
    const { retreat, events, state } = open({ awayMs: 1, emptyMaxMs: 50 });
    state.isIdle = false;
    retreat.observe(heldUpBy('worker-1'));
    await waitFor(() => events.includes('one'));
    expect(events).toEqual([...leaving, 'taking', 'one']);
  });

  test('takes jobs only when the others know that it is back', async () => {
    const { retreat, events, times } = open({ awayMs: 1 });
    retreat.observe(heldUpBy('worker-1'));
    await waitFor(() => events.includes('one'));
    expect((times.get('one') ?? 0) - (times.get('taking') ?? 0)).toBeGreaterThanOrEqual(19);
  });

  test('stays away for twice as long each time that it is held up again', async () => {
    const { retreat, events } = open({ awayMs: 60 });
    const lengths: number[] = [];
    for (const round of [1, 2, 3]) {
      const from = performance.now();
      retreat.observe(heldUpBy('worker-1'));
      await waitFor(() => events.filter((event) => event === 'one').length === round);
      lengths.push(performance.now() - from);
    }
    expect(lengths[1]).toBeGreaterThanOrEqual(120);
    expect(lengths[2]).toBeGreaterThanOrEqual(240);
  });

  test('comes back before its time where nobody else takes jobs any more, and at once where nobody else posts', async () => {
    const { retreat, events, state } = open({ awayMs: 60_000, knownAfterMs: 60_000 });
    retreat.observe(heldUpBy('worker-1'));
    await waitFor(() => events.includes('away'));
    await setTimeout(20);
    expect(events).not.toContain('taking');
    state.hasRelief = false;
    state.hasCompany = false;
    await waitFor(() => events.includes('one'));
  });

  test('takes jobs again where the others stop while it still has some in hand', async () => {
    const { retreat, events, state } = open({ awayMs: 60_000 });
    state.isIdle = false;
    retreat.observe(heldUpBy('worker-1'));
    state.hasRelief = false;
    await waitFor(() => events.includes('one'));
    expect(events).not.toContain('away');
  });

  test('stays where the other comes after it: of two that hold each other up, one goes on', async () => {
    const { retreat, events } = open();
    retreat.observe(heldUpBy('worker-3'));
    await setTimeout(50);
    expect(events).toEqual([]);
  });

  test('stays where nobody before it takes jobs: one that stops may hold the wallets for a while', async () => {
    const { retreat, events, state } = open();
    state.hasRelief = false;
    retreat.observe(heldUpBy('worker-1'));
    await setTimeout(50);
    expect(events).toEqual([]);
  });

  test('changes nothing once it stops', async () => {
    const { retreat, events } = open();
    retreat.observe(heldUpBy('worker-1'));
    retreat.close();
    await setTimeout(200);
    expect(events).toEqual(['none', 'posting', 'handing back']);
    const stopped = open();
    stopped.retreat.close();
    stopped.retreat.observe(heldUpBy('worker-1'));
    stopped.retreat.observe(free);
    expect(stopped.events).toEqual([]);
  });
});
