import { ApiError, ConnectionError, UnexpectedAnswerError } from './errors.ts';

/** What is sent, signed already. */
export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

export interface Limits {
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A success, taken out of its envelope. */
export interface Answer<Data> {
  readonly data: Data;
  readonly status: number;
  readonly headers: Headers;
}

interface Envelope {
  readonly timestamp: number;
  readonly success: boolean;
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
  readonly error?: unknown;
}

const answerBytesMax = 4 * 1024 * 1024;
const connectionCauseMax = 200;

/**
 * Sends one request and reads its whole answer, or throws: ApiError for a refusal, UnexpectedAnswerError for what is no
 * envelope, ConnectionError where nothing or half an answer came in time. An aborted signal throws its reason.
 */
export async function exchange(outgoing: Outgoing, { fetch, timeoutMs, signal }: Limits): Promise<Answer<unknown>> {
  const { method, url, headers, body } = outgoing;
  const named = `${method} ${url.pathname}`;
  const ending = new AbortController();
  const timedOut = new ConnectionError(`${named}: no whole answer within ${timeoutMs} ms`, { isTimeout: true });
  const timer = setTimeout(() => {
    ending.abort(timedOut);
  }, timeoutMs);
  const onAbort = (): void => {
    ending.abort(signal?.reason);
  };
  signal?.addEventListener('abort', onAbort);
  const inTime = untilAborted(ending.signal);
  try {
    signal?.throwIfAborted();
    const init = { method, headers, redirect: 'manual', signal: ending.signal } as const;
    const sent = body === undefined ? init : { ...init, body: body as Uint8Array<ArrayBuffer> };
    const response = await inTime(fetch(url, sent));
    return read(outgoing, response, await textOf(outgoing, response, inTime));
  } catch (error) {
    if (ending.signal.aborted) throw ending.signal.reason;
    if (error instanceof ApiError || error instanceof UnexpectedAnswerError) throw error;
    throw new ConnectionError(`${named}: the connection failed: ${causeOf(error)}`, { isTimeout: false, cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** A fetch that does not look at its signal is not waited for either. */
function untilAborted(signal: AbortSignal): <Value>(promise: Promise<Value>) => Promise<Value> {
  const { promise: aborted, reject } = withResolvers<never>();
  aborted.catch(() => undefined);
  signal.addEventListener('abort', () => {
    reject(signal.reason as Error);
  });
  return (promise) => Promise.race([promise, aborted]);
}

/** As Promise.withResolvers, which Node 20 does not have. */
function withResolvers<Value>(): { promise: Promise<Value>; reject: (reason: Error) => void } {
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<Value>((_, refuse) => {
    reject = refuse;
  });
  return { promise, reject };
}

async function textOf(
  outgoing: Outgoing,
  response: Response,
  inTime: <Value>(promise: Promise<Value>) => Promise<Value>,
): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await inTime(reader.read());
    if (done) return text + decoder.decode();
    size += value.byteLength;
    text += decoder.decode(value, { stream: true });
    if (size > answerBytesMax) {
      void reader.cancel().catch(() => undefined);
      throw unexpected(outgoing, response, text, `more than ${answerBytesMax} bytes`);
    }
  }
}

function read(outgoing: Outgoing, response: Response, text: string): Answer<unknown> {
  const { status, headers } = response;
  const envelope = parse(text);
  if (envelope === undefined) throw unexpected(outgoing, response, text, 'what is no envelope of the service');
  if (envelope.success !== response.ok) throw unexpected(outgoing, response, text, 'status and envelope that differ');
  if (envelope.success) return { data: envelope.data, status, headers };
  const { code, message, timestamp } = envelope;
  throw new ApiError({
    ...{ method: outgoing.method, path: outgoing.url.pathname, status, code, message, serverTime: timestamp },
    ...detailsOf(envelope.error),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterOf(headers),
  });
}

/** Of a success whose `data` is not what was asked for. */
export function unexpectedData(message: string, status: number, data: unknown): UnexpectedAnswerError {
  return new UnexpectedAnswerError(message, { status, text: textOfData(data) });
}

function textOfData(data: unknown): string {
  try {
    return JSON.stringify(data);
  } catch {
    // Nested more deeply than it can be written: it was read all the same.
    return '';
  }
}

function unexpected({ method, url }: Outgoing, response: Response, text: string, what: string): UnexpectedAnswerError {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? 'no content type';
  return new UnexpectedAnswerError(`${method} ${url.pathname}: HTTP ${status} with ${what} (${type})`, {
    ...{ status, text },
    retryAfterSeconds: retryAfterOf(headers),
  });
}

/** The envelope; undefined where the text is none. Members that a later server adds are let be. */
function parse(text: string): Envelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { timestamp, success, code, message } = value as Partial<Record<keyof Envelope, unknown>>;
  const isEnvelope =
    typeof timestamp === 'number' &&
    typeof success === 'boolean' &&
    typeof code === 'string' &&
    typeof message === 'string' &&
    'data' in value;
  return isEnvelope ? (value as Envelope) : undefined;
}

/** Seconds until it makes sense to ask again; undefined where the header is absent or not of its form. */
function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

/** Why the service refused, as far as it says it. */
function detailsOf(error: unknown): Record<'reason' | 'field' | 'value', string | undefined> {
  const told = (name: string): string | undefined => {
    const text = (error as Readonly<Record<string, unknown>> | null | undefined)?.[name];
    return typeof text === 'string' ? text : undefined;
  };
  return { reason: told('reason'), field: told('field'), value: told('value') };
}

/** Runtimes say why a connection failed in the error's cause. */
function causeOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const told = cause instanceof Error && cause.message !== '' ? cause : error;
  return (told instanceof Error ? told.message : String(told)).slice(0, connectionCauseMax);
}
