import { createHash } from 'node:crypto';
import { canonicalMessage, sign } from '../../src/auth/signature.ts';

/** One request and what a verifier must find. */
export interface SigningVector {
  readonly name: string;
  readonly secret: string;
  /** As a program may have it: in any case. */
  readonly givenMethod: string;
  /** As it is sent: with the query string. */
  readonly target: string;
  readonly method: string;
  readonly path: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly bodyBase64: string;
  readonly canonicalMessage: string;
  /** The right signature. */
  readonly signature: string;
  /** The value of X-Signature that came with the request. */
  readonly presented: string;
  /** GA2012 where `presented` is not, to the letter, `signature`. */
  readonly verdict: 'ACCEPTED' | 'GA2012';
}

interface Request {
  readonly secret: string;
  readonly givenMethod?: string;
  readonly query?: string;
  readonly method: string;
  readonly path: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Uint8Array;
}

const text = (value: string): Uint8Array => Buffer.from(value, 'utf8');

const createBody = '{"sourceWalletId":"wa_1","targetWalletId":"wa_2","amount":"1.10","currency":"USD"}';
const base: Request = {
  secret: 'c2VjcmV0LW9mLXRoaXJ0eS10d28tYnl0ZXMtb2YtdGV4dA',
  method: 'POST',
  path: '/api/v1/transfer/command/create',
  timestamp: '1767225600',
  nonce: '6f1c1a52-3f0b-4a77-9d3a-8a5d8d6e2f10',
  body: text(createBody),
};
const get: Request = { ...base, method: 'GET', path: '/api/v1/wallets', body: text('') };

const accepted: readonly (readonly [string, Request])[] = [
  ['a create', base],
  ['a list; the body hash is that of no bytes', get],
  ...['/api/v1/wallets/wa_1', '/api/v1/wallets/wa_1/balance', '/api/v1/wallets/wa_1/flows'].map(onPath),
  ...['/api/v1/transfer/query/orders', '/api/v1/transfer/query/orders/wallet/wa_1'].map(onPath),
  ...['/api/v1/transfer/query/orders/tr_1', '/api/v1/transfer/query/orders/tr_1/completed'].map(onPath),
  ...['/api', '/api/', '/api//v1/wallets', '/api/v1/../v1/wallets', '/api/v1/wallets/', '/api/v1/%2e%2E/x'].map(onPath),
  ...['/api/v1/wallets/%E2%82%AC', '/api/v1/wallets/a%20b', '/api/v1/wallets/a+b', "/api/v1/w;a=1,!$&'()*"].map(onPath),
  ...['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((method) => [`method ${method}`, { ...get, method }] as const),
  ...['?page=0&size=20', '?', '?from=2026-01-01T00:00:00%2B01:00', '?a=b?c=d/e', '?currency=USD&currency=EUR'].map(
    (query) => [`query ${query}: it is not signed`, { ...get, query }] as const,
  ),
  ['a method in lower case: it is signed in upper case', { ...get, givenMethod: 'get' }],
  ['a method in mixed case, with a query', { ...base, givenMethod: 'Post', query: '?x=1' }],
  ['a GET with a body: its bytes are signed', { ...get, body: text('{}') }],
  ...['1', '999999999999', '1767225601'].map((timestamp) => [`timestamp ${timestamp}`, { ...get, timestamp }] as const),
  ['the shortest nonce', { ...get, nonce: 'n' }],
  ['the longest nonce', { ...get, nonce: 'n'.repeat(128) }],
  ['a nonce of punctuation', { ...get, nonce: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~' }],
  ['a nonce with a space inside', { ...get, nonce: 'a b' }],
  ['a body with spaces: not the same bytes', { ...base, body: text(createBody.replaceAll(',', ', ')) }],
  ['a body with its keys in another order', { ...base, body: text('{"currency":"USD","amount":"1.10"}') }],
  ['a body that ends in a newline', { ...base, body: text(`${createBody}\n`) }],
  ['a body with CRLF', { ...base, body: text('{\r\n}') }],
  ['a body beyond ASCII', { ...base, body: text('{"name":"Grüße 你好 🚀"}') }],
  ['the same characters, escaped', { ...base, body: text('{"name":"Gr\\u00fc\\u00dfe"}') }],
  ['composed é', { ...base, body: text('{"name":"\u00e9"}') }],
  ['decomposed é: other bytes', { ...base, body: text('{"name":"e\u0301"}') }],
  ['a byte order mark', { ...base, body: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text('{}')]) }],
  ['bytes that are not UTF-8', { ...base, body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }],
  ['a null byte', { ...base, body: Buffer.from([0x00]) }],
  ['every byte', { ...base, body: Uint8Array.from({ length: 256 }, (_, byte) => byte) }],
  ['a body as long as a block of SHA-256', { ...base, body: text('x'.repeat(64)) }],
  ['a body of 4 KiB', { ...base, body: text('x'.repeat(4096)) }],
  ['a secret of one character', { ...base, secret: 's' }],
  ['a secret as long as a block of SHA-256', { ...base, secret: 's'.repeat(64) }],
  ['a secret longer than a block: HMAC hashes it first', { ...base, secret: 's'.repeat(65) }],
  ['a secret beyond ASCII: its UTF-8 bytes are the key', { ...base, secret: 'schlüssel-密钥' }],
  ['a secret that looks like base64 is not decoded', { ...base, secret: 'c2VjcmV0' }],
  ['a secret with spaces', { ...base, secret: ' secret with spaces ' }],
];

const twins: readonly (readonly [string, (request: Request) => string])[] = [
  ['url-safe base64', (request) => right(request).replaceAll('+', '-').replaceAll('/', '_')],
  ['base64 without padding', (request) => right(request).replace(/=+$/, '')],
  ['base64 with other trailing bits', (request) => right(request).replace(/.=$/, (end) => `${twinOf(end[0] ?? '')}=`)],
  ['hexadecimal', (request) => Buffer.from(right(request), 'base64').toString('hex')],
  ['nothing', () => ''],
  ['the signature under another secret', (request) => right({ ...request, secret: 'other' })],
  ['the signature of another method', (request) => right({ ...request, method: 'PUT' })],
  ['the method in lower case', (request) => right({ ...request, method: request.method.toLowerCase() })],
  ['the signature of another path', (request) => right({ ...request, path: `${request.path}/` })],
  ['the query string signed as well', (request) => right({ ...request, path: `${request.path}?page=0` })],
  ['the signature of another timestamp', (request) => right({ ...request, timestamp: '1767225601' })],
  ['the signature of another nonce', (request) => right({ ...request, nonce: 'other' })],
  ['the signature of another body', (request) => right({ ...request, body: text('{}') })],
  ['a newline at the end of the message', (request) => sign(`${canonicalMessage(request)}\n`, request.secret)],
  ['CRLF between the lines', (request) => sign(canonicalMessage(request).replaceAll('\n', '\r\n'), request.secret)],
  ['the body itself in place of its hash', (request) => sign(unhashed(request), request.secret)],
  ['the body hash in upper case', (request) => sign(upperHash(request), request.secret)],
  ['SHA-256 without a key', (request) => createHash('sha256').update(canonicalMessage(request)).digest('base64')],
];

/** docs/signing-vectors.json: the same at every run. */
export function signingVectors(): SigningVector[] {
  const wrong = twins.flatMap(([name, presented]) => [
    vector(`${name} (create)`, base, presented(base)),
    vector(`${name} (list)`, get, presented(get)),
  ]);
  // Where the right signature happens to have neither + nor /, its url-safe form is the same.
  return [...accepted.map(([name, request]) => vector(name, request, right(request))), ...wrong];
}

function vector(name: string, request: Request, presented: string): SigningVector {
  const { secret, method, path, timestamp, nonce, body, givenMethod = method, query = '' } = request;
  const signature = right(request);
  return {
    ...{ name, secret, givenMethod, target: path + query, method, path, timestamp, nonce },
    bodyBase64: Buffer.from(body).toString('base64'),
    canonicalMessage: canonicalMessage(request),
    signature,
    presented,
    verdict: presented === signature ? 'ACCEPTED' : 'GA2012',
  };
}

function onPath(path: string): readonly [string, Request] {
  return [`path ${path}`, { ...get, path }];
}

function right(request: Request): string {
  return sign(canonicalMessage(request), request.secret);
}

/** The last character of a padded group carries two bits that a lenient decoder throws away. */
function twinOf(character: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return alphabet[alphabet.indexOf(character) ^ 1] ?? '';
}

function unhashed({ method, path, timestamp, nonce, body }: Request): string {
  return [method, path, timestamp, nonce, Buffer.from(body).toString('utf8')].join('\n');
}

function upperHash(request: Request): string {
  const lines = canonicalMessage(request).split('\n');
  return [...lines.slice(0, -1), lines.at(-1)?.toUpperCase() ?? ''].join('\n');
}
