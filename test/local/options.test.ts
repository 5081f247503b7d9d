import { expect, it } from 'vitest';
import { readOptions as readDemoOptions } from '../../local/demo/options.ts';
import { readOptions } from '../../local/options.ts';

it.each([
  ['start', readOptions, ['--worker', '3'], "Unknown option '--worker'"],
  ['start', readOptions, ['--workers', '65'], '--workers takes a whole number from 1 to 64'],
  ['demo', readDemoOptions, ['--transfer', '3'], "Unknown option '--transfer'"],
  ['demo', readDemoOptions, ['--tour', '--transfers', '3'], '--tour and --transfers do not go together'],
])('script/%s refuses %2$j', (_, read, args, message) => {
  expect(() => read(args, '/')).toThrow(message);
});
