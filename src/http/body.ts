import type { IncomingMessage, ServerResponse } from 'node:http';
import { MIMEType } from 'node:util';
import { ServiceError } from '../errors.ts';
import { headerToParse, listElements } from './headers.ts';
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
