import fc from 'fast-check';
import { utf8, type Draft, type Parts } from './draft.ts';

const insertions = [
  ...[
    '\0',
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    ' ',
    '\t',
    '%',
    '%00',
    '/',
    '//',
    '?',
    '#',
    ':',
    ';',
    ',',
    '"',
    '{',
    '}',
    '[',
    '\\',
  ],
  ...[
    '0',
    '9',
    '-1',
    'true',
    'null',
    '"__proto__":1,',
    utf8('é'),
    utf8('\u{1F600}'),
    '\x7f',
    '\x80',
    '\xff',
    'HTTP/1.1',
  ],
  ...[
    '\r\nContent-Length: 0',
    '\r\nTransfer-Encoding: chunked',
    '\r\nX-Api-Key: x',
    '\r\nConnection: close',
    '\r\n folded',
    '0\r\n\r\n',
  ],
];
/** A body is made as long as it is announced, within reason: the service rightly waits for what is missing. */
const fillerMax = 100_000;
const changesMax = 4;

const oneChange = fc.record({
  where: fc.constantFrom('method', 'target', 'version', 'header', 'header', 'header', 'body'),
  how: fc.constantFrom('insert', 'replace', 'delete', 'double', 'swapCase', 'cut', 'turn', 'repeat'),
  at: fc.nat(),
  length: fc.integer({ min: 1, max: 12 }),
  text: fc.oneof(fc.constantFrom(...insertions), fc.string({ minLength: 1, maxLength: 1, unit: 'binary-ascii' })),
});
type Change = typeof oneChange extends fc.Arbitrary<infer T> ? T : never;

function changeText(text: string, { how, at, length, text: given }: Change): string {
  const place = text.length === 0 ? 0 : at % text.length;
  const [before, here, after] = [text.slice(0, place), text.slice(place, place + length), text.slice(place + length)];
  switch (how) {
    case 'insert':
      return before + given + here + after;
    case 'replace':
      return before + given + text.slice(place + 1);
    case 'delete':
      return before + after;
    case 'double':
      return before + here + here + after;
    case 'swapCase':
      return before + (here === here.toUpperCase() ? here.toLowerCase() : here.toUpperCase()) + after;
    case 'cut':
      return before;
    case 'turn':
      return before + Array.from(here).toReversed().join('') + after;
    case 'repeat':
      return before + here.repeat(at % 300) + after;
  }
}

function changePart(parts: Parts, change: Change): Parts {
  const { where, how, at } = change;
  if (where === 'body') {
    return { ...parts, body: Buffer.from(changeText(parts.body.toString('latin1'), change), 'latin1') };
  }
  if (where !== 'header') return { ...parts, [where]: changeText(parts[where], change) };
  if (parts.headers.length === 0) return parts;
  const index = at % parts.headers.length;
  const line = parts.headers[index]!;
  if (how === 'double') return { ...parts, headers: [...parts.headers, line] };
  if (how === 'delete') return { ...parts, headers: parts.headers.toSpliced(index, 1) };
  if (how === 'turn') return { ...parts, headers: parts.headers.toReversed() };
  return { ...parts, headers: parts.headers.with(index, changeText(line, change)) };
}

function completed(parts: Parts): Parts {
  const lengths = parts.headers.flatMap((line) => /^content-length:\s*(\d+)\s*$/i.exec(line)?.[1] ?? []);
  const missing = Math.min(Number(lengths[0] ?? 0) - parts.body.length, fillerMax);
  return missing > 0 ? { ...parts, body: Buffer.concat([parts.body, Buffer.alloc(missing, ' ')]) } : parts;
}

/** Valid requests of which some parts are changed after they were signed; some stay as they are. */
export function withMutation(base: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  return fc.tuple(base, fc.array(oneChange, { maxLength: changesMax })).map(([draft, changes]) => ({
    ...draft,
    kind: 'mutated',
    change: (parts) => (changes.length === 0 ? parts : completed(changes.reduce(changePart, parts))),
  }));
}

/** Valid requests of which bytes are changed, wherever they stand. */
export function withMutatedBytes(base: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  const bit = fc.record({ at: fc.nat(), bit: fc.nat(7) });
  return fc
    .tuple(base, fc.array(oneChange, { maxLength: changesMax }), fc.array(bit, { maxLength: changesMax }))
    .map(([draft, changes, bits]) => ({
      ...draft,
      kind: 'mutated bytes',
      changeBytes: (given) => {
        const bytes = Buffer.from(changes.reduce(changeText, given.toString('latin1')), 'latin1');
        for (const { at, bit: place } of bytes.length === 0 ? [] : bits) bytes[at % bytes.length]! ^= 1 << place;
        return bytes;
      },
    }));
}

const noHttp = [
  ...[
    '\0',
    '\r\n',
    '\n\n\n\n',
    '\r\n'.repeat(2_000),
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
    'EHLO a\r\nQUIT\r\n',
  ],
  ...[
    '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
    '*1\r\n$4\r\nPING\r\n',
    'GET /\r\n\r\n',
    'GET / HTTP/1.1\n\n',
    'HTTP/1.1 200 OK\r\n\r\n',
  ],
  ...[
    'GET / HTTP/1.1\r\n',
    'GET',
    '\x80\x05hello',
    'PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n',
    'OPTIONS * RTSP/1.0\r\n\r\n',
  ],
];

/** Bytes that are no request at all. */
export function withoutHttp(base: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  const bytes = fc.oneof(
    fc.constantFrom(...noHttp).map((text) => Buffer.from(text, 'latin1')),
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((each) => Buffer.from(each)),
    fc.tuple(fc.nat(30_000), fc.nat(255)).map(([length, byte]) => Buffer.alloc(length + 1, byte)),
  );
  return fc.tuple(base, bytes, fc.boolean()).map(([draft, given, isBefore]) => ({
    ...draft,
    kind: 'no HTTP',
    // Alone, or before a request that is right: nothing of it may be taken for another request's.
    changeBytes: (request) => (isBefore ? Buffer.concat([given, request]) : given),
  }));
}
