import type { IncomingMessage, ServerResponse } from 'node:http';
import { MIMEType } from 'node:util';
import { createScanner } from 'jsonc-parser';
import { ServiceError, type ErrorName } from '../errors.ts';
import { headerToParse, listElements } from './headers.ts';
import { jsonFaultAt, tokens } from './json-fault.ts';
import { hasTooManyValues } from './json-values.ts';
import { bodyOf, type Received } from './received-body.ts';

/**
 * Reads a request's body as it was sent, undecoded. A client that waits for "100 Continue" gets it only now, so that a
 * client that was refused before has not sent its body. Source: RFC 9110, part 10.1.1.
 * @returns at once what has arrived already; or why it is not read: BODY_TOO_LARGE, BODY_FRAGMENTED, TOO_MANY_BODIES.
 * @throws ServiceError BODY_INCOMPLETE the client went away, or sent less than it announced.
 */
export function readBody(req: IncomingMessage, res: ServerResponse): Received | Promise<Received> {
  const body = bodyOf(req);
  if (body === undefined) return noBody;
  if (waitsForContinue(req)) res.writeContinue();
  const received = body.read();
  return received instanceof Promise ? received.then(complete) : complete(received);
}

function complete(received: Received): Received {
  if (received instanceof ServiceError && received.errorName === 'BODY_INCOMPLETE') throw received;
  return received;
}

const noBody = Buffer.alloc(0);

/** The header may list several expectations. HTTP/1.0 has no interim answers. */
function waitsForContinue({ headers, httpVersion }: IncomingMessage): boolean {
  if (headers.expect === undefined || httpVersion !== '1.1') return false;
  return listElements(headers.expect).some((expectation) => expectation.toLowerCase() === '100-continue');
}

/** @throws ServiceError BODY_ENCODED, or MEDIA_TYPE_UNSUPPORTED where it is not JSON in UTF-8. */
export function checkMediaType(req: IncomingMessage): void {
  const { 'content-encoding': encoding } = req.headers;
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new ServiceError('BODY_ENCODED');
  if (!isJsonInUtf8(headerToParse(req.headers, 'content-type'))) throw new ServiceError('MEDIA_TYPE_UNSUPPORTED');
}

/**
 * Of a request that changes something. The header is not signed, so what makes an order once is the `bizId` of the body.
 * @throws ServiceError IDEMPOTENCY_KEY_UNSUPPORTED it came, and the body has no `bizId` of that very value.
 */
export function refuseIdempotencyKey({ headers }: IncomingMessage, body: Record<string, unknown> | undefined): void {
  const key = headers['idempotency-key'];
  if (key !== undefined && key !== body?.['bizId']) throw new ServiceError('IDEMPOTENCY_KEY_UNSUPPORTED');
}

function isJsonInUtf8(contentType: string | undefined): boolean {
  // What nearly every client sends needs no parsing.
  if (contentType === 'application/json') return true;
  try {
    const type = new MIMEType(contentType ?? '');
    const charset = type.params.get('charset');
    return type.essence === 'application/json' && (charset === null || charset.toLowerCase() === 'utf-8');
  } catch {
    return false;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Keys and elements of a body, where its endpoint declares no other number: a hundred legs have half of it. */
const usualBodyValuesMax = 1_000;

/**
 * Parses a body that must be one JSON object.
 * @param valuesMax the most keys and elements that it may have.
 * @throws ServiceError BODY_MISSING, TOO_MANY_VALUES before anything is parsed, BODY_NOT_UTF8, BODY_NOT_JSON (which a byte order mark is not), BODY_NOT_OBJECT, or
 * KEY_REPEATED naming the key that comes twice, by its place.
 */
export function parseJsonObject(body: Uint8Array, valuesMax = usualBodyValuesMax): Record<string, unknown> {
  if (body.length === 0) throw new ServiceError('BODY_MISSING');
  if (hasTooManyValues(body, valuesMax)) throw new ServiceError('TOO_MANY_VALUES');
  const text = attempted('BODY_NOT_UTF8', () => utf8.decode(body));
  const value = attempted(
    'BODY_NOT_JSON',
    (): unknown => JSON.parse(text),
    () => String(jsonFaultAt(text)),
  );
  if (!isObject(value)) throw new ServiceError('BODY_NOT_OBJECT');
  const repeated = duplicateKey(text, value);
  if (repeated !== undefined) throw new ServiceError('KEY_REPEATED', { field: repeated });
  return value;
}

function attempted<T>(errorName: ErrorName, reading: () => T, value?: () => string): T {
  try {
    return reading();
  } catch (cause) {
    throw new ServiceError(errorName, { cause, value: value?.() });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Finds a key that comes twice. JSON.parse would silently keep the last, which may not be the one that the client meant.
 * Every key is followed by a colon. So a text with no more colons after strings than its objects have keys has no key twice,
 * and need not be scanned.
 * @returns its place, with dots between.
 */
function duplicateKey(text: string, value: Record<string, unknown>): string | undefined {
  if (hasKeys(value, text.match(/"\s*:/g)?.length ?? 0)) return undefined;
  const scanner = createScanner(text, true);
  /** The objects and arrays around a token, each with the place in it; an array has no keys. */
  const open: { readonly keys: Set<string> | undefined; at: string | number }[] = [];
  let name = '';
  // Token by token and not recursively, because the sender decides how deep a body is nested.
  for (;;) {
    const token: number = scanner.scan();
    switch (token) {
      case tokens.openBrace:
        open.push({ keys: new Set(), at: '' });
        break;
      case tokens.openBracket:
        open.push({ keys: undefined, at: 0 });
        break;
      case tokens.closeBrace:
      case tokens.closeBracket:
        open.pop();
        break;
      case tokens.comma: {
        const inside = open.at(-1);
        if (typeof inside?.at === 'number') inside.at += 1;
        break;
      }
      case tokens.string:
        name = scanner.getTokenValue();
        break;
      case tokens.colon: {
        const inside = open.at(-1);
        if (inside?.keys === undefined) break;
        inside.at = name;
        if (inside.keys.has(name)) return open.map(({ at }) => at).join('.');
        inside.keys.add(name);
        break;
      }
      case tokens.end:
        return undefined;
    }
  }
}

/** Whether so many keys are in an object and all that it holds. Not recursively, because the sender decides on the depth. */
function hasKeys(value: object, count: number): boolean {
  const open = [value];
  let left = count;
  for (let inside = open.pop(); inside !== undefined && left > 0; inside = open.pop()) {
    if (!Array.isArray(inside)) left -= Object.keys(inside).length;
    for (const held of Object.values(inside) as unknown[])
      if (typeof held === 'object' && held !== null) open.push(held);
  }
  return left <= 0;
}
