import { checkCount, checkFunction, checkHeaderText, checkMembers, checkSecret, checkText } from './check.ts';
import { UsageError, type ClientError } from './errors.ts';

/** A request that is about to be sent again. */
export interface Repetition {
  readonly method: string;
  readonly path: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly error: ClientError;
}

export interface ClientOptions {
  /** Scheme, host and port, such as https://api.example.com: the signature covers the path from its first character. */
  readonly baseUrl: string;
  /** The key's public identifier. */
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Language of the sentences in errors, such as en-US. Default: symbols. */
  readonly locale?: string;
  /** For one try, from its start to the end of its answer. Default 20,000: longer than the service takes at most. */
  readonly timeoutMs?: number;
  /** Tries of a request in all. Default 8; 1 repeats nothing. */
  readonly attemptsMax?: number;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
  /** Told of each repetition before its wait. */
  readonly onRetry?: (repetition: Repetition) => void;
}

export type Settings = Required<Omit<ClientOptions, 'locale' | 'baseUrl' | 'apiSecret'>> & {
  readonly origin: string;
  readonly locale: string | undefined;
};

const names = ['baseUrl', 'apiKey', 'apiSecret', 'locale', 'timeoutMs', 'attemptsMax', 'fetch', 'onRetry'] as const;
const timeoutMaxMs = 600_000;
const attemptsLimit = 100;

/** @throws UsageError with a sentence for the first option that is missing, unknown or not of its form. */
export function readSettings(options: ClientOptions): Settings {
  checkMembers('The options of createClient', options, names);
  const { baseUrl, apiKey, apiSecret, locale, timeoutMs = 20_000, attemptsMax = 8, onRetry } = options;
  checkHeaderText('apiKey', apiKey);
  checkSecret('apiSecret', apiSecret);
  if (locale !== undefined) checkHeaderText('locale', locale);
  checkCount('timeoutMs', timeoutMs, 1, timeoutMaxMs);
  checkCount('attemptsMax', attemptsMax, 1, attemptsLimit);
  checkFunction('fetch', options.fetch);
  checkFunction('onRetry', onRetry);
  return {
    origin: originOf(baseUrl),
    ...{ apiKey, locale, timeoutMs, attemptsMax },
    // Called by its name: browsers and workers refuse their fetch as a member of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    onRetry: onRetry ?? (() => undefined),
  };
}

function originOf(baseUrl: string): string {
  checkText('baseUrl', baseUrl);
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('baseUrl must be an address such as https://api.example.com.');
  }
  if (url.username !== '' || url.password !== '') throw new UsageError('baseUrl must not hold a user or password.');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new UsageError(
      'baseUrl must end after the host and port: the service signs the path from its first character.',
    );
  }
  return url.origin;
}
