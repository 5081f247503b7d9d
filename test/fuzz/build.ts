import { METHODS } from 'node:http';
import { sign } from '../support/signing.ts';
import { createPath, journalPath, type Draft, type Kind, type Parts, type SigningHeaders } from './drafts/draft.ts';
import type { World } from './world.ts';

/** A request as it is sent, and what an answer to it may be. */
export interface FuzzRequest {
  number: number;
  kind: Kind | 'repeated';
  bytes: Buffer;
  /** Whether every reader of HTTP/1.1 takes these bytes for exactly one request; what follows it is then another one. */
  isFramed: boolean;
  isHead: boolean;
  /** Whether the service may close the connection with its answer, because it need not read the body. */
  hasBody: boolean;
  /** Whether an answer without the envelope may be right: the target is not under `/api/`, or cannot be told. */
  isOutside: boolean;
  /** Whether the endpoint has a bound beyond which it answers 503. */
  hasBound: boolean;
  nonce: string;
  /** Whether an answer that grants what was asked for is right. Judged anew from what is sent, not from how it was made. */
  isRight: () => boolean;
}

export interface BuildContext {
  world: World;
  number: number;
  /** Told of each create or journal that is rightly signed by a key that may make it. */
  onSignedCreate: (nonce: string, body: Buffer) => void;
}

const toleranceSeconds = 60;
/** For the time between the service's look at its clock and ours. */
const lateSeconds = 2;
/** Where the service's parser stops, less what Node counts differently. */
const headBytesMax = 15_000;
const methods = new Set(METHODS.filter((method) => method !== 'CONNECT'));
const headerLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/;
/** Orders are held back while too many orders wait; lists while too many lists are read. */
const boundedPath =
  /^\/api\/v1\/(wallets(\/[^/]+\/flows)?|transfer\/(command\/(create|journal)|query\/orders(\/wallet\/[^/]+)?))$/;

/** Signs a draft, frames its body and makes its changes. */
export function buildRequest(draft: Draft, { world, number, onSignedCreate }: BuildContext): FuzzRequest {
  const toSign = draft.presign({
    ...{ method: draft.method, path: draft.path, body: draft.body, key: draft.key, offsetSeconds: 0 },
  });
  const timestamp = String(Math.floor(Date.now() / 1000) + toSign.offsetSeconds);
  const nonce = `${world.runId}-${number}`;
  const signature = sign({ ...toSign, timestamp, nonce }, toSign.key.apiSecret);
  const isOwnSecret = world.keys.some(({ apiSecret }) => apiSecret === toSign.key.apiSecret);
  const isInTime = Math.abs(toSign.offsetSeconds) <= toleranceSeconds;
  if (isOwnSecret && isInTime && toSign.key.rights === 'everything') {
    if (toSign.method === 'POST' && [createPath, journalPath].includes(toSign.path)) onSignedCreate(nonce, toSign.body);
  }
  const signing = draft.sign({
    ...{ key: [toSign.key.apiKey], timestamp: [timestamp], nonce: [nonce], signature: [signature] },
  });
  const framed = draft.frame(draft.body);
  const parts = draft.change({
    ...{ method: draft.method, target: draft.path + draft.query, version: draft.version, body: framed.bytes },
    headers: [...draft.host, ...signingLines(signing), ...draft.headers, ...framed.lines],
  });
  const whole = bytesOf(parts);
  const bytes = draft.changeBytes(whole);
  const areBytesChanged = !bytes.equals(whole);
  const isFramed = !areBytesChanged && (isOnlyChunked(parts) || isPlainlyFramed(parts)) && isPlain(parts);
  const signed = [toSign.method, toSign.path, timestamp, nonce, signature, toSign.key.apiKey, toSign.body];
  return {
    ...{ number, kind: draft.kind, bytes, isFramed, nonce },
    isHead: parts.method.trim() === 'HEAD',
    hasBody: parts.body.length > 0,
    isOutside: areBytesChanged || !/^\/api(\/|\?|$)/.test(parts.target),
    hasBound: boundedPath.test(draft.path),
    isRight: () =>
      areBytesChanged || parts.headers.some((line) => /^transfer-encoding/i.test(line))
        ? isOwnSecret &&
          isInTime &&
          toSign.key.rights !== 'nothing' &&
          signed.every((each) => holds(bytes, draft, each))
        : isRightlySigned(parts, world),
  };
}

function signingLines({ key, timestamp, nonce, signature }: SigningHeaders): string[] {
  const lines = (name: string, values: readonly string[]): string[] => values.map((value) => `${name}: ${value}`);
  return [
    ...lines('X-Api-Key', key),
    ...lines('X-Timestamp', timestamp),
    ...lines('X-Nonce', nonce),
    ...lines('X-Signature', signature),
  ];
}

function bytesOf({ method, target, version, headers, body }: Parts): Buffer {
  const head = [`${method} ${target} ${version}`, ...headers, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/** What was signed has to be in what was sent; a body in chunks is sent in pieces, and asked for by its frame. */
function holds(bytes: Buffer, draft: Draft, signed: string | Buffer): boolean {
  if (typeof signed === 'string' || bytes.includes(signed)) return bytes.includes(signed);
  return signed.equals(draft.body) && bytes.includes(draft.frame(draft.body).bytes);
}

const named = ({ headers }: Parts, name: string): string[] =>
  headers.filter((line) => line.slice(0, line.indexOf(':')).toLowerCase() === name);

const valueOf = (line: string): string => line.slice(line.indexOf(':') + 1).trim();

function isPlain(parts: Parts): boolean {
  const { method, target, version, headers } = parts;
  const headBytes = headers.reduce((sum, line) => sum + line.length + 2, target.length);
  return (
    methods.has(method) &&
    version === 'HTTP/1.1' &&
    /^\/[\x21-\x7e]*$/.test(target) &&
    headBytes < headBytesMax &&
    headers.every((line) => headerLine.test(line))
  );
}

function isPlainlyFramed(parts: Parts): boolean {
  const lengths = named(parts, 'content-length').map(valueOf);
  if (named(parts, 'transfer-encoding').length > 0 || lengths.length > 1) return false;
  return lengths.length === 0 ? parts.body.length === 0 : lengths[0] === String(parts.body.length);
}

function isOnlyChunked(parts: Parts): boolean {
  const codings = named(parts, 'transfer-encoding');
  if (codings.length !== 1 || codings[0] !== 'Transfer-Encoding: chunked') return false;
  return named(parts, 'content-length').length === 0 && endsWithLastChunk(parts.body);
}

/** Whether chunk follows chunk, each as long as it says, up to an empty one at the very end. */
function endsWithLastChunk(body: Buffer): boolean {
  for (let at = 0; at < body.length;) {
    const line = /^([0-9a-f]{1,6})\r\n/.exec(body.subarray(at, at + 8).toString('latin1'));
    if (line === null) return false;
    const size = Number.parseInt(line[1]!, 16);
    at += line[0].length + size;
    if (body.subarray(at, at + 2).toString('latin1') !== '\r\n') return false;
    at += 2;
    if (size === 0) return at === body.length;
  }
  return false;
}

/** Blanks around method and target are no part of either: readers of HTTP may pass over them. */
function isRightlySigned(parts: Parts, world: World): boolean {
  const only = (name: string): string | undefined => {
    const lines = named(parts, name);
    return lines.length === 1 ? valueOf(lines[0]!) : undefined;
  };
  const key = world.keys.find(({ apiKey }) => apiKey === only('x-api-key'));
  const [timestamp = '', nonce = ''] = [only('x-timestamp'), only('x-nonce')];
  if (key === undefined || key.rights === 'nothing') return false;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds + lateSeconds)) return false;
  const method = parts.method.trim();
  const path = parts.target.trim().split('?')[0]!;
  const body = parts.body.subarray(0, Number(only('content-length') ?? 0));
  const signature = sign({ method, path, timestamp, nonce, body }, key.apiSecret);
  return only('x-signature') === signature && (key.rights === 'everything' || method === 'GET');
}
