import { parseNetwork, siteOf } from '../address.ts';
import { catalogue, ServiceError } from '../errors.ts';
import type { FailureLimit } from '../redis/rate-limits.ts';

const loopback = ['127.0.0.0/8', '::1'].flatMap((entry) => parseNetwork(entry) ?? []);

/**
 * Counts failed authentications by address, so that nobody can go on guessing: beyond the limit the answer is 429
 * ADDRESS_RATE_EXCEEDED. Right requests from the same address are neither counted nor delayed. While Redis is away, nothing
 * is counted, and nothing is from loopback. If a client's address is not known, its socket's is counted, even loopback. Otherwise
 * a proxy that writes nonsense would let clients guess.
 */
export function createFailureCount(limit: FailureLimit) {
  /**
   * Turns the error of a failed authentication into the one to answer.
   * @param address the client's; undefined if a proxy named none that can be read.
   */
  return async (error: unknown, address: string | undefined, socketAddress: string | undefined): Promise<unknown> => {
    if (!(error instanceof ServiceError) || catalogue[error.errorName].status !== 401) return error;
    if (address !== undefined && loopback.some((network) => network.contains(address))) return error;
    const counted = address ?? socketAddress;
    // Without a socket's address the client is gone, and the answer reaches nobody.
    if (counted === undefined) return error;
    try {
      const { isAllowed, retryAfterSeconds, header } = await limit.consume(siteOf(counted));
      return isAllowed
        ? error
        : new ServiceError('ADDRESS_RATE_EXCEEDED', { retryAfterSeconds, rateLimit: header, cause: error });
    } catch {
      return error;
    }
  };
}
