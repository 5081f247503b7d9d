import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endWithParent } from '../servers/end-with-parent.ts';

/** Process entry: takes every webhook at once. Says its port, and to each message how many events have come. */
const events = new Set<unknown>();
const server = createServer((request, response) => {
  events.add(request.headers['webhook-id']);
  request.resume().on('end', () => response.writeHead(204).end());
});
endWithParent();
process.once('SIGTERM', () => process.exit(0));
process.on('message', () => process.send?.(events.size));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
