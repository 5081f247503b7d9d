import { expect, it, vi } from 'vitest';
import type { Logger } from '../../src/log.ts';
import { idle, startRounds } from '../../src/waiting/rounds.ts';
import { waitFor } from '../support/wait-for.ts';

it('each round that fails is told of, and of those that go well the first after it', async () => {
  let isAway = true;
  let rounds = 0;
  const warn = vi.fn<(fields: { event?: string }, message: string) => void>();
  const log = { warn } as unknown as Logger;
  const told = () => warn.mock.calls.map(([{ event }]) => event ?? 'failed');
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
  expect(told()).not.toContain('recovered');
  isAway = false;
  await someRounds();
  expect(told().indexOf('recovered')).toBe(told().length - 1);
  expect(warn.mock.lastCall).toEqual([
    { event: 'recovered', work: 'a test', awayMs: expect.any(Number) as number },
    'a test works again',
  ]);
  const warned = warn.mock.calls.length;
  isAway = true;
  await someRounds();
  expect(warn.mock.calls.length).toBeGreaterThanOrEqual(warned + 4);
  expect(told().filter((each) => each === 'recovered')).toHaveLength(1);
  await running.close();
});

it('a round that did not try does not say that it works again', async () => {
  const warn = vi.fn();
  const outcomes = [() => Promise.reject(new Error('away')), () => Promise.resolve(idle), () => Promise.resolve()];
  const rounds: string[] = [];
  const round = () => {
    rounds.push(warn.mock.calls.map(([, message]) => String(message)).join());
    return outcomes[rounds.length - 1]?.() ?? Promise.resolve();
  };
  const running = startRounds({
    everyMs: 1,
    roundMaxMs: 1_000,
    round,
    logged: { log: { warn } as unknown as Logger, what: 'a test' },
  });
  await waitFor(() => rounds.length > 3);
  await running.close();
  const failed = 'a test failed; tried again';
  expect(rounds.slice(0, 4)).toEqual(['', failed, failed, `${failed},a test works again`]);
});

it('a round is hastened while the rounds wait, and after the one under way where there is one', async () => {
  const endings: (() => void)[] = [];
  const round = () => new Promise<void>((resolve) => endings.push(resolve));
  const running = startRounds({ everyMs: 600_000, roundMaxMs: 600_000, round });
  running.runNow();
  expect(endings).toHaveLength(1);
  endings[0]?.();
  await waitFor(() => endings.length === 2);
  endings[1]?.();
  await new Promise((resolve) => setImmediate(resolve));
  running.runNow();
  await waitFor(() => endings.length === 3);
  endings[2]?.();
  await running.close();
});
