import type { Refusal } from '../auth/pipeline.ts';
import { hasIdForm } from '../domain/ids.ts';
import { catalogue, ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';

/** Of a process: whoever floods it must not fill the disk with what it says of him. */
const entriesPerSecondMax = 5;

/**
 * Tells a sample of the refused requests, at `warn`: the step, the code of the answer that the step wants, the key where it
 * has the form of one (anything else may be a secret in the wrong place), and the address. How many were left out stands in
 * the next entry as `leftOut`; all are counted by step in the metrics.
 */
export function createRefusalLog(log: Logger): (refusal: Refusal) => void {
  let second = 0;
  let entries = 0;
  let leftOut = 0;
  return ({ step, error, attempt }) => {
    const now = Math.floor(performance.now() / 1_000);
    if (now !== second) [second, entries] = [now, 0];
    if (entries >= entriesPerSecondMax) {
      leftOut += 1;
      return;
    }
    entries += 1;
    const keyId = attempt.header('x-api-key');
    const entry = {
      step,
      code: error instanceof ServiceError ? catalogue[error.errorName].code : null,
      keyId: typeof keyId === 'string' && hasIdForm('apiKey', keyId) ? keyId : null,
      address: attempt.clientAddress() ?? null,
      leftOut,
    };
    leftOut = 0;
    log.warn(entry, 'request refused by the authentication pipeline');
  };
}
