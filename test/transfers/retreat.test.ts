import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import type { Intake } from '../../src/queue/worker.ts';
import { createRetreat } from '../../src/transfers/retreat.ts';
import type { Retreat } from '../../src/transfers/retreat.ts';
import { waitFor } from '../support/wait-for.ts';

const free = { kind: 'free' } as const;
const heldUpBy = (by: string) => ({ kind: 'held up', by }) as const;

const opened: Retreat[] = [];
afterEach(() => {
  for (const retreat of opened) retreat.close();
});

function open(awayMs = 30) {
  const intakes: Intake[] = [];
  const retreat = createRetreat({
    holder: 'worker-2',
    setIntake: (intake) => intakes.push(intake),
    log: pino({ enabled: false }),
    awayMs: { first: awayMs, next: 2 * awayMs },
  });
  opened.push(retreat);
  return { retreat, intakes };
}

describe('a worker that is held up', () => {
  test('takes no jobs for a while, comes back with one, and takes all where that met nobody', async () => {
    const { retreat, intakes } = open();
    retreat.observe(heldUpBy('worker-1'));
    retreat.observe(heldUpBy('worker-1'));
    // What it still has in hand finds free wallets once the other is done with them: that says nothing of the queue.
    retreat.observe(free);
    expect(intakes).toEqual(['none']);
    await waitFor(() => intakes.length === 2);
    retreat.observe(free);
    retreat.observe(free);
    expect(intakes).toEqual(['none', 'one', 'full']);
  });

  test('stays away for longer where it comes back to be held up again', async () => {
    const { retreat, intakes } = open(60);
    const lengths: number[] = [];
    for (const round of [1, 2, 3]) {
      const from = performance.now();
      retreat.observe(heldUpBy('worker-1'));
      await waitFor(() => intakes.length === 2 * round);
      lengths.push(performance.now() - from);
    }
    expect(intakes).toEqual(['none', 'one', 'none', 'one', 'none', 'one']);
    expect(lengths[1]).toBeGreaterThanOrEqual(119);
    expect(lengths[2]).toBeGreaterThanOrEqual(119);
  });

  test('stays where the other comes after it: of two that hold each other up, one goes on', async () => {
    const { retreat, intakes } = open();
    retreat.observe(heldUpBy('worker-3'));
    await setTimeout(50);
    expect(intakes).toEqual([]);
  });

  test('changes nothing once it stops', async () => {
    const { retreat, intakes } = open();
    retreat.observe(heldUpBy('worker-1'));
    retreat.close();
    await setTimeout(60);
    retreat.observe(heldUpBy('worker-1'));
    expect(intakes).toEqual(['none']);
  });
});
