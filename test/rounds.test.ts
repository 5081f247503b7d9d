import { expect, it, vi } from 'vitest';
import type { Logger } from '../src/log.ts';
import { startRounds } from '../src/rounds.ts';
import { waitFor } from './support/wait-for.ts';

it('each round that fails is told of, and of those that go well the first after it', async () => {
  let isAway = true;
  let rounds = 0;
  const [warn, info] = [vi.fn(), vi.fn()];
  const log = { warn, info } as unknown as Logger;
  const round = () => {
    rounds += 1;
    return isAway ? Promise.reject(new Error('away')) : Promise.resolve();
  };
  const running = startRounds({ everyMs: 1, roundMaxMs: 1_000, round, logged: { log, what: 'a test' } });
  const someRounds = async () => {
    const before = rounds;
    await waitFor(() => rounds >= before + 5);
  };
  await someRounds();
  expect(warn.mock.calls.length).toBeGreaterThanOrEqual(4);
  expect(info).not.toHaveBeenCalled();
  isAway = false;
  await someRounds();
  expect(info).toHaveBeenCalledTimes(1);
  const warned = warn.mock.calls.length;
  isAway = true;
  await someRounds();
  expect(warn.mock.calls.length).toBeGreaterThanOrEqual(warned + 4);
  expect(info).toHaveBeenCalledTimes(1);
  await running.close();
});

it('a round is hastened while the rounds wait, and after the one under way where there is one', async () => {
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
