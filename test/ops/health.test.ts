import { describe, expect, it } from 'vitest';
import { createHealth } from '../../src/ops/health.ts';

describe('health', () => {
  it('a check that throws counts as down, and since when is kept', async () => {
    const state = { isStarting: () => false, isDraining: () => false, wrongSetting: () => undefined };
    const health = createHealth({ redis: () => Promise.reject(new Error('refused')) }, state);
    const [redis] = await health.servers();
    expect(redis).toMatchObject({ name: 'redis', isUp: false });
    expect((await health.servers())[0]?.since).toEqual(redis?.since);
  });
});
