import { describe, expect, it } from 'vitest';
import { faults } from './catalogue/all.ts';
import { createChoices } from './harness/choices.ts';
import { helpText, readOptions, UsageError } from './options.ts';

describe('readOptions', () => {
  it('takes each fault once with a random seed where nothing is said', () => {
    expect(readOptions([], faults)).toMatchObject({ runs: faults.length, stacks: 1, faults });
  });

  it('takes runs, seed and faults', () => {
    const options = readOptions(['--runs', '7', '--seed=9', '--fault', 'stepdown', '--fault', 'web-killed'], faults);
    expect(options).toMatchObject({ runs: 7, seed: 9 });
    expect(options?.faults.map(({ name }) => name)).toEqual(['stepdown', 'web-killed']);
  });

  it('takes pairs, of all faults or with one of those named', () => {
    expect(readOptions(['--pairs'], faults)).toMatchObject({ isPaired: true, runs: 10, faults });
    expect(readOptions(['--runs', '7'], faults)).toMatchObject({ isPaired: false, runs: 7 });
  });

  it('takes a cluster for Redis', () => {
    expect(readOptions(['--redis-cluster'], faults)).toMatchObject({ isRedisCluster: true, stacks: 1 });
    expect(readOptions([], faults)).toMatchObject({ isRedisCluster: false });
  });

  it('takes the figures of the load', () => {
    const { load } = readOptions(['--clients', '60', '--rate', '700'], faults) ?? {};
    expect(load).toEqual({ clients: 60, ratePerSecond: 700 });
    expect(readOptions([], faults)?.load).toEqual({ clients: undefined, ratePerSecond: undefined });
  });

  it.each([
    [
      ['--rums', '7'],
      'There is no option --rums; there are --runs, --seed, --fault, --pairs, --stacks, --redis-cluster, --clients, --rate, --help.',
    ],
    [['--fault', 'flood'], 'There is no fault "flood"; there are:\n  worker-killed\n'],
    [['--runs', 'many'], '--runs takes a whole number from 1 to 100000.'],
    [['--seed'], '--seed takes a whole number'],
    [['worker-killed'], '"worker-killed" is not an option'],
  ])('refuses %j, and says what there is', (args, message) => {
    expect(() => readOptions(args, faults)).toThrow(UsageError);
    expect(() => readOptions(args, faults)).toThrow(message);
  });

  it('lists every fault in the help', () => {
    expect(readOptions(['-h'], faults)).toBeUndefined();
    for (const { name } of faults) expect(helpText(faults)).toContain(name);
  });
});

describe('createChoices', () => {
  it('chooses the same for the same seed, and otherwise for another', () => {
    const choose = (seed: number) => {
      const choices = createChoices(seed);
      return Array.from({ length: 20 }, () => choices.fork().whole(0, 1_000_000));
    };
    expect(choose(1)).toEqual(choose(1));
    expect(choose(1)).not.toEqual(choose(2));
  });

  it('chooses otherwise from the first choice on, for seeds in a row', () => {
    const first = Array.from({ length: 100 }, (_, seed) => createChoices(1_000 + seed).whole(0, 399) < 200);
    const changes = first.filter((isLow, index) => isLow !== first[index + 1]);
    expect(changes.length).toBeGreaterThan(30);
  });
});
