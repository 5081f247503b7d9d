import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { endWithParent } from './end-with-parent.ts';

/** What the process is told. */
export interface DelayOrder {
  readonly host: string;
  readonly port: number;
  /** In each direction. */
  readonly delayMs: number;
}

/** Process entry: takes one order over the channel, and says the port on which it passes everything on, that much later. */
process.once('message', (order: DelayOrder) => {
  void listen(order).then((port) => process.send?.({ port }));
});
endWithParent();
process.once('SIGTERM', () => process.exit(0));

async function listen({ host, port, delayMs }: DelayOrder): Promise<number> {
  const server = createServer((client) => {
    const upstream = connect({ host, port });
    passOn(client, upstream, delayMs);
    passOn(upstream, client, delayMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** What is under way is held in memory: a client of MongoDB has one command at a time on a connection. */
function passOn(from: Socket, to: Socket, delayMs: number): void {
  from.setNoDelay(true);
  // Timers of one length fire in the order in which they were set.
  from.on('data', (chunk: Buffer) => setTimeout(() => to.write(chunk), delayMs));
  from.once('close', () => setTimeout(to.destroySoon.bind(to), delayMs));
  from.on('error', () => undefined);
}
