import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SettingsError } from '../settings/config.ts';
import { nodesOf, type RedisAddress } from '../settings/redis-address.ts';
import { tlsFaultOf } from '../tls-faults.ts';

/**
 * Codes by which Redis refuses who connects: a wrong password or none, a user who may not, a server that others may not
 * reach. Source: Redis's `server.c` and `acl.c`.
 */
const refusals: ReadonlySet<string> = new Set(['WRONGPASS', 'NOAUTH', 'NOPERM', 'DENIED']);
const askMaxMs = 2_000;

type Node = ReturnType<typeof nodesOf>[number];

/**
 * Tells a fault of the address from that of a server which is away: user, password or TLS. Waiting does not mend the former.
 * @param error of an attempt to connect; of a cluster, that no node could be asked. @returns undefined if trying again may
 * help.
 */
export function faultOfAddress(error: Error): SettingsError | undefined {
  if (error instanceof SettingsError) return error;
  const reason = reasonOf(error);
  return reason === undefined ? undefined : new SettingsError(`REDIS_URL is wrong: ${reason}`, { cause: error });
}

/** The fault of an address whose server speaks TLS where it says that it does not, or the other way round. */
export function faultOfProtocol({ kind, isTls }: RedisAddress): SettingsError {
  const [withTls, without] = kind === 'cluster' ? ['rediss+cluster', 'redis+cluster'] : ['rediss', 'redis'];
  const reason = isTls
    ? `Redis speaks no TLS there: begin it with ${without}://, or name the port of TLS`
    : `Redis speaks TLS there: begin it with ${withTls}://`;
  return new SettingsError(`REDIS_URL is wrong: ${reason}`);
}

function reasonOf(error: Error): string | undefined {
  if ('lastNodeError' in error && error.lastNodeError instanceof Error) return reasonOf(error.lastNodeError);
  const tls = tlsFaultOf(error);
  if (tls !== undefined) return `TLS does not come about: ${tls}`;
  if (error.name === 'ReplyError' && refusals.has(codeOf(error))) return `Redis refuses: ${error.message}`;
  return undefined;
}

/** An error's first word is its code. Source: Redis serialization protocol, "Simple errors". */
function codeOf({ message }: Error): string {
  return message.split(' ', 1)[0] ?? '';
}

/**
 * Whether a server speaks TLS although the address says that it does not, or the other way round. No error tells, because
 * then one side waits, or the connection just ends. So each server is asked in the other way, on a connection of its own, on
 * which nothing secret is sent. Never throws, and takes at most {@link askMaxMs}.
 */
export async function speaksOtherProtocol(address: RedisAddress): Promise<boolean> {
  const answers = await Promise.all(nodesOf(address).map(address.isTls ? answersWithoutTls : answersByTls));
  return answers.includes(true);
}

async function answersWithoutTls(node: Node): Promise<boolean> {
  const socket = connect(node);
  socket.write('PING\r\n');
  const answer = await firstOf(socket, 'data');
  // Redis answers with PONG or an error.
  return answer !== undefined && /^[+-]/.test(String(answer[0]));
}

async function answersByTls({ host, port }: Node): Promise<boolean> {
  const name = isIP(host) === 0 ? { servername: host } : {};
  const handshake = await firstOf(connectTls({ host, port, ...name, rejectUnauthorized: false }), 'secureConnect');
  return handshake !== undefined;
}

async function firstOf(socket: Socket, event: string): Promise<unknown[] | undefined> {
  try {
    const values: unknown[] = await once(socket, event, { signal: AbortSignal.timeout(askMaxMs) });
    return values;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
