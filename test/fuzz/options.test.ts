import { expect, it } from 'vitest';
import { fuzzHelpText, readFuzzOptions } from './options.ts';

it('an option that there is not is refused, and what there is, said', () => {
  expect(() => readFuzzOptions(['--request', '3000'])).toThrow(
    'There is no option --request; there are --requests, --seed, --only, --help.',
  );
});

it('fewer requests than each kind needs are refused', () => {
  expect(() => readFuzzOptions(['--requests', '10'])).toThrow('--requests takes a whole number from 500');
});

it('one request alone is asked for by its number, and help names how', () => {
  expect(readFuzzOptions(['--seed', '1', '--only', '3'])).toMatchObject({ seed: 1, only: 3 });
  expect(readFuzzOptions(['--help'])).toBeUndefined();
  expect(fuzzHelpText).toContain('--only NUMBER');
});
