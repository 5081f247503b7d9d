import fc from 'fast-check';
import { utf8, type Draft } from './draft.ts';

/** Beyond what the service reads of a request's headers. */
const headerLengthMax = 17_000;
const headersMax = 3_000;

const values: Record<string, readonly string[]> = {
  'X-LOCALE': [
    ...['', 'und', 'und-Latn', '*', 'en_US', 'EN-us', 'x-private', 'i-klingon', 'zh-Hant', 'a', '-', 'en-', '\xe9'],
    ...[
      `en-u-${'ca-gregory-'.repeat(200)}`,
      `de${'-abcdefgh'.repeat(1_500)}`,
      `en-x${'-a'.repeat(5_000)}`,
      'a'.repeat(9_000),
    ],
  ],
  Prefer: [
    ...[
      'wait',
      'wait=',
      'wait=-1',
      'wait=0',
      'wait="1"',
      'wait=1; a=b',
      'respond-async, wait=1',
      'wait=1e9',
      'WAIT = 1',
    ],
    ...['wait=1,'.repeat(1_500), ','.repeat(9_000), ';'.repeat(9_000), '"'.repeat(999), ' '.repeat(9_000) + 'wait=1'],
  ],
  'X-Forwarded-For': [
    ...['', ',', 'unknown', '127.0.0.1', '::1', '[::1]:80', '10.0.0.1:80', '203.0.113.9', '0x7f.1', '::ffff:127.0.0.1'],
    ...['203.0.113.9, '.repeat(700), ','.repeat(9_000), `${'f'.repeat(4_000)}::`, '1.1.1.1\x00'],
  ],
  'Content-Type': [
    ...['', 'application/json;', 'application/json; charset', 'application/json; charset="utf-8', 'text/plain', '*/*'],
    ...[
      'application/JSON; Charset=UTF-8',
      'application/json; charset=utf-16',
      `application/json; ${'a=b; '.repeat(1_500)}`,
    ],
    ...['multipart/form-data; boundary=x', 'application/json, text/plain', '/'.repeat(5_000), '\xe9/\xe9'],
  ],
  'Content-Encoding': ['gzip', 'identity', 'IDENTITY', 'br, gzip', '', 'deflate', 'x'.repeat(9_000)],
  Connection: ['close', 'keep-alive', 'Upgrade', 'close, keep-alive', 'x-api-key', 'Content-Length', ',', ''],
  Upgrade: ['websocket', 'h2c', 'TLS/1.0', '', 'x'.repeat(999)],
  Expect: ['100-continue', '200-ok', '', '100-continue, 100-continue', 'x'.repeat(999)],
  Host: ['', 'a b', 'a,b', '[::1', 'x'.repeat(9_000), 'test:99999', '\xff', '127.0.0.1, 127.0.0.1'],
  Accept: ['', 'text/html', '*/*;q=0', 'a/b,'.repeat(2_000)],
  'Accept-Encoding': ['gzip', 'identity;q=0', '*;q=0', ','.repeat(9_000)],
  'Accept-Language': ['de', ','.repeat(5_000)],
  Cookie: ['a=b', ';'.repeat(9_000), '__proto__=1'],
  Authorization: ['Basic OnB3', 'Bearer x', 'Bearer'],
  Range: ['bytes=0-0', 'bytes=-1', `bytes=${'0-0,'.repeat(2_000)}`],
  'If-None-Match': ['*', '"x"'],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'x'],
  TE: ['trailers', 'chunked'],
  Trailer: ['X-Api-Key', 'Content-Length'],
  'Keep-Alive': ['timeout=0', 'max=0'],
  'HTTP2-Settings': ['AAMAAABkAAQAAP__'],
  'X-HTTP-Method-Override': ['DELETE'],
  traceparent: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0-0-0', 'x'.repeat(9_000)],
  tracestate: ['a=b,'.repeat(999)],
  baggage: ['a=b;c,'.repeat(999)],
  ['__proto__']: ['x'],
  constructor: ['x'],
  'X-Request-Id': ['x'.repeat(9_000), '\xff'],
};
const lines = [
  ...[
    ' X-Folded: a',
    '\tfolded',
    'No colon',
    ': no name',
    'X-Space : a',
    'X Space: a',
    'X-Nul: a\0b',
    'X-Cr: a\rb',
    'X-Lf: a\nb',
  ],
  ...[
    'X-Ctl: \x01\x02\x7f',
    `X-Utf: ${utf8('\u{1F600}')}`,
    'X-Empty:',
    'X-Tabs:\t\ta\t',
    '(): a',
    '"X": a',
    'X\xe9: a',
    '',
  ],
  ...['X-Api-Key', 'Content-Length: ', 'Transfer-Encoding:', 'GET / HTTP/1.1'],
];

/** One to three header lines more: known ones with odd values, malformed ones, very long ones, very many. */
export function withHeaders(base: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  const known = fc
    .constantFrom(...Object.keys(values))
    .chain((name) => fc.constantFrom(...values[name]!).map((value) => [`${name}: ${value}`]));
  const any = fc
    .tuple(fc.constantFrom(...Object.keys(values), 'X-Other'), fc.string({ unit: 'binary-ascii', maxLength: 40 }))
    .map(([name, value]) => [`${name}: ${value}`]);
  const long = fc
    .tuple(
      fc.constantFrom(...Object.keys(values), 'X-Long'),
      fc.nat(headerLengthMax),
      fc.constantFrom('x', '-', 'a-', ',', ' '),
    )
    .map(([name, length, unit]) => [`${name}: ${unit.repeat(length / unit.length)}`]);
  const many = fc
    .tuple(fc.nat(headersMax), fc.constantFrom('X-A: 1', 'x:', 'X-Forwarded-For: ::1', 'Cookie: a'))
    .map(([count, line]) => Array.from({ length: count }, () => line));
  const more = fc.oneof(
    { weight: 12, arbitrary: known },
    { weight: 3, arbitrary: any },
    { weight: 3, arbitrary: fc.constantFrom(...lines).map((line) => [line]) },
    { weight: 2, arbitrary: long },
    { weight: 1, arbitrary: many },
  );
  const host = fc.oneof(
    { weight: 12, arbitrary: fc.constant(['Host: 127.0.0.1']) },
    { weight: 1, arbitrary: fc.constantFrom([], ['Host: a', 'Host: b'], ['Host:']) },
  );
  return fc
    .tuple(base, host, fc.array(more, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([draft, given, added, isFirst]) => {
      const headers = isFirst ? [...added.flat(), ...draft.headers] : [...draft.headers, ...added.flat()];
      return { ...draft, kind: 'headers', host: given, headers };
    });
}
