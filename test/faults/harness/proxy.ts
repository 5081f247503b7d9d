import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** `cut` closes the connection in place of the chunk, `cutInHalf` after the first half of it. */
export type Verdict = 'pass' | 'cut' | 'cutInHalf';

export interface Chunk {
  direction: 'request' | 'reply';
  bytes: Buffer;
  /** Names the connection. */
  link: number;
}

/** Decides what becomes of a chunk; a promise holds it, and everything behind it on its way, until it settles. */
export type Interceptor = (chunk: Chunk) => Verdict | Promise<Verdict>;

export interface Proxy {
  port: number;
  /** From the next chunk on; undefined lets everything pass again. What is held stays with its own promise. */
  intercept(interceptor: Interceptor | undefined): void;
  /** Closes every connection at once. */
  cutAll(): void;
  /** Every connection there is stays open and passes nothing any more; later ones are served. */
  silenceAll(): void;
  close(): Promise<void>;
}

const passAll: Interceptor = () => 'pass';
const forEver = new Promise<never>(() => undefined);

/** A TCP proxy on 127.0.0.1, one connection to the target for each of its own. */
export async function startProxy(target: { host: string; port: number }): Promise<Proxy> {
  let interceptor = passAll;
  let links = 0;
  let lastSilenced = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const link = (links += 1);
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => sockets.delete(socket));
    }
    client.once('close', () => {
      upstream.destroySoon();
    });
    upstream.once('close', () => {
      client.destroySoon();
    });
    const decide: Interceptor = (chunk) => (link <= lastSilenced ? forEver : interceptor(chunk));
    void pump(client, upstream, (bytes) => decide({ direction: 'request', bytes, link }));
    void pump(upstream, client, (bytes) => decide({ direction: 'reply', bytes, link }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening TCP server has an address');
  return {
    port: address.port,
    intercept(next) {
      interceptor = next ?? passAll;
    },
    cutAll() {
      for (const socket of sockets) socket.destroy();
    },
    silenceAll() {
      lastSilenced = links;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Chunks go on one after the other, in the order they came. */
async function pump(from: Socket, to: Socket, decide: (bytes: Buffer) => Verdict | Promise<Verdict>): Promise<void> {
  try {
    for await (const bytes of from as AsyncIterable<Buffer>) {
      const verdict = await decide(bytes);
      if (verdict !== 'pass') {
        if (verdict === 'cutInHalf') to.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
        break;
      }
      if (!to.write(bytes)) await once(to, 'drain');
    }
  } catch {
    // A broken connection is what this is for: both ends learn of it below.
  }
  to.destroySoon();
  from.destroy();
}
