import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers the request that is the so many-th, from 0; one that does nothing leaves the client without an answer. */
export type Script = (response: ServerResponse, index: number, request: Received) => void;

export interface TestServer {
  readonly baseUrl: string;
  readonly received: Received[];
  /** From now on; what was received is forgotten. */
  answer(script: Script): void;
  close(): Promise<void>;
}

export async function startServer(): Promise<TestServer> {
  const received: Received[] = [];
  let script: Script = () => undefined;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method = '', url = '', headers } = req;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(request);
      script(res, received.length - 1, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(next) {
      script = next;
      received.length = 0;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

/** A success of the service. */
export function succeed(response: ServerResponse, data: unknown, headers: Record<string, string> = {}): void {
  const envelope = { version: '1.0', timestamp: Date.now(), success: true, code: '2000', message: 'SUCCESS', data };
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(envelope));
}

/** A refusal of the service, with whatever it says in headers. */
export function refuse(
  response: ServerResponse,
  [status, code]: readonly [number, string],
  headers: Record<string, string> = {},
): void {
  const envelope = { version: '1.0', timestamp: Date.now(), success: false, code, message: 'NO', data: null };
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(envelope));
}
