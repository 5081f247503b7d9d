import fc from 'fast-check';
import type { World } from '../world.ts';
import { utf8, type Draft } from './draft.ts';

/** Above what fits with the other headers into what the service reads of them. */
const targetLengthMax = 15_500;
const parametersMax = 400;

const segments = [
  ...['', '.', '..', '...', '%2e%2e', '%2f', '%5c', '\\', ';a=b', '%00', '%zz', '%', '%c0%af', '%ed%a0%80', '~', '*'],
  ...['$where', '{"$gt":""}', '[object Object]', '__proto__', 'constructor', 'undefined', 'null', 'NaN', '-1', '1e309'],
  ...['api', 'v1', 'wallets', 'Wallets', 'transfer', 'query', 'orders', 'command', 'create', 'completed', 'wallet'],
  ...['balance', 'flows', 'docs', 'openapi.json', 'metrics', 'healthz', utf8('é'), utf8('\u{1F600}'), '\xff', 'a b'],
  ...['\0', '\t', '\r', '\n', '\x7f', '<script>', "' or 1=1 --", '${7*7}', '{{7*7}}', '|', '^', '`', '"'],
];
const forms = [
  ...['*', '', '#', '?', '//', '/', 'api/v1/wallets', 'http://', 'http://test/api/v1/wallets', 'https://a:b@c/api/'],
  ...['//test/api/v1/wallets', 'x://[::1', 'http://[v1.x]/api', 'file:///etc/passwd', 'test:80', '127.0.0.1:80'],
  ...['/api#', '/api/v1/wallets#x', '/api/#?', '/api?', '/api/?a', '/apis', '/API/v1/wallets', '/api%2fv1/wallets'],
];

/** Odd paths and targets; what can be signed of them is signed as it is sent. */
export function withTarget(world: World, base: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  const segment = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...segments, ...world.wallets) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 30 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map(utf8) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 8 }) },
    { weight: 1, arbitrary: fc.webPath() },
  );
  const prefix = fc.constantFrom('/api', '/api/v1', '/api/v1/wallets', '/api/v1/transfer/query/orders', '', '/docs');
  const long = fc
    .record({ unit: fc.constantFrom('x', '/', '../', '%41', './', '?', 'a='), length: fc.nat(targetLengthMax) })
    .map(({ unit, length }) => `/api/v1/wallets/${unit.repeat(length / unit.length)}`);
  const path = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(prefix, fc.array(segment, { maxLength: 6 }))
        .map(([start, rest]) => [start, ...rest].join('/')),
    },
    { weight: 2, arbitrary: fc.constantFrom(...forms) },
    { weight: 1, arbitrary: long },
  );
  return fc.tuple(base, path).map(([draft, given]) => {
    const end = given.indexOf('?');
    const [signed, query] = end === -1 ? [given, ''] : [given.slice(0, end), given.slice(end)];
    return { ...draft, kind: 'target', path: signed, query };
  });
}

const names = [
  'page',
  'size',
  'cursor',
  'from',
  'to',
  'status',
  'currency',
  'direction',
  'PAGE',
  '__proto__',
  'page[]',
  '',
];
const values = [
  ...['0', '1', '00', '-1', '1.5', '1e3', '999999999', '9999999999', '100', '101', '', ' ', '+1', '0x10', 'NaN', '١'],
  ...['COMPLETED', 'PENDING', 'FAILED', 'pending', 'USD', 'EUR', 'usd', 'XXXXXXXXXXX', 'DEBIT', 'CREDIT', 'ACTIVE'],
  ...['2024-02-29T00:00:00Z', '2023-02-29T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999-23:59'],
  ...['0001-01-01T00:00:00+23:59', '2024-01-01T00:00:60Z', '2024-01-01', '1', 'now', '2024-01-01T00:00:00.1234567890Z'],
  ...[
    '%00',
    '%',
    '%zz',
    '%ff',
    '%F0%9F%98%80',
    '[$gt]',
    '{"$gt":""}',
    'a'.repeat(3_000),
    'a&b',
    'a=b',
    '+',
    '%2B',
    ';',
  ],
];

/** Cursors that nobody was given: they grant nothing, and must not break anything either. */
function cursors(world: World): fc.Arbitrary<string> {
  const lists = ['wallets', 'orders', 'flows', 'wallet-orders', '__proto__'];
  const of = fc.record({
    list: fc.constantFrom(...lists.flatMap((list) => world.wallets.map((id) => `${list} ${id}`))),
    below: fc.constantFrom(
      'tr_0',
      'wa_zzzz',
      `fl_${world.wallets[0]!}.000000000001`,
      `fl_${world.wallets[0]!}.9`,
      'tr_.',
      '',
      'ex_A',
    ),
    total: fc.constantFrom(0, 1, -1, 1e308, Number.MAX_SAFE_INTEGER, 0.5, null),
    size: fc.constantFrom(1, 100, 101, 0, -1, '20'),
    filters: fc.oneof(
      fc.constantFrom(
        {},
        { from: 'x' },
        { status: 'COMPLETED' },
        { currency: 'USD', to: '9999-12-31T23:59:59Z' },
        [],
        null,
      ),
      fc.dictionary(fc.string({ maxLength: 10 }), fc.string({ maxLength: 10 }), { maxKeys: 4 }),
    ),
  });
  const text = fc.oneof(
    { weight: 4, arbitrary: of.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json() },
  );
  return text.map((value) => Buffer.from(value).toString('base64url'));
}

/** Lists with odd parameters. */
export function withQuery(world: World, base: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  const [wallet = ''] = world.wallets;
  const path = fc.constantFrom(
    ...['/api/v1/wallets', '/api/v1/transfer/query/orders', `/api/v1/wallets/${wallet}/flows`],
    `/api/v1/transfer/query/orders/wallet/${wallet}`,
  );
  const parameter = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values)) },
    { weight: 1, arbitrary: fc.tuple(fc.constant('cursor'), cursors(world)) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...names), fc.string({ maxLength: 20 }).map(encodeURIComponent)) },
  );
  const few = fc.array(parameter, { minLength: 1, maxLength: 4 });
  const many = fc
    .nat(parametersMax)
    .map((count) => Array.from({ length: count }, (_, index) => [`p${index}`, '1'] as const));
  const queries = fc.oneof({ weight: 20, arbitrary: few }, { weight: 1, arbitrary: many });
  return fc.tuple(base, path, queries).map(([draft, given, parameters]) => ({
    ...draft,
    ...{ kind: 'query', method: 'GET', path: given, body: Buffer.alloc(0), headers: [] },
    query: `?${utf8(parameters.map(([name, value]) => `${name}=${value}`).join('&'))}`,
  }));
}
