import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { finished } from 'node:stream/promises';
import pTimeout, { TimeoutError } from 'p-timeout';
import { systemClock, type Clock } from '../clock.ts';
import { AnswerTooLarge, openConnections, type Connections } from './connections.ts';
import { createCheckedLookup, Refusal, resolverOf, type Resolve } from './resolve.ts';
import { hostOf, refusalOfUrl, type TargetRules } from './target.ts';

const usualSendMaxMs = 10_000;
const answerHeadersMaxBytes = 16_384;
/** However long a receiver asks to be left alone, it is tried again after this time. */
export const retryAfterMaxMs = 3_600_000;

export interface SendResult {
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** Why it counts as not delivered, as a symbol without anything of the answer; null if it was delivered. */
  readonly error: string | null;
  readonly durationMs: number;
  /** How long the receiver asks not to be sent anything, from now on; 0 if it does not. */
  readonly retryAfterMs: number;
}

export type WebhookSender = ReturnType<typeof createWebhookSender>;

interface SenderOptions {
  readonly rules: TargetRules;
  /** An authority to trust in addition to the public ones. */
  readonly ca?: string;
  /** By default the name servers are asked, or for local use the system. */
  readonly resolve?: Resolve;
  /** For receivers that say when to come again. */
  readonly clock?: Clock;
  /** The most time from the look-up of the name to the end of the answer. */
  readonly sendMaxMs?: number;
}

const tooLarge = 'ANSWER_TOO_LARGE';

/** Sends webhooks to public addresses, or to what the rules allow. */
export function createWebhookSender(options: SenderOptions) {
  const { rules, ca, resolve = resolverOf(rules), clock = systemClock, sendMaxMs = usualSendMaxMs } = options;
  const kept = openConnections({ keepAlive: true, ca });
  const fresh = openConnections({ keepAlive: false, ca });
  const lookup = createCheckedLookup(resolve, rules);

  async function post(
    url: URL,
    options: RequestOptions,
    body: string,
    connections: Connections = kept,
  ): Promise<Pick<SendResult, 'status' | 'error' | 'retryAfterMs'>> {
    const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, { ...options, agent: connections.agentFor(url), lookup }, answered);
    const meter = connections.meterFor(request);
    let brokenOff: unknown;
    request.on('error', (error) => {
      brokenOff = error;
      reject(error);
    });
    request.end(body);
    try {
      const answer = await promise;
      await readAway(answer, () => meter()?.piece());
      const { statusCode: status = 0 } = answer;
      const error = isTooLarge(brokenOff) ? tooLarge : errorOfStatus(status);
      return { status, error, retryAfterMs: retryAfterMs(status, answer.headers['retry-after'], clock().getTime()) };
    } catch (error) {
      // The receiver may have closed an idle connection just when it was used again.
      const isStale = request.reusedSocket && meter()?.isHeard() === false && isReset(error);
      if (!isStale || connections === fresh) throw error;
      return post(url, options, body, fresh);
    }
  }

  return {
    /**
     * Posts a message. Never throws; a failure is in the result. Only a 2xx answer counts as delivered. Redirects are not
     * followed.
     * @param signal aborts when the process stops.
     */
    async send(
      text: string,
      headers: Readonly<Record<string, string>>,
      body: string,
      signal: AbortSignal,
    ): Promise<SendResult> {
      const startedAt = performance.now();
      const end = (result: Pick<SendResult, 'error'> & Partial<SendResult>): SendResult => ({
        status: null,
        retryAfterMs: 0,
        durationMs: Math.round(performance.now() - startedAt),
        ...result,
      });
      const refusal = refusalOfUrl(text, rules);
      if (refusal !== undefined) return end({ error: refusal });
      const url = new URL(text);
      const timedOut = new AbortController();
      const request = {
        method: 'POST',
        headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
        maxHeaderSize: answerHeadersMaxBytes,
        host: hostOf(url),
        signal: AbortSignal.any([signal, timedOut.signal]),
      };
      try {
        return end(await pTimeout(post(url, request, body), { milliseconds: sendMaxMs }));
      } catch (error) {
        timedOut.abort();
        return end({ error: signal.aborted ? 'CANCELLED' : symbolOf(error) });
      }
    },
    close(): void {
      kept.close();
      fresh.close();
    },
  };
}

/** Reads an answer to its end, so that its connection can be used again. */
async function readAway(answer: IncomingMessage, onChunk: () => void): Promise<void> {
  answer.on('data', onChunk);
  // If it breaks off, the status has arrived, and nothing else is needed.
  await finished(answer).catch(() => undefined);
}

/**
 * How long a receiver that is overloaded asks not to be sent anything, at most {@link retryAfterMaxMs}; 0 if it does not, or
 * if it says something else. Source: RFC 9110, sections 10.2.3 and 5.6.7.
 */
export function retryAfterMs(status: number, header: string | undefined, now: number): number {
  if (header === undefined || (status !== 429 && status !== 503)) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : dateOf(header) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), retryAfterMaxMs);
}

/** HTTP's three forms of a date begin with a day of the week, and one of them lacks the zone, which is GMT. */
function dateOf(text: string): number {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}

function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'REDIRECT' : 'HTTP_ERROR';
}

function symbolOf(error: unknown): string {
  if (error instanceof TimeoutError) return 'TIMEOUT';
  if (error instanceof Refusal) return error.message;
  if (isTooLarge(error)) return tooLarge;
  return /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(codeOf(error)) ? 'TLS_FAILED' : 'CONNECTION_FAILED';
}

/** Node itself limits headers, trailers and the extensions of chunks. */
function isTooLarge(error: unknown): boolean {
  return error instanceof AnswerTooLarge || /^HPE_.*OVERFLOW$/.test(codeOf(error));
}

function isReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
