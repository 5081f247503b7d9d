import fc from 'fast-check';
import { withLength, type Draft, type Framed } from './draft.ts';

const chunked = 'Transfer-Encoding: chunked';
const extensions = ['', '', '', ';a', ';a=b', ';a="b\tc"', '; a = b', `;${'x'.repeat(200)}`];
const trailers = ['', '', 'X-Trailer: 1\r\n', 'X-Api-Key: other\r\n', 'Content-Length: 5\r\n', 'x:\r\n'.repeat(50)];
const oddLengths = [
  '+5',
  '-1',
  '0x5',
  '5,5',
  '5, 6',
  '5 5',
  '1e1',
  '5.0',
  'five',
  '',
  ' ',
  '99999999999999999999',
  '18446744073709551616',
  '05',
  '\x005',
];
const oddCodings = [
  ...[
    'gzip',
    'gzip, chunked',
    'chunked, gzip',
    'chunked, chunked',
    'xchunked',
    'chunke',
    'identity',
    'Chunked',
    'chunked ',
    '',
  ],
  ...['\tchunked', 'chunked\x00', '"chunked"', 'chunked;a=b', 'identity, chunked'],
];
const oddSizes = [
  'g',
  '-1',
  '+5',
  '0x5',
  '',
  ' ',
  '5 ',
  'fffffffffffffffff',
  'ffffffffffffffff',
  '7fffffffffffffff',
  'ffffffff',
  '00000000000000005',
  '5\n',
  ';',
];

/** The body in chunks, cut where the sizes say, with what may stand beside them. */
function inChunks(body: Buffer, sizes: readonly number[], extension: string, trailer: string): Framed {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, body.length]) {
    const piece = body.subarray(at, at + size);
    if (piece.length > 0)
      pieces.push(Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n'));
    at += size;
  }
  return { lines: [chunked], bytes: Buffer.concat([...pieces, Buffer.from(`0\r\n${trailer}\r\n`)]) };
}

/** Bodies in chunks, and bodies whose end is said wrongly, twice, in contradiction or not at all. */
export function withFraming(base: fc.Arbitrary<Draft>): fc.Arbitrary<Draft> {
  const inOrder = fc
    .tuple(
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 200 }),
      fc.constantFrom(...extensions),
      fc.constantFrom(...trailers),
    )
    .map(
      ([sizes, extension, trailer]) =>
        (body: Buffer) =>
          inChunks(body, sizes, extension, trailer),
    );
  const oddLength = fc
    .constantFrom(...oddLengths)
    .map((length) => (body: Buffer): Framed => ({ lines: [`Content-Length: ${length}`], bytes: body }));
  const wrongLength = fc.constantFrom(-20, -1, 1, 20, 70_000, 1e9).map((off) => (body: Buffer): Framed => ({
    lines: [`Content-Length: ${Math.max(0, body.length + off)}`],
    bytes: body,
  }));
  const twoLengths = fc.constantFrom(0, 0, 1, -1, 100).map((off) => (body: Buffer): Framed => ({
    lines: [`Content-Length: ${body.length}`, `Content-Length: ${Math.max(0, body.length + off)}`],
    bytes: body,
  }));
  const both = fc.boolean().map((isFirst) => (body: Buffer): Framed => {
    const { bytes } = inChunks(body, [], '', '');
    const lines = [`Content-Length: ${isFirst ? body.length : bytes.length}`, chunked];
    return { lines: isFirst ? lines : lines.toReversed(), bytes };
  });
  const oddCoding = fc.constantFrom(...oddCodings).map((coding) => (body: Buffer): Framed => ({
    ...inChunks(body, [], '', ''),
    lines: [`Transfer-Encoding: ${coding}`],
  }));
  const oddSize = fc.constantFrom(...oddSizes).map((size) => (body: Buffer): Framed => ({
    lines: [chunked],
    bytes: Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]),
  }));
  const oddEnd = fc
    .constantFrom(
      '',
      '0',
      '0\r\n',
      '\n0\n\n',
      '\r\n\r\n',
      '\r\n0\r\n\r',
      '\r\n0\r\nx\r\n\r\n',
      '\r\n0\r\n x: 1\r\n\r\n',
    )
    .map((end) => (body: Buffer): Framed => ({
      lines: [chunked],
      bytes: Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from(end)]),
    }));
  const unsaid = fc.constant((body: Buffer): Framed => ({ ...withLength(body), lines: [] }));
  const frame = fc.oneof(
    { weight: 6, arbitrary: inOrder },
    oddLength,
    wrongLength,
    twoLengths,
    both,
    oddCoding,
    oddSize,
    oddEnd,
    unsaid,
  );
  return fc.tuple(base, frame).map(([draft, given]) => ({ ...draft, kind: 'framing', frame: given }));
}
