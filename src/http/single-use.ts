import { randomUUID } from 'node:crypto';
import { ServiceError } from '../errors.ts';
import type { ThroughFailover } from '../storage/shared/failover.ts';
import type { SignedRequests } from '../storage/signed-requests.ts';
import type { ApiAnswer, ApiRequest, ChangingRoute } from './routes.ts';

export interface SingleUseTools {
  readonly signedRequests: SignedRequests;
  readonly throughFailover: ThroughFailover;
}

/**
 * Makes the change of a route, once for each signed request, however often the request comes and to however many processes.
 * The request is recorded as used after the checks that refuse without effect, which cost a write otherwise, and before the
 * change. If the process dies in between, nothing was changed, and the request stays used, like its nonce.
 * @throws ServiceError NONCE_REUSED the request was used before, whatever else is wrong with it by now; UNAVAILABLE;
 * whatever the route throws.
 */
export async function changeOnce(
  route: ChangingRoute,
  request: ApiRequest,
  { signedRequests, throughFailover }: SingleUseTools,
): Promise<ApiAnswer> {
  const { workspaceId, signedRequest, timeLeftMs } = request;
  const reused = () => new ServiceError('NONCE_REUSED');
  let change;
  try {
    change = await route.prepare(request);
  } catch (refusal) {
    if (!(refusal instanceof ServiceError)) throw refusal;
    const look = () => signedRequests.isUsed(signedRequest);
    throw (await throughFailover(workspaceId, look, timeLeftMs)) ? reused() : refusal;
  }
  const owner = randomUUID();
  const use = () => signedRequests.use(signedRequest, owner);
  if (!(await throughFailover(workspaceId, use, timeLeftMs))) throw reused();
  return change();
}
