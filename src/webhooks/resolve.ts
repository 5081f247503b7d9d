import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isAllowedAddress } from './target.ts';

/** The addresses of a name. @throws if it has none, or no name server answers. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Name servers are asked twice. In all that takes less time than a message may take. */
const usualQueryMs = { timeout: 2_000, tries: 2 };

/**
 * Asks the name servers itself. The system's look-up, which Node's `lookup` uses, occupies one of a process's four threads
 * until a name server answers, so that a few slow ones would delay every other webhook.
 * @param servers with their ports; undefined: those of the system.
 * @param queryMs how long a question waits for an answer, and how often it is asked.
 */
export function createNameResolver(servers?: readonly string[], queryMs = usualQueryMs): Resolve {
  const resolver = new Resolver(queryMs);
  if (servers !== undefined) resolver.setServers(servers);
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
    return addresses;
  };
}

/** For local use the system is asked, which also knows names of the machine itself, such as those of its hosts file. */
export function resolverFor(allowsLocal: boolean): Resolve {
  if (!allowsLocal) return createNameResolver();
  return async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
}

/** Why nothing is sent, as a symbol. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** For a connection to the very address that was checked, even if the name has another one a moment later. */
export function createCheckedLookup(resolve: Resolve, allowsLocal: boolean): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every((address) => isAllowedAddress(address, allowsLocal))) {
          callback(new Refusal('ADDRESS_NOT_ALLOWED'), '', 0);
        } else if (all === true) callback(null, [{ address: first, family: isIP(first) }]);
        else callback(null, first, isIP(first));
      },
      () => {
        callback(new Refusal('NAME_NOT_FOUND'), '', 0);
      },
    );
  };
}
