import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Logger } from '../src/log.ts';
import { startRounds } from '../src/rounds.ts';
import { waitFor } from './support/wait-for.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('rounds that go on failing are told of once, then once a minute; so is the first that goes well again', async () => {
  let isAway = true;
  let rounds = 0;
  const [warn, info] = [vi.fn(), vi.fn()];
  const log = { warn, info } as unknown as Logger;
  const round = () => {
    rounds += 1;
    return isAway ? Promise.reject(new Error('away')) : Promise.resolve();
  };
  // The pause between rounds comes from node:timers/promises, which is real: rounds follow each other fast.
  const running = startRounds({ everyMs: 1, roundMaxMs: 1_000, round, told: { log, what: 'a test' } });
  const someRounds = async () => {
    const before = rounds;
    while (rounds < before + 5) await new Promise((resolve) => setImmediate(resolve));
  };
  await someRounds();
  expect(warn).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60_000);
  await someRounds();
  expect(warn).toHaveBeenCalledTimes(2);
  expect(info).not.toHaveBeenCalled();
  isAway = false;
  await someRounds();
  expect(info).toHaveBeenCalledTimes(1);
  isAway = true;
  await someRounds();
  expect(warn).toHaveBeenCalledTimes(3);
  await running.close();
});

it('a round is hastened while the rounds wait, and after the one under way where there is one', async () => {
  vi.useRealTimers();
  const endings: (() => void)[] = [];
  const round = () => new Promise<void>((resolve) => endings.push(resolve));
  const running = startRounds({ everyMs: 600_000, roundMaxMs: 600_000, round });
  running.hasten();
  expect(endings).toHaveLength(1);
  endings[0]?.();
  await waitFor(() => endings.length === 2);
  endings[1]?.();
  await new Promise((resolve) => setImmediate(resolve));
  running.hasten();
  await waitFor(() => endings.length === 3);
  endings[2]?.();
  await running.close();
});
