import { expect, it } from 'vitest';
import { faultOfMongodbAddress } from '../../src/settings/mongodb-address.ts';

const faultOf = (options: string) => faultOfMongodbAddress(`mongodb://service:hunter2@db/x?${options}`);

it.each([
  'w=1',
  'journal=false',
  'wtimeoutMS=1000',
  'TimeoutMS=1000',
  'retryWrites=false',
  'retryReads=false',
  'readPreference=secondaryPreferred',
  'readConcernLevel=local',
])('an address that weakens what the service guarantees is at fault, and not told: %s', (option) => {
  const [name = ''] = option.split('=');
  expect(faultOf(option)?.toLowerCase()).toContain(`${name.toLowerCase()} must`);
  expect(faultOf(option)).not.toMatch(/hunter2|:\/\//);
});

it('every fault is named', () => {
  expect(faultOf('w=majority&retryWrites=false&wtimeout=9&readConcernLevel=local')).toBe(
    'wtimeout must not be set; readConcernLevel must be "majority", which it is by itself; ' +
      'retryWrites must be "true", which it is by itself',
  );
});

it('an address that says only what holds anyway is taken', () => {
  const options = 'w=majority&journal=true&retryWrites=true&readPreference=primary&readConcernLevel=majority';
  expect(faultOf(options)).toBeUndefined();
});
