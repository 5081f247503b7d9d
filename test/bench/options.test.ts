import { describe, expect, test } from 'vitest';
import { parseOptions } from '../../bench/options.ts';
import { scenarios } from '../../bench/scenarios.ts';

describe('command line of the benchmarks', () => {
  test('every scenario is accepted, with defaults', () => {
    for (const scenario of Object.keys(scenarios)) {
      expect(parseOptions([scenario])).toMatchObject({
        kind: 'run',
        options: { scenario, mode: 'post', isKilling: false },
      });
    }
  });

  test('options are read', () => {
    const args = 'zipf --mode accept --rate 500 --runs 3 --stored 2000,1000 --warm-up 9 --json x'.split(' ');
    expect(parseOptions(args)).toMatchObject({
      options: { mode: 'accept', rate: 500, runs: 3, stored: [1000, 2000], warmUp: 9, json: 'x' },
    });
    expect(parseOptions(['reads', '--kind', 'flows', '--mongodb-pid', '7'])).toMatchObject({
      options: { kind: 'flows', mongodbPid: 7 },
    });
  });

  test('the documented table is the median of five runs', () => {
    expect(parseOptions(['table'])).toMatchObject({ options: { runs: 5 } });
    expect(parseOptions(['uniform'])).toMatchObject({ options: { runs: 1 } });
  });

  test('what is not said is what suits the scenario', () => {
    expect(parseOptions(['uniform'])).toMatchObject({ options: { workers: 1, rate: undefined } });
    expect(parseOptions(['scale'])).toMatchObject({ options: { workers: 8, delay: 80, rate: undefined } });
    expect(parseOptions(['scale', '--kill'])).toMatchObject({ options: { workers: 4, delay: 20, isKilling: true } });
    expect(parseOptions(['scale', '--workers', '2'])).toMatchObject({ options: { workers: 2 } });
  });

  test.each([[['nonsense']], [[]], [['uniform', '--nonsense', '1']]])('%j gets the list of what there is', (args) => {
    const parsed = parseOptions(args);
    expect(parsed.kind).toBe('wrong');
    for (const scenario of Object.keys(scenarios))
      expect(parsed).toHaveProperty('text', expect.stringContaining(scenario));
    expect(parsed).toHaveProperty('text', expect.stringContaining('--workers'));
  });

  test.each([
    ['--runs', '0'],
    ['--orders', '1.5'],
    ['--rate', '-3'],
    ['--stored', '10,x'],
    ['--mode', 'sideways'],
    ['--kill', 'yes'],
    ['--kind', 'novels'],
    ['--mongodb-pid', 'mongod'],
  ])('%s %s is refused', (name, value) => {
    expect(parseOptions(['uniform', `${name}=${value}`]).kind).toBe('wrong');
  });

  test('--help is no mistake', () => {
    expect(parseOptions(['--help']).kind).toBe('help');
  });
});
