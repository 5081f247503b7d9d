import { createServer } from 'node:net';

/** A TCP port that nothing listens on at this moment. Another process may still take it first. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return listenOnce(0, host);
}

/** Whether this process can listen on `port`: not if it is privileged, or the address is not this machine's. */
export async function isPortFree(port: number, host: string): Promise<boolean> {
  return listenOnce(port, host).then(
    () => true,
    () => false,
  );
}

function listenOnce(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('A listening TCP server has an address.'));
      });
    });
  });
}
