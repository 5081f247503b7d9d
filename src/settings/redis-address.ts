/** Where a server is. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

/** One server, whose URL ioredis parses itself, or the start-up nodes of a cluster, which name the others. */
export type RedisAddress =
  | { readonly kind: 'server'; readonly url: string; readonly isTls: boolean }
  | {
      readonly kind: 'cluster';
      readonly nodes: readonly RedisNode[];
      readonly isTls: boolean;
      readonly username: string | undefined;
      readonly password: string | undefined;
    };

export const redisAddressForm =
  'must be a redis:// or rediss:// address, or redis+cluster:// or rediss+cluster:// with HOST:PORT, comma-separated, and no database';

const serverForm = /^redis(?<tls>s)?:\/\//;
const clusterForm = /^redis(?<tls>s)?\+cluster:\/\/(?:(?<credentials>[^@/]*)@)?(?<hosts>[^@/?#]+)\/?$/;
const usualPort = 6379;

/** The server, or the start-up nodes of a cluster, that take TLS; empty without TLS. */
export function tlsNodes(text: string): readonly RedisNode[] {
  const address = parseRedisAddress(text);
  return address?.isTls === true ? nodesOf(address) : [];
}

function nodesOf(address: RedisAddress): readonly RedisNode[] {
  if (address.kind === 'cluster') return address.nodes;
  const { hostname, port } = new URL(address.url);
  return [{ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? usualPort : Number(port) }];
}

/** Its servers and its database, without user and password. @throws Error the text is no address. */
export function shownRedisAddress(text: string): string {
  const address = parseRedisAddress(text);
  if (address === undefined) throw new Error(redisAddressForm);
  const hosts = nodesOf(address).map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  const database = address.kind === 'server' ? new URL(address.url).pathname : '';
  return `redis${address.isTls ? 's' : ''}${address.kind === 'cluster' ? '+cluster' : ''}://${hosts.join(',')}${database}`;
}

/** @returns undefined if the text is no address of Redis. Name and password are percent-encoded in the text. */
export function parseRedisAddress(text: string): RedisAddress | undefined {
  const server = serverForm.exec(text);
  if (server !== null) {
    return URL.canParse(text) ? { kind: 'server', url: text, isTls: server.groups?.['tls'] !== undefined } : undefined;
  }
  const { tls, credentials = '', hosts = '' } = clusterForm.exec(text)?.groups ?? {};
  const urls = hosts.split(',').map((host) => URL.parse(`redis://${credentials}@${host}`));
  const nodes = urls.flatMap((url) => {
    // Only a URL has brackets around an IPv6 address.
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
