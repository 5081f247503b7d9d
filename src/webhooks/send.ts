import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import { finished } from 'node:stream/promises';
import pTimeout, { TimeoutError } from 'p-timeout';
import { systemClock, type Clock } from '../clock.ts';
import { AnswerMeter, AnswerTooLarge } from './answer-meter.ts';
import { createCheckedLookup, Refusal, resolverFor, type Resolve } from './resolve.ts';
import { hostOf, refusalOfUrl } from './target.ts';

const usualSendMaxMs = 10_000;
const answerHeadersMaxBytes = 16_384;
/** Idle connections that are kept for one receiver. Those in use are limited by how much is sent at once. */
const idleSocketsMax = 16;
const socketIdleMs = 15_000;
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

type Answer = Omit<SendResult, 'durationMs'>;

export type WebhookSender = ReturnType<typeof createWebhookSender>;

interface SenderOptions {
  /** As WEBHOOK_ALLOW_LOCAL: see {@link refusalOfUrl}. */
  readonly allowsLocal: boolean;
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

/** Sends webhooks to public addresses, or where that is allowed to local ones. */
export function createWebhookSender(options: SenderOptions) {
  const {
    allowsLocal,
    ca,
    resolve = resolverFor(allowsLocal),
    clock = systemClock,
    sendMaxMs = usualSendMaxMs,
  } = options;
  // No limit for all receivers together, or hanging ones would use it up, and requests to the others would wait for a socket.
  const kept = { keepAlive: true, maxFreeSockets: idleSocketsMax, timeout: socketIdleMs };
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
  const common = {
    method: 'POST',
    maxHeaderSize: answerHeadersMaxBytes,
    lookup: createCheckedLookup(resolve, allowsLocal),
    ...(ca === undefined ? {} : { ca }),
  };

  /** @param options with an agent whose connections are kept; false: on a connection of its own. */
  async function post(url: URL, options: RequestOptions, body: string): Promise<Answer> {
    const { promise: answered, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>();
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, answer);
    let brokenOff: unknown;
    request.on('socket', (socket) => {
      const meter = AnswerMeter.of(socket);
      meter.begin();
      request.on('information', () => {
        meter.count();
      });
    });
    request.on('error', (error) => {
      brokenOff = error;
      reject(error);
    });
    request.end(body);
    try {
      const response = await answered;
      const meter = AnswerMeter.of(response.socket);
      response.on('data', () => {
        meter.count();
      });
      // If it breaks off, the status has arrived, and nothing else is needed. Read to its end its connection can be used again.
      await finished(response).catch(() => undefined);
      const { statusCode: status = 0, headers } = response;
      const error = isTooLarge(brokenOff) ? tooLarge : errorOfStatus(status);
      return { status, error, retryAfterMs: retryAfterMs(status, headers['retry-after'], clock().getTime()) };
    } catch (error) {
      // The receiver may have closed an idle connection just when it was used again.
      const { reusedSocket: isReused, socket } = request;
      if (!isReused || !isReset(error) || socket === null || AnswerMeter.of(socket).hasHeard) throw error;
      return post(url, { ...options, agent: false }, body);
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
      const end = (answer: Pick<Answer, 'error'> & Partial<Answer>): SendResult => ({
        status: null,
        retryAfterMs: 0,
        durationMs: Math.round(performance.now() - startedAt),
        ...answer,
      });
      const refusal = refusalOfUrl(text, allowsLocal);
      if (refusal !== undefined) return end({ error: refusal });
      const url = new URL(text);
      const timedOut = new AbortController();
      const request = {
        ...common,
        headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
        host: hostOf(url),
        agent: url.protocol === 'https:' ? agents.https : agents.http,
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
      agents.http.destroy();
      agents.https.destroy();
    },
  };
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
