// Manages a webhook with the installed package, each call once: node webhooks.js URL. Prints what the calls told, as JSON.
import { ApiError, createClient } from 'signed-wallet-client';

const { BASE_URL = '', API_KEY = '', API_SECRET = '' } = process.env;
const url = process.argv[2] ?? '';
const client = createClient({ baseUrl: BASE_URL, apiKey: API_KEY, apiSecret: API_SECRET });

const { scopes } = await client.key();
const made = await client.webhook.create({ url, events: ['transfer.completed', 'transfer.failed'] });
const exists = await client.webhook.create({ url, events: ['transfer.failed'] }).catch((error: unknown) => error);
const listed = (await client.webhook.list()).map(({ id }) => id);
const disabled = await client.webhook.disable(made.id);
const enabled = await client.webhook.enable(made.id);
const { secret } = await client.webhook.rotate(made.id);
const { previousSecretValidUntil } = await client.webhook.get(made.id);
const { eventId } = await client.webhook.test(made.id);
const unknown = await client.webhook.replay(made.id, { eventId: 'ev_0' }).catch((error: unknown) => error);
const replayed = await client.webhook.replay(made.id, { since: new Date().toISOString() });
const delivered = await isDelivered();
await client.webhook.delete(made.id);
const left = await client.webhook.list();

async function isDelivered(): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    for await (const delivery of client.webhook.deliveries(made.id)) {
      if (delivery.eventId === eventId && delivery.state === 'DELIVERED') return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return false;
}

const reasonOf = (error: unknown) => (error instanceof ApiError ? error.reason : undefined);
process.stdout.write(
  JSON.stringify({
    ...{
      scopes,
      isListed: listed.includes(made.id),
      statuses: [made, disabled, enabled, replayed].map((it) => it.status),
    },
    ...{ refusals: [exists, unknown].map(reasonOf), isNewSecret: secret !== made.secret, previousSecretValidUntil },
    ...{ eventId, delivered, left },
  }),
);
