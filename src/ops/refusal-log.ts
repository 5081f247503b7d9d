import type { Refusal } from '../auth/pipeline.ts';
import { hasIdForm } from '../domain/ids.ts';
import { catalogue, ServiceError } from '../errors.ts';
import type { Logger } from '../log.ts';

/** For each process, so that a flood of bad requests cannot fill the disk. */
const entriesPerSecondMax = 5;

/**
 * Logs a sample of the refused requests, at `warn`: the step, the code of the step's error, the key if it has the form of
 * one (anything else may be a secret in the wrong place), and the address. The next entry says in `leftOut` how many were
 * left out. The metrics count all failed authentications by step.
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
