import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { World } from '../world.ts';
import { contentTypeLine, createPath, draftOf, journalPath, type Draft } from './draft.ts';
import { journalOf, transferOf } from './valid.ts';

/** Around the most that the service reads, 64 KiB. */
const bytesMax = 64 * 1024;
const depthMax = 30_000;
const membersMax = 3_000;

const fieldValues: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 0.1, 1e21, [], {}, [[]], ['1'], { $gt: '' }, { toString: '1' }, { length: 1 }],
  ...['', ' ', '0', '-0', '+1', '01', '.1', '1.', '1e3', '0x1', 'Infinity', 'NaN', '1,0', '1_000', '0.001', '0.010'],
  ...['9'.repeat(30), '9'.repeat(31), '9'.repeat(60_000), `0.${'0'.repeat(40)}1`, '\u0661', '\uff11', '1\u0000', '1\n'],
  ...['usd', 'USD ', 'XXX', 'XAU', 'USDT', 'BTC', '\u0000', '\ud800', '\u{1F600}', '__proto__', 'constructor'],
  ...['tr_1', 'wallet', 'completed', '.', '..', '-a', 'a/b', 'a'.repeat(64), 'a'.repeat(65), '$where', 'EXTERNAL'],
];
const fields = ['sourceWalletId', 'targetWalletId', 'amount', 'currency', 'bizId'];
const strangeNames = [
  '__proto__',
  'constructor',
  'toString',
  '$set',
  'status',
  'workspaceId',
  'a.b',
  '',
  '\u0000',
  'Amount',
];
const types = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'application/json;charset=utf-8',
];
const compressions: Record<string, (body: Buffer) => Buffer> = {
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  br: (body) => brotliCompressSync(body),
  'gzip, gzip': (body) => gzipSync(gzipSync(body)),
  identity: (body) => body,
};

type Fields = Record<string, unknown>;

/** Creates and journals, rightly signed, with every way for a body not to be what it should. */
export function bodyDrafts(world: World): fc.Arbitrary<Draft> {
  const transfer = transferOf(world);
  const create = { path: createPath, given: transfer, odd: oddFields(transfer) };
  const journal = { path: journalPath, given: journalOf(world), odd: oddLegs(journalOf(world), oddFields(transfer)) };
  return fc.oneof(
    { weight: 3, arbitrary: draftsOf(world, create) },
    { weight: 1, arbitrary: draftsOf(world, journal) },
  );
}

interface Given {
  readonly path: string;
  readonly given: fc.Arbitrary<Fields>;
  readonly odd: fc.Arbitrary<Fields>;
}

function draftsOf(world: World, { path, given: transfer, odd }: Given): fc.Arbitrary<Draft> {
  const bytes = fc.oneof(
    { weight: 6, arbitrary: odd.map((value) => Buffer.from(JSON.stringify(value))) },
    { weight: 6, arbitrary: oddTexts(transfer).map((text) => Buffer.from(text)) },
    { weight: 3, arbitrary: oddBytes(transfer) },
    { weight: 1, arbitrary: fc.json().map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((each) => Buffer.from(each)) },
  );
  const draft = bytes.map((body) =>
    draftOf({ kind: 'body', method: 'POST', path, key: world.keys[0]!, headers: [contentTypeLine], body }),
  );
  const typed = fc
    .tuple(draft, fc.constantFrom(...types))
    .map(([each, type]) => ({ ...each, headers: type === '' ? [] : [`Content-Type: ${type}`] }));
  const compressed = fc
    .tuple(draft, fc.constantFrom(...Object.keys(compressions)), fc.boolean())
    .map(([each, name, isTrue]) => ({
      ...each,
      headers: [...each.headers, `Content-Encoding: ${name}`],
      body: isTrue ? compressions[name]!(each.body) : each.body,
    }));
  const elsewhere = fc
    .tuple(draft, fc.constantFrom('GET', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'), fc.constantFrom('/api/v1/wallets', path))
    .map(([each, method, elsewherePath]) => ({ ...each, method, path: elsewherePath }));
  return fc.oneof({ weight: 12, arbitrary: draft }, typed, compressed, elsewhere);
}

/** One of its legs is odd, or all of them. */
function oddLegs(journal: fc.Arbitrary<Fields>, leg: fc.Arbitrary<Fields>): fc.Arbitrary<Fields> {
  const tooMany = leg.map((one) => Array.from({ length: 101 }, () => one));
  const all = fc.oneof(fc.constantFrom(...fieldValues), tooMany, fc.jsonValue({ maxDepth: 3 }));
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(journal, leg, fc.nat())
        .map(([{ legs, ...given }, odd, at]) => ({ ...given, legs: withOne(legs as Fields[], odd, at) })),
    },
    fc.tuple(journal, all).map(([given, legs]) => ({ ...given, legs })),
  );
}

function withOne(legs: readonly Fields[], odd: Fields, at: number): Fields[] {
  return legs.with(at % legs.length, odd);
}

function oddFields(transfer: fc.Arbitrary<Fields>): fc.Arbitrary<Fields> {
  const value = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fieldValues) }, fc.jsonValue({ maxDepth: 3 }));
  return fc.oneof(
    fc.tuple(transfer, fc.constantFrom(...fields), value).map(([given, name, odd]) => ({ ...given, [name]: odd })),
    fc.tuple(transfer, fc.constantFrom(...fields)).map(([{ ...given }, name]) => {
      const { [name]: _left, ...rest } = given;
      return rest;
    }),
    fc
      .tuple(transfer, fc.constantFrom(...strangeNames), value)
      .map(([given, name, odd]) => ({ ...given, [name]: odd })),
  );
}

function oddTexts(transfer: fc.Arbitrary<Fields>): fc.Arbitrary<string> {
  const text = transfer.map((given) => JSON.stringify(given));
  const count = (max: number) => fc.nat(max);
  return fc.oneof(
    fc.tuple(text, fc.nat()).map(([given, at]) => given.slice(0, at % given.length)),
    fc
      .tuple(text, fc.constantFrom(',', '}', ']', ' x', '\n{}', '\0', '//', '/**/', ';'))
      .map(([given, more]) => given + more),
    fc
      .tuple(text, fc.constantFrom('\ufeff', ',', '[', 'x', '//\n', '\u00a0', '\u2028', ")]}',\n"))
      .map(([given, first]) => first + given),
    // A key that comes twice, as it is and with an escape.
    fc.tuple(text, fc.constantFrom(...fields)).map(([given, name]) => `{"${name}":"1",${given.slice(1)}`),
    fc
      .tuple(text, fc.constantFrom(...fields))
      .map(([given, name]) => `{"${unicodeEscape(name)}${name.slice(1)}":"1",${given.slice(1)}`),
    text.map((given) => given.replaceAll('"', "'")),
    text.map((given) => given.replace('}', ',}')),
    text.map((given) => given.replace(/"amount":"([^"]*)"/, '"amount":$1')),
    text.map((given) => given.replaceAll(/(?<=[,:{])/g, ' \n')),
    text.map((given) => given.replaceAll(/[a-z]/gi, unicodeEscape)),
    count(depthMax).map((depth) => `{"amount":${'['.repeat(depth)}${']'.repeat(depth)}}`),
    count(depthMax / 4).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
    count(depthMax).map((depth) => '['.repeat(depth)),
    count(membersMax).map(
      (members) => `{${Array.from({ length: members }, (_, index) => `"a${index}":"\\":"`).join(',')}}`,
    ),
    count(membersMax).map((members) => `{${'"amount":"1",'.repeat(members)}"currency":"USD"}`),
    fc.constantFrom(
      '',
      '{}',
      '[]',
      'null',
      'true',
      '1',
      '"x"',
      '{',
      '}',
      '""',
      ' ',
      '\n',
      'NaN',
      '1e999',
      '-',
      '{"a":1e999}',
      '{"amount":"\\ud800"}',
    ),
  );
}

/** The first letter as JSON may write it too. */
function unicodeEscape(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function oddBytes(transfer: fc.Arbitrary<Fields>): fc.Arbitrary<Buffer> {
  const bytes = transfer.map((given) => Buffer.from(JSON.stringify(given)));
  const broken = fc.constantFrom(
    [0xff],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xe2, 0x82],
    [0x80],
    [0x00],
    [0xef, 0xbb, 0xbf],
  );
  return fc.oneof(
    fc.tuple(bytes, broken, fc.nat()).map(([given, odd, at]) => {
      const place = at % given.length;
      return Buffer.concat([given.subarray(0, place), Buffer.from(odd), given.subarray(place)]);
    }),
    bytes.map((given) => Buffer.from(given.toString(), 'utf16le')),
    fc
      .tuple(bytes, fc.integer({ min: -2, max: 2 }), fc.constantFrom(' ', '\0', '0'))
      .map(([given, off, filler]) => Buffer.concat([given, Buffer.alloc(bytesMax + off - given.length, filler)])),
    fc
      .tuple(fc.nat(bytesMax * 3), fc.constantFrom(' ', '"', '{', '\\', '0'))
      .map(([length, filler]) => Buffer.alloc(length, filler)),
  );
}
