import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import pTimeout, { TimeoutError } from 'p-timeout';
import { createNameResolver, resolveBySystem, type Resolve } from './resolve.ts';
import { hostOf, isAllowedAddress, refusalOfUrl, type TargetRules } from './target.ts';

/** The most time from the look-up of the name to the end of the answer. */
const sendMaxMs = 10_000;
/** An answer is read up to this length, so that its connection can be used again. */
const answerMaxBytes = 16_384;
const answerHeadersMaxBytes = 16_384;
/** Idle connections that are kept for one receiver. Those in use are limited by how much is sent at once. */
const idleSocketsMax = 16;
const socketIdleMs = 15_000;

export interface SendResult {
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** Why it counts as not delivered, as a symbol without anything of the answer; null if it was delivered. */
  readonly error: string | null;
  readonly durationMs: number;
}

export type WebhookSender = ReturnType<typeof createWebhookSender>;

interface SenderOptions {
  readonly rules: TargetRules;
  /** An authority to trust in addition to the public ones. */
  readonly ca?: string;
  /** By default the name servers are asked, or for local use the system. */
  readonly resolve?: Resolve;
}

class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Sends webhooks to public addresses, or to what the rules allow. */
export function createWebhookSender({ rules, ca, resolve = resolverOf(rules) }: SenderOptions) {
  // No limit for all receivers together, or hanging ones would use it up, and requests to the others would wait for a socket.
  const agentOptions = { keepAlive: true, maxFreeSockets: idleSocketsMax, timeout: socketIdleMs };
  const http = new HttpAgent(agentOptions);
  const https = new HttpsAgent({ ...agentOptions, ...(ca === undefined ? {} : { ca }) });
  /** Connects to the very address that was checked, even if the name has another one a moment later. */
  const pinned: LookupFunction = (host, { all }, found) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every((address) => isAllowedAddress(address, rules))) {
          found(new Refusal('ADDRESS_NOT_ALLOWED'), '', 0);
        } else if (all === true) found(null, [{ address: first, family: isIP(first) }]);
        else found(null, first, isIP(first));
      },
      () => {
        found(new Refusal('NAME_NOT_FOUND'), '', 0);
      },
    );
  };

  async function post(url: URL, options: RequestOptions, body: string): Promise<number> {
    const isTls = url.protocol === 'https:';
    const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
    const send = isTls ? httpsRequest : httpRequest;
    const request = send(url, { ...options, agent: isTls ? https : http, lookup: pinned }, answered);
    request.on('error', reject);
    request.end(body);
    const answer = await promise;
    await readAway(answer);
    return answer.statusCode ?? 0;
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
      const end = (status: number | null, error: string | null): SendResult => ({
        ...{ status, error },
        durationMs: Math.round(performance.now() - startedAt),
      });
      const refusal = refusalOfUrl(text, rules);
      if (refusal !== undefined) return end(null, refusal);
      const url = new URL(text);
      const timedOut = new AbortController();
      const options = {
        ...{ method: 'POST', headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) } },
        ...{ maxHeaderSize: answerHeadersMaxBytes, host: hostOf(url) },
        signal: AbortSignal.any([signal, timedOut.signal]),
      };
      try {
        const status = await pTimeout(post(url, options, body), { milliseconds: sendMaxMs });
        return end(status, errorOfStatus(status));
      } catch (error) {
        timedOut.abort();
        return end(null, signal.aborted ? 'CANCELLED' : symbolOf(error));
      }
    },
    close(): void {
      http.destroy();
      https.destroy();
    },
  };
}

function resolverOf({ allowsLocal }: TargetRules): Resolve {
  return allowsLocal ? resolveBySystem : createNameResolver();
}

/** Reads an answer to its end. If it is too long, it is cut off with its connection. */
async function readAway(answer: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > answerMaxBytes) break;
    }
  } catch {
    // The status has arrived, and nothing else is needed.
  }
}

function errorOfStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'REDIRECT' : 'HTTP_ERROR';
}

function symbolOf(error: unknown): string {
  if (error instanceof TimeoutError) return 'TIMEOUT';
  if (error instanceof Refusal) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code) ? 'TLS_FAILED' : 'CONNECTION_FAILED';
}
