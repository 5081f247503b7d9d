import { METHODS } from 'node:http';
import fc from 'fast-check';
import type { Draft } from './draft.ts';

const odd = [
  'get',
  'Get',
  'GETS',
  'G',
  '',
  ' ',
  'PRI',
  'CONNECT',
  'GET\0',
  'GET\t',
  '\r\nGET',
  '\xff',
  'SOURCE',
  'FOO-BAR',
  'G'.repeat(9_000),
];
const versions = [
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/0.9',
  'HTTP/1.1 ',
  'http/1.1',
  'HTTP/1',
  'HTTP/11',
  'ICE/1.0',
  'RTSP/1.0',
  '',
];

/** Methods that there are, and some that there are not; one in ten in another version. */
export function withMethod(base: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  const method = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...METHODS) }, fc.constantFrom(...odd));
  const version = fc.oneof(
    { weight: 9, arbitrary: fc.constant('HTTP/1.1') },
    { weight: 1, arbitrary: fc.constantFrom(...versions) },
  );
  return fc
    .tuple(base, method, version)
    .map(([draft, given, spoken]) => ({ ...draft, kind: 'method', method: given, version: spoken }));
}
