import { randomUUID } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import type { ThroughFailover } from '../waiting/failover.ts';
import type { SignedRequests } from '../storage/signed-requests.ts';
import type { ApiAnswer, ApiRequest, ChangingRoute } from './route.ts';

/**
 * Makes the change of a route once for each signed request, however often it comes and to however many processes: the request
 * is checked, then recorded as used, then the change is made. A refusal by the checks costs no write. If the process dies
 * between record and change, nothing was changed, and the request stays used, like its nonce.
 * @throws ServiceError NONCE_REUSED the request was used before, whatever else is wrong with it by now; UNAVAILABLE;
 * ANSWER_TOO_LATE no time is left, so that nothing was changed;
 * whatever the route throws.
 */
export type ChangeOnce = (route: ChangingRoute, request: ApiRequest) => Promise<ApiAnswer>;

export function createChangeOnce(signedRequests: SignedRequests, throughFailover: ThroughFailover): ChangeOnce {
  const reused = () => new ServiceError('NONCE_REUSED');
  return async (route, request) => {
    const { workspaceId, signedRequest, timeLeftMs } = request;
    let change;
    try {
      change = await route.prepare(request);
    } catch (refusal) {
      if (!(refusal instanceof ServiceError)) throw refusal;
      const isUsed = () => signedRequests.isUsed(signedRequest);
      throw (await throughFailover(workspaceId, isUsed, timeLeftMs)) ? reused() : refusal;
    }
    const owner = randomUUID();
    const use = () => signedRequests.use(signedRequest, owner);
    if (!(await throughFailover(workspaceId, use, timeLeftMs))) throw reused();
    // The client was told so. What it does next would be undone by a change that begins now.
    if (timeLeftMs() <= 0) throw new ServiceError('ANSWER_TOO_LATE');
    return change();
  };
}
