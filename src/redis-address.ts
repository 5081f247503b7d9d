/** One server, whose address ioredis reads for itself, or the start-up nodes of a cluster: they name the others. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string; readonly isTls: boolean }
  | {
      readonly kind: 'cluster';
      readonly nodes: readonly { readonly host: string; readonly port: number }[];
      readonly isTls: boolean;
      readonly username: string | undefined;
      readonly password: string | undefined;
    };

export const redisAddressForm =
  'must be a redis:// or rediss:// address, or redis+cluster:// or rediss+cluster:// with HOST:PORT, comma-separated, and no database';

const serverForm = /^redis(?<tls>s)?:\/\//;
const clusterForm = /^redis(?<tls>s)?\+cluster:\/\/(?:(?<credentials>[^@/]*)@)?(?<hosts>[^@/?#]+)\/?$/;
const usualPort = 6379;

/** Where a Redis with TLS is, of a cluster the start-up nodes; empty without TLS. */
export function tlsNodes(text: string): readonly { readonly host: string; readonly port: number }[] {
  const address = parseRedisAddress(text);
  if (address?.isTls !== true) return [];
  if (address.kind === 'cluster') return address.nodes;
  const { hostname, port } = new URL(address.url);
  return [{ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? usualPort : Number(port) }];
}

/** @returns undefined where the text is no address of Redis. A name and a password are percent-encoded in it. */
export function parseRedisAddress(text: string): RedisAddress | undefined {
  const server = serverForm.exec(text);
  if (server !== null) {
    return URL.canParse(text) ? { kind: 'server', url: text, isTls: server.groups?.['tls'] !== undefined } : undefined;
  }
  const { tls, credentials = '', hosts = '' } = clusterForm.exec(text)?.groups ?? {};
  const urls = hosts.split(',').map((host) => URL.parse(`redis://${credentials}@${host}`));
  const nodes = urls.flatMap((url) => {
    // An IPv6 address stands in brackets in a URL alone.
    const host = url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '';
    return url === null || host === '' ? [] : { host, port: url.port === '' ? usualPort : Number(url.port) };
  });
  const [first] = urls;
  if (first === undefined || first === null || nodes.length < urls.length) return undefined;
  try {
    const [username, password] = [first.username, first.password].map((part) => decodeURIComponent(part) || undefined);
    return { kind: 'cluster', nodes, isTls: tls !== undefined, username, password };
  } catch {
    return undefined;
  }
}
