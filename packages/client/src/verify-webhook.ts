import type { KnownWebhookEvent, WebhookEvent } from './api.ts';
import { checkCount, checkMembers } from './check.ts';
import { UsageError, WebhookError } from './errors.ts';
import { hmacKey } from './sign.ts';

export interface WebhookInput {
  /** The body, exactly as it came: parsed and written again it would be other bytes. */
  readonly body: string | Uint8Array;
  /** Of the request: a Headers, or an object of lower-case names as Node has it. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The endpoint's, whsec_…; while it is rotated, the old and the new one. */
  readonly secret: string | readonly string[];
  /** How far the delivery's time may be off. Default 300. */
  readonly toleranceSeconds?: number;
}

const toleranceDefault = 300;
const toleranceMax = 7 * 24 * 60 * 60;
/** More than any sender has during a rotation: each costs a comparison. */
const signaturesMax = 16;
const prefix = 'whsec_';
/** The data of these is an object. */
const knownTypes: Readonly<Record<KnownWebhookEvent['type'], true>> = {
  'transfer.completed': true,
  'transfer.failed': true,
  'transfer.cancelled': true,
  'wallet.alert': true,
  'webhook.test': true,
};
const encoder = new TextEncoder();

/**
 * Proves that a delivery is the service's and fresh, and reads its event, whose `type` tells what its `data` is. A type of a later
 * service is passed on. Compares in constant time.
 * Source: Standard Webhooks specification 1.0, "Verifying webhooks".
 * @throws WebhookError where it is not; UsageError where this is called wrongly.
 */
export async function verifyWebhook(input: WebhookInput): Promise<WebhookEvent> {
  checkMembers('The input of verifyWebhook', input, ['body', 'headers', 'secret', 'toleranceSeconds']);
  const { body, headers, secret, toleranceSeconds = toleranceDefault } = input;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new UsageError('body must be the text or bytes as they came, not what was parsed of them.');
  }
  checkCount('toleranceSeconds', toleranceSeconds, 0, toleranceMax);
  const keys = (typeof secret === 'string' ? [secret] : secret).map(secretBytes);
  if (keys.length === 0) throw new UsageError('secret is required.');

  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  const at = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(Date.now() / 1000 - at) <= toleranceSeconds)) {
    throw new WebhookError('TIMESTAMP_OFF', `webhook-timestamp is more than ${toleranceSeconds} s off, or no number.`);
  }
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const signed = concat(encoder.encode(`${id}.${timestamp}.`), bytes);
  if (!(await isSignedByOne(keys, signatures, signed))) {
    throw new WebhookError('SIGNATURE_INVALID', 'webhook-signature is not of this body, id, time and secret.');
  }
  return eventIn(id, bytes);
}

async function isSignedByOne(
  keys: readonly Uint8Array[],
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const presented = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  let isSigned = false;
  for (const bytes of keys) {
    const key = await hmacKey(bytes);
    for (const signature of presented.slice(0, signaturesMax)) {
      const mac = decoded(signature.slice('v1,'.length));
      if (mac === undefined) continue;
      const isRight = await crypto.subtle.verify('HMAC', key, mac, signed);
      isSigned ||= isRight;
    }
  }
  return isSigned;
}

function eventIn(id: string, bytes: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isMessage(event)) return { ...event, id };
  } catch {
    // As below.
  }
  throw new WebhookError('BODY_NOT_AN_EVENT', 'The body is signed, but is no event: type, timestamp and data.');
}

/** What OpenAPI describes, but for the id, which is that of the header. */
function isMessage(event: unknown): event is WebhookEvent {
  if (!isObject(event)) return false;
  const { type, timestamp, data } = event as Readonly<Record<string, unknown>>;
  if (typeof type !== 'string' || typeof timestamp !== 'string' || data === undefined) return false;
  return !Object.hasOwn(knownTypes, type) || isObject(data);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function secretBytes(secret: string): Uint8Array {
  const bytes = typeof secret === 'string' ? decoded(secret.replace(prefix, '')) : undefined;
  if (bytes === undefined || bytes.length === 0) throw new UsageError(`secret must be ${prefix} and base64.`);
  return bytes;
}

function headerOf(headers: WebhookInput['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookError('HEADER_MISSING', `The header ${name} is missing, or comes more than once.`);
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
