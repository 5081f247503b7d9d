import { describe, expect, it } from 'vitest';
import { createRecent } from '../../src/ops/recent.ts';

describe('the last seconds', () => {
  it('are averaged over whole seconds, and forgotten', () => {
    let now = 100;
    const recent = createRecent(() => now);
    recent.add('posted', 50);
    recent.sample('latencyMs', 7);
    expect(recent.perSecond('posted')).toBe(0);
    now = 101;
    expect(recent.perSecond('posted')).toBe(10);
    const { p50 = 0, p99 = 0 } = recent.percentiles('latencyMs') ?? {};
    expect([Math.round(p50), Math.round(p99)]).toEqual([7, 7]);
    now = 106;
    expect(recent.perSecond('posted')).toBe(0);
    expect(recent.percentiles('latencyMs')).toBeUndefined();
  });

  it('are counted for 45 seconds, of what tells whether something is wrong', () => {
    let now = 100;
    const recent = createRecent(() => now);
    recent.add('serverErrors', 9);
    recent.add('busyMs', 9);
    recent.sample('latencyMs', 7);
    expect(recent.lately()).toEqual({});
    for (now = 101; now < 145; now += 1) recent.add('answered', 2);
    expect(recent.lately()).toEqual({ serverErrors: 0.2, answered: (44 * 2) / 45 });
    now = 146;
    expect(recent.lately()).toEqual({ answered: (44 * 2) / 45 });
  });

  it('take the same memory however much happens', () => {
    let now = 0;
    const recent = createRecent(() => now);
    for (let index = 0; index < 20_000; index += 1) recent.sample('latencyMs', index % 100);
    now = 1;
    const { p50 = 0, p95 = 0 } = recent.percentiles('latencyMs') ?? {};
    expect(p50).toBeGreaterThan(48);
    expect(p50).toBeLessThan(52);
    expect(p95).toBeGreaterThan(93);
    expect(p95).toBeLessThan(97);
  });
});
