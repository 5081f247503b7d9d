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
});
