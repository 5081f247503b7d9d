import type { Socket } from 'node:net';
import type { Document } from '../semantics/values.ts';
import { messageBytesMax, readRequest, replyHeader } from './message.ts';
import { encodeReply, type Reply } from './reply.ts';

/** What is known of one client connection. */
export interface Client {
  id: number;
  address: string;
  applicationName: string | undefined;
}

/** Answers one command; undefined closes the connection without an answer. Never rejects. */
export type Answer = (command: Document, client: Client) => Promise<Reply | undefined>;

let connections = 0;

/**
 * Serves one connection: requests are answered one after the other in the order they come. A request under way is
 * carried out even if its client goes away. Malformed input closes this connection and no other.
 */
export function serveConnection(socket: Socket, answer: Answer): void {
  const client: Client = {
    id: ++connections,
    address: `${socket.remoteAddress ?? ''}:${socket.remotePort ?? 0}`,
    applicationName: undefined,
  };
  let received: Buffer[] = [];
  let receivedBytes = 0;
  const frames: Buffer[] = [];
  let busy = false;

  const work = async (): Promise<void> => {
    busy = true;
    for (let frame = frames.shift(); frame !== undefined; frame = frames.shift()) {
      const request = readRequest(frame);
      const reply = await answer(request.command, client);
      if (reply === undefined) {
        socket.destroy();
        return;
      }
      if (request.moreToCome || !socket.writable) continue;
      const body = encodeReply(reply);
      socket.cork();
      socket.write(replyHeader(request, body, client.id));
      socket.write(body);
      socket.uncork();
    }
    busy = false;
  };

  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (data: Buffer) => {
    received.push(data);
    receivedBytes += data.length;
    try {
      // Joining only when a message is whole keeps a large one from being copied at each of its packets.
      while (receivedBytes >= 4) {
        const first =
          received[0]?.length !== undefined && received[0].length >= 4 ? received[0] : Buffer.concat(received);
        const size = first.readInt32LE(0);
        if (size < 16 || size > messageBytesMax) throw new Error('message size out of bounds');
        if (receivedBytes < size) break;
        const all = received.length === 1 && received[0] !== undefined ? received[0] : Buffer.concat(received);
        frames.push(all.subarray(0, size));
        received = all.length === size ? [] : [all.subarray(size)];
        receivedBytes -= size;
      }
    } catch {
      socket.destroy();
      return;
    }
    if (!busy) work().catch(() => socket.destroy());
  });
}
