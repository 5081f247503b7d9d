import { catalogue } from '../errors.ts';
import type { ServiceError } from '../errors.ts';
import { localise } from './localise.ts';

/** The version of the response format. */
const formatVersion = '1.0';
/** The code of every success. */
export const successCode = '2000';

/** What every answer under `/api/` is. Source: API contract, part 2.3. */
export interface Envelope {
  readonly version: string;
  /** Server time, in milliseconds since the Unix epoch. */
  readonly timestamp: number;
  readonly success: boolean;
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
}

export function successEnvelope(data: unknown): Envelope {
  return { version: formatVersion, timestamp: Date.now(), success: true, code: successCode, message: 'SUCCESS', data };
}

/** @param locale the request's `X-LOCALE`; undefined where there is none. */
export function errorEnvelope(error: ServiceError, locale: string | undefined): Envelope {
  return {
    version: formatVersion,
    timestamp: Date.now(),
    success: false,
    code: catalogue[error.errorName].code,
    message: localise(error.errorName, locale, error.field),
    data: null,
  };
}
