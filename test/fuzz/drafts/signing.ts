import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { utf8, type Draft, type SigningHeaders, type ToSign } from './draft.ts';
import type { World } from '../world.ts';

type Names = keyof SigningHeaders;
type Edit = Pick<Draft, 'sign' | 'presign'>;

const odd = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    '0x1',
    'NaN',
    'null',
    '__proto__',
    'a b',
    'a,b',
    'a\tb',
    '\x01',
    '\0',
    '\xff\xfe',
    utf8('ü'),
  ],
  ...['1'.repeat(12), '1'.repeat(13), 'x'.repeat(128), 'x'.repeat(129), 'x'.repeat(9_000), `ak_${'0'.repeat(26)}`, '='],
];
const edits: Record<string, (signature: string) => string> = {
  'url-safe': (signature) => signature.replaceAll('+', '-').replaceAll('/', '_'),
  unpadded: (signature) => signature.replace(/=+$/, ''),
  hex: (signature) => Buffer.from(signature, 'base64').toString('hex'),
  'with a bit more': (signature) => signature.replace(/.=$/, (end) => `${end === 'A=' ? 'B' : 'A'}=`),
  shortened: (signature) => signature.slice(0, -4),
  doubled: (signature) => signature + signature,
  'of other bytes': (signature) => createHmac('sha256', 'other').update(signature).digest('base64'),
};

/** Signatures, keys, times and nonces that are missing, doubled, malformed, of something else, or of a key that may not. */
export function withSigning(world: World, base: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  const name = fc.constantFrom<Names[]>('key', 'timestamp', 'nonce', 'signature');
  const header = (make: (value: string) => readonly string[], of: fc.Arbitrary<Names> = name): fc.Arbitrary<Edit> =>
    of.map((each) => signedThen((headers) => ({ ...headers, [each]: headers[each].flatMap(make) })));
  const edit = fc.oneof(
    header(() => []),
    header((value) => [value, value]),
    fc.constantFrom(...odd).chain((text) => header(() => [text])),
    fc.constantFrom(...odd).chain((text) => header((value) => [value, text])),
    fc
      .constantFrom(...Object.values(edits))
      .chain((make) => header((value) => [make(value)], fc.constant('signature'))),
    fc
      .constantFrom(-86_400, -62, -61, 120, 3_600)
      .map((offsetSeconds) => signing((toSign) => ({ ...toSign, offsetSeconds }))),
    fc
      .constantFrom('/api/v1/wallets', '/', '')
      .map((path) => signing((toSign) => ({ ...toSign, path: path + toSign.path }))),
    fc.constantFrom('HEAD', 'PUT', '').map((method) => signing((toSign) => ({ ...toSign, method }))),
    fc
      .constantFrom(' ', '{}', '\0')
      .map((more) => signing((toSign) => ({ ...toSign, body: Buffer.concat([toSign.body, Buffer.from(more)]) }))),
    fc.constant(signing((toSign) => ({ ...toSign, key: { ...toSign.key, apiSecret: 'another secret' } }))),
    fc.constant(signedThen(() => ({ key: [], timestamp: [], nonce: [], signature: [] }))),
  );
  const key = fc.constantFrom(...world.keys.slice(1));
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.tuple(base, edit).map(([draft, given]) => ({ ...draft, ...given, kind: 'signing' as const })),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(base, key).map(([draft, given]) => ({ ...draft, key: given, kind: 'signing' as const })),
    },
  );
}

function signedThen(sign: Draft['sign']): Edit {
  return { sign, presign: (toSign) => toSign };
}

function signing(presign: (toSign: ToSign) => ToSign): Edit {
  return { presign, sign: (headers) => headers };
}
