import { describe, expect, it } from 'vitest';
import { createRecent } from '../../src/ops/recent.ts';

describe('the last seconds', () => {
  it('are averaged over whole seconds, and forgotten', () => {
    let now = 100;
    const recent = createRecent(() => now);
    recent.add('posted', 50);
    expect(recent.perSecond('posted')).toBe(0);
    now = 101;
    expect(recent.perSecond('posted')).toBe(10);
    now = 106;
    expect(recent.perSecond('posted')).toBe(0);
  });

  it('are counted for 45 seconds, of what tells whether something is wrong', () => {
    let now = 100;
    const recent = createRecent(() => now);
    recent.add('serverErrors', 9);
    recent.add('busyMs', 9);
    expect(recent.lately()).toEqual({});
    for (now = 101; now < 145; now += 1) recent.add('answered', 2);
    expect(recent.lately()).toEqual({ serverErrors: 0.2, answered: (44 * 2) / 45 });
    now = 146;
    expect(recent.lately()).toEqual({ answered: (44 * 2) / 45 });
  });
});
