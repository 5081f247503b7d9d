// Receives webhooks at WEBHOOK_URL, verifies them with WEBHOOK_SECRET, and prints each event once.
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookError } from 'signed-wallet-client';

const { WEBHOOK_URL = '', WEBHOOK_SECRET: secret = '' } = process.env;
const { hostname, port } = new URL(WEBHOOK_URL);
/** For trying out. A real receiver keeps them where it keeps what it does for an event. */
const seen = new Set<string>();

/** @returns the status to answer: of 2xx the service knows that the event need not be sent again. */
async function receive(request: IncomingMessage): Promise<number> {
  try {
    const { id, type, data } = await verifyWebhook({ body: await buffer(request), headers: request.headers, secret });
    if (!seen.has(id)) console.log(type, id, JSON.stringify(data));
    seen.add(id);
    return 204;
  } catch (error) {
    console.error(String(error));
    return error instanceof WebhookError ? 400 : 500;
  }
}

const server = createServer((request, response) => {
  void receive(request).then((status) => response.writeHead(status).end());
});
server.listen(Number(port), hostname, () => {
  console.log(`Waiting for events at ${WEBHOOK_URL}`);
});
