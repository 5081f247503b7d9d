import { once } from 'node:events';
import { createServer } from 'node:net';
import { framesOf, handshakeOf, readMessage, replyTo } from './wire-messages.ts';

/** The last that the driver no longer talks to. Source: MongoDB's wire versions, 8 for 4.2 and 9 for 4.4. */
const wireVersion = 8;

export interface OldServer {
  readonly uri: string;
  close(): Promise<void>;
}

/** Stands in for a MongoDB 4.2, as far as anybody asks it: each command is answered by what it says of itself. */
export async function startOldServer(): Promise<OldServer> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    void (async () => {
      for await (const frame of framesOf(socket)) socket.write(replyTo(readMessage(frame), handshakeOf(wireVersion)));
    })().catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    uri: `mongodb://127.0.0.1:${port}/`,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
