import type { FuzzKey } from '../world.ts';

/** A request's parts as they go over the wire: texts hold one byte a character. */
export interface Parts {
  method: string;
  target: string;
  version: string;
  /** Lines without their ends. */
  headers: readonly string[];
  /** What follows the headers. */
  body: Buffer;
}

/** The four headers of a signature, each with every value that is sent under its name. */
export interface SigningHeaders {
  key: readonly string[];
  timestamp: readonly string[];
  nonce: readonly string[];
  signature: readonly string[];
}

/** A body as it is sent, and the header lines that say where it ends. */
export interface Framed {
  lines: readonly string[];
  bytes: Buffer;
}

/** What is signed. */
export interface ToSign {
  method: string;
  path: string;
  body: Buffer;
  key: FuzzKey;
  /** Seconds by which the signed time is off. */
  offsetSeconds: number;
}

/**
 * A request before it is signed and numbered. First what is signed can be made another (`presign`), then the signature's
 * headers (`sign`), how the body is sent (`frame`), any part (`change`), and at last the bytes (`changeBytes`).
 */
export interface Draft {
  kind: Kind;
  method: string;
  /** The target up to `?`, which is what is signed. */
  path: string;
  /** What follows it in the target. */
  query: string;
  version: string;
  host: readonly string[];
  headers: readonly string[];
  body: Buffer;
  key: FuzzKey;
  presign: (toSign: ToSign) => ToSign;
  sign: (headers: SigningHeaders) => SigningHeaders;
  frame: (body: Buffer) => Framed;
  change: (parts: Parts) => Parts;
  changeBytes: (bytes: Buffer) => Buffer;
}

export type Kind =
  | 'valid'
  | 'target'
  | 'query'
  | 'method'
  | 'headers'
  | 'signing'
  | 'body'
  | 'framing'
  | 'mutated'
  | 'mutated bytes'
  | 'no HTTP'
  | 'pages';

/** Text as its UTF-8 bytes, one a character. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export const contentTypeLine = 'Content-Type: application/json';
export const createPath = '/api/v1/transfer/command/create';
export const journalPath = '/api/v1/transfer/command/journal';

export function withLength(body: Buffer): Framed {
  return { lines: body.length > 0 ? [`Content-Length: ${body.length}`] : [], bytes: body };
}

/** A request that is right in everything that is not given. */
export function draftOf(
  given: Pick<Draft, 'kind' | 'method' | 'path' | 'key'> & Partial<Pick<Draft, 'query' | 'headers' | 'body'>>,
): Draft {
  return {
    query: '',
    version: 'HTTP/1.1',
    host: ['Host: 127.0.0.1'],
    headers: [],
    body: Buffer.alloc(0),
    presign: (toSign) => toSign,
    sign: (headers) => headers,
    frame: withLength,
    change: (parts) => parts,
    changeBytes: (bytes) => bytes,
    ...given,
  };
}
