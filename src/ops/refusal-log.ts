import type { Refusal } from '../auth/pipeline.ts';
import { shownKeyId } from '../auth/signing-headers.ts';
import { catalogue, ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';

const unknownEndpoint = 'ENDPOINT_UNKNOWN';

/**
 * Whether a step of the pipeline found that the request does not prove who sent it, or that its key may not do this. A key
 * over its rate has proved it; a body that breaks or is too large is another fault; and so is a server that is away.
 */
export function isFailedAuthentication(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  return catalogue[error.errorName].code.startsWith('GA') || error.errorName === unknownEndpoint;
}

/**
 * Logs failed authentications, at `warn`: the step, the code and reason of its error, the key if it has the form of one
 * (anything else may be a secret in the wrong place), and the address. The log has one of each step and reason a minute; the metrics
 * count all by step. Other refusals are logged where they are answered (src/http/failure-log.ts).
 */
export function createRefusalLog(log: Logger): (refusal: Refusal) => void {
  return ({ step, error, attempt }) => {
    if (!isFailedAuthentication(error)) return;
    const entry = {
      step,
      code: catalogue[error.errorName].code,
      why: error.errorName,
      keyId: shownKeyId(attempt.header('x-api-key')),
      address: attempt.clientAddress() ?? null,
    };
    log.warn(entry, 'request refused by the authentication pipeline');
  };
}
