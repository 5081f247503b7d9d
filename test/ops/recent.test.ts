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
