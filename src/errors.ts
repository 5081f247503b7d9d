import { catalogue, namedField } from './error-catalogue.ts';

export { catalogue, namedField };

/** A reason: what `error.reason` of a failure is. */
export type ErrorName = keyof typeof catalogue;

/** Every reason, in the order of the catalogue. */
export const errorNames = Object.keys(catalogue) as readonly ErrorName[];

/** What is wrong with one field of a request. */
export interface Fault {
  readonly reason: ErrorName;
  readonly field: string;
}

interface ServiceErrorOptions {
  /** The field, path part, query parameter or header at fault, where the catalogue does not name it. */
  readonly field?: string;
  /** What helps the owner of the request, as the catalogue has it. */
  readonly value?: string | undefined;
  /** All that is wrong with the request, this first, where more is known. */
  readonly faults?: readonly Fault[];
  /** After how many seconds a retry makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** The value of the `RateLimit` header. */
  readonly rateLimit?: string;
  /** Why, for the log alone; never sent to a client. */
  readonly cause?: unknown;
  /** Which server did not answer, or too late; for the log alone. */
  readonly server?: ServerName | undefined;
}

/** What the service needs to be there. */
export type ServerName = 'mongodb' | 'redis';

/**
 * An error of the catalogue. The client sees the catalogue's code, status and message; the reason, `field`, `value` and
 * `faults` in the body's `error` and in headers.
 */
export class ServiceError extends Error {
  readonly errorName: ErrorName;
  readonly field: string | undefined;
  readonly value: string | undefined;
  readonly faults: readonly Fault[];
  readonly retryAfterSeconds: number | undefined;
  readonly rateLimit: string | undefined;
  readonly server: ServerName | undefined;

  constructor(errorName: ErrorName, options: ServiceErrorOptions = {}) {
    const { message, field } = catalogue[errorName];
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.errorName = errorName;
    this.field = options.field ?? (field === namedField ? undefined : field);
    this.value = options.value;
    this.faults = options.faults ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.rateLimit = options.rateLimit;
    this.server = options.server;
  }
}

/** What was thrown, as an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The reason of a custom zod check, so that the answer says more than that the field is malformed. */
export function because(reason: ErrorName, value?: string): { params: { reason: ErrorName; value?: string } } {
  return { params: { reason, ...(value === undefined ? {} : { value }) } };
}
