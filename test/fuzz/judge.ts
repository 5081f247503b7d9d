import { catalogue } from '../../src/errors.ts';
import type { Answer } from './answers.ts';
import type { FuzzRequest } from './build.ts';

const envelopeFields = ['code', 'data', 'message', 'success', 'timestamp', 'version'];
const failureFields = [...envelopeFields, 'error'].toSorted();
const json = 'application/json; charset=utf-8';
const clockSlackMs = 60_000;
const successCode = '2000';
const nothingHere = 'There is nothing here; the API is under /api/.\n';
const unavailable = catalogue.UNAVAILABLE.code;

/** By reason: the code and status that go with it. */
const reasons = new Map<string | undefined, string>(
  Object.entries(catalogue).map(([reason, { code, status }]) => [reason, `${code} with ${status}`]),
);
/** A success has no reason. */
reasons.set(undefined, `${successCode} with 200`);

interface Envelope {
  version: unknown;
  timestamp: unknown;
  success: unknown;
  code: unknown;
  message: unknown;
  data: unknown;
  error?: { reason?: unknown };
}

export interface Judge {
  /** @returns what is wrong with the answer; undefined where nothing is, and for every 503, which is judged later. */
  complaint(request: FuzzRequest, answer: Answer): string | undefined;
  /** Ids of the orders that were answered. */
  acknowledged: ReadonlySet<string>;
}

/** Judges each answer by itself, and that no nonce is accepted twice. */
export function createJudge(): Judge {
  const spent = new Set<string>();
  const acknowledged = new Set<string>();

  function complaintOfSuccess(request: FuzzRequest, { data }: Envelope): string | undefined {
    if (!request.isRight()) return 'accepted, though it is not rightly signed';
    if (spent.has(request.nonce)) return 'accepted, though its nonce was accepted before';
    spent.add(request.nonce);
    const { transferId } = (data ?? {}) as { transferId?: unknown };
    if (typeof transferId === 'string') acknowledged.add(transferId);
    return typeof data === 'object' && data !== null ? undefined : 'a success without data';
  }

  return {
    acknowledged,
    complaint(request, answer) {
      const { status, headers } = answer;
      if (headers.get('x-content-type-options') !== 'nosniff') return 'no X-Content-Type-Options';
      if (status === 503) return undefined;
      if (status >= 500) return `answered ${status}`;
      if (request.isHead) {
        const isApi = headers.get('content-type') === json && status >= 400;
        return isApi || request.isOutside ? undefined : `a HEAD under /api/ answered ${status}`;
      }
      const envelope = readEnvelope(answer);
      if (typeof envelope === 'string') return request.isOutside && isPage(answer) ? undefined : envelope;
      return envelope.success === true ? complaintOfSuccess(request, envelope) : undefined;
    },
  };
}

/** What ioredis says of a command that was not answered within the second that a request has for it. */
const unheard = 'Command timed out';

/**
 * The 5xx that may be, both in the envelope and with the time after which to come back: a rightly signed create while too
 * many orders wait, or list while too many are read; and, of any request that needs its nonce checked, a Redis that was not
 * heard within its second, as where the process got no processor in that second.
 * @param reason what the log says of it; undefined where it says nothing.
 */
export function judge503(
  request: FuzzRequest,
  answer: Answer,
  reason: string | undefined,
): 'held back' | 'unheard' | 'wrong' {
  const envelope = readEnvelope(answer);
  const isLater = /^[1-9]\d{0,2}$/.test(answer.headers.get('retry-after') ?? '');
  if (!request.isHead && (typeof envelope === 'string' || envelope.code !== unavailable)) return 'wrong';
  if (!isLater || reason === undefined) return 'wrong';
  if (reason.includes(unheard)) return 'unheard';
  return request.hasBound && request.isRight() ? 'held back' : 'wrong';
}

/** The public pages, and what is said of every other path. */
function isPage({ status, headers, body }: Answer): boolean {
  if (status === 404)
    return headers.get('content-type') === 'text/plain; charset=utf-8' && body.toString() === nothingHere;
  return [200, 302, 304].includes(status) && headers.has('content-security-policy');
}

/** @returns the envelope, or what is wrong with it. Source: docs/contract.md, "Envelope". */
function readEnvelope({ status, headers, body }: Answer): Envelope | string {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return `no envelope, status ${status}`;
  }
  if (typeof value !== 'object' || value === null) return `no envelope, status ${status}`;
  const envelope = value as Envelope;
  const fields = envelope.success === true ? envelopeFields : failureFields;
  if (Object.keys(value).toSorted().join() !== fields.join()) return `no envelope, status ${status}`;
  const { version, timestamp, success, code, message, data, error } = envelope;
  if (headers.get('content-type') !== json || headers.get('cache-control') !== 'no-store') return 'wrong headers';
  if (version !== '1.0' || !Number.isInteger(timestamp)) return 'a wrong version or time in the envelope';
  if (Math.abs(Number(timestamp) - Date.now()) > clockSlackMs) return 'a wrong time in the envelope';
  const reason = headers.get('x-error-reason');
  if (typeof code !== 'string' || reasons.get(reason) !== `${code} with ${status}`)
    return `code ${String(code)} with ${status}, and the reason ${reason ?? 'not told'}`;
  if (error?.reason !== reason) return `the reason ${String(error?.reason)}, and ${reason ?? 'none'} in the header`;
  if (success !== (code === successCode)) return `success ${String(success)} with code ${code}`;
  if (typeof message !== 'string' || message === '' || (success && message !== 'SUCCESS')) return 'a wrong message';
  return success || data === null ? envelope : 'an error with data';
}
