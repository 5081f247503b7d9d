import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { nodesOf, type RedisAddress } from '../redis-address.ts';

type Node = ReturnType<typeof nodesOf>[number];

const askMaxMs = 2_000;

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
