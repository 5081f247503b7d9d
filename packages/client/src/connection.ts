import { checkMembers, checkSignal } from './check.ts';
import { ApiError, UsageError, type ClientError } from './errors.ts';
import { exchange, type Answer } from './exchange.ts';
import { pause, pauseBefore } from './repeat.ts';
import type { Settings } from './settings.ts';
import { sign, type HmacKey } from './sign.ts';

export interface RequestBasics {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether doing it twice is as good as once, so that it is sent again though it may have been done. Default: true for GET
   * alone.
   */
  readonly isRepeatable?: boolean;
}

export type QueryValue = string | number | boolean | Date;

export interface RequestOptions extends RequestBasics {
  /** Values of the path's variable parts, by name: ids. */
  readonly path?: Readonly<Record<string, string>>;
  /** Members that are undefined are left out. */
  readonly query?: Readonly<Record<string, QueryValue | undefined>>;
  /** Sent as JSON; a Date is a time. */
  readonly body?: object;
}

export interface SendLimits {
  /** By `performance.now()`; after it, no further try is begun. */
  readonly untilMs?: number;
  /** A try may take as long, though the settings say less. */
  readonly timeoutMinMs?: number;
}

/** Sends a signed request, again where that makes sense, and gives the data of its success. */
export type Send = (
  method: string,
  template: string,
  options?: RequestOptions,
  limits?: SendLimits,
) => Promise<Answer<unknown>>;

interface Attempted {
  readonly method: string;
  readonly url: URL;
  readonly body: Uint8Array | undefined;
  readonly timeoutMs: number;
}

const optionNames = ['path', 'query', 'body', 'headers', 'signal', 'isRepeatable'];
/** Clocks that differ by less are not why a timestamp was refused. */
const skewMinMs = 5_000;
/** Nothing proves who answered: a request that is signed for a later time could be kept, and sent then. */
const skewMaxMs = 5 * 60_000;
const encoder = new TextEncoder();

/**
 * Requests of one key. Each try is signed anew, with a nonce of its own and the time of the server's clock as far as it is
 * known: a refusal for the timestamp tells it.
 */
export function connect(settings: Settings, key: Promise<HmacKey>): Send {
  let skewMs = 0;

  async function attempt({ method, url, body, timeoutMs }: Attempted, options: RequestOptions) {
    const timestamp = String(Math.floor((Date.now() + skewMs) / 1000));
    const nonce = crypto.randomUUID();
    const signed = { method, path: url.pathname, timestamp, nonce, ...(body === undefined ? {} : { body }) };
    const { signature } = await sign(signed, await key);
    const headers = {
      Accept: 'application/json',
      ...(settings.locale === undefined ? {} : { 'X-LOCALE': settings.locale }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
      'X-Api-Key': settings.apiKey,
      'X-Timestamp': timestamp,
      'X-Nonce': nonce,
      'X-Signature': signature,
    };
    return exchange({ method, url, headers, body }, { fetch: settings.fetch, timeoutMs, signal: options.signal });
  }

  /**
   * Whether the clock was why, and is now corrected, which it is up to {@link skewMaxMs}. A call beside this one may have corrected it meanwhile.
   * @param signedSkewMs what the refused try was signed with.
   */
  function learnSkew(error: unknown, signedSkewMs: number): boolean {
    if (!(error instanceof ApiError) || error.reason !== 'TIMESTAMP_OFF') return false;
    const foundMs = error.serverTime - Date.now();
    if (Math.abs(foundMs - signedSkewMs) < skewMinMs || Math.abs(foundMs) > skewMaxMs) return false;
    skewMs = foundMs;
    return true;
  }

  return async (methodGiven, template, options = {}, { untilMs = Infinity, timeoutMinMs = 0 } = {}) => {
    checkMembers('The options of a request', options, optionNames);
    checkSignal(options.signal);
    const method = methodGiven.toUpperCase();
    const url = urlOf(settings.origin, template, options);
    const body = options.body === undefined ? undefined : encoder.encode(toJson(options.body));
    const isRepeatable = options.isRepeatable ?? method === 'GET';
    const timeoutMs = Math.max(settings.timeoutMs, timeoutMinMs);
    for (let tries = 1; ; tries += 1) {
      const signedSkewMs = skewMs;
      try {
        return await attempt({ method, url, body, timeoutMs }, options);
      } catch (error) {
        const waitMs = learnSkew(error, signedSkewMs) ? 0 : pauseBefore(error, tries, isRepeatable);
        if (waitMs === undefined || tries >= settings.attemptsMax || performance.now() + waitMs > untilMs) throw error;
        settings.onRetry({ method, path: url.pathname, attempt: tries, waitMs, error: error as ClientError });
        await pause(waitMs, options.signal);
      }
    }
  };
}

function urlOf(origin: string, template: string, { path = {}, query = {} }: RequestOptions): URL {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name, path[name]));
  const url = new URL(filled, origin);
  if (url.origin !== origin || !filled.startsWith('/') || url.search !== '') {
    throw new UsageError(`"${template}" is no path: it begins with one slash, and its query is an option.`);
  }
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, queryText(name, value));
  }
  return url;
}

function queryText(name: string, value: unknown): string {
  if (value instanceof Date) return timeText(`The query's "${name}"`, value);
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return String(value);
  throw new UsageError(`The query's "${name}" must be a text, a number, a boolean or a Date.`);
}

function timeText(what: string, time: Date): string {
  if (Number.isNaN(time.getTime())) throw new UsageError(`${what} is no time: an invalid Date.`);
  return time.toISOString();
}

/** Ids are of URL-safe characters. What is not would be another path than the one meant. */
function idOf(name: string, value: string | undefined): string {
  if (typeof value === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(value) && !/^\.+$/.test(value)) return value;
  throw new UsageError(`The path's ${name} must be 1 to 64 letters, digits, ".", "_" or "-".`);
}

/** @throws UsageError where `body` is no object, or JSON would not hold all of it. */
export function toJson(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new UsageError('A body must be an object; it is sent as JSON.');
  }
  try {
    return JSON.stringify(body, refuseLossy);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`The body cannot be written as JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** JSON would drop or change these in silence. */
function refuseLossy(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  // By then an invalid one is null.
  if (this[name] instanceof Date) return timeText(`The body's "${name}"`, this[name]);
  const isLost = typeof value === 'function' || typeof value === 'symbol';
  if (isLost || (typeof value === 'number' && !Number.isFinite(value))) {
    throw new UsageError(
      `The body's "${name}" cannot be written as JSON: it is ${isLost ? typeof value : 'no finite number'}.`,
    );
  }
  return value;
}
