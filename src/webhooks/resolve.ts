import { lookup, Resolver } from 'node:dns/promises';

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
    const addresses = [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
    return addresses;
  };
}

/** For local use: also knows names of the machine itself, such as those of its hosts file. */
export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);
