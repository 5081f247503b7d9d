import { lookup, Resolver } from 'node:dns/promises';

/** The addresses of a name. @throws where it has none, or nobody answers for it. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Name servers are asked twice; less in all than a message may take. */
const queryMs = { timeout: 2_000, tries: 2 } as const;

/**
 * Asks the name servers itself. The system's own look-up, as of Node's `lookup`, holds one of a process's four threads until
 * the name server answers: those of a few slow ones would delay every other webhook.
 * @param servers with their ports; undefined: those of the system.
 */
export function createNameResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver(queryMs);
  if (servers !== undefined) resolver.setServers(servers);
  return async (host) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = [v4, v6].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
    if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
    return addresses;
  };
}

/** Knows the names of the machine as well, such as those of its hosts file: for local use. */
export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);
