// Has the events of a workspace sent to WEBHOOK_URL, and prints the secret that verifies them.
import { ApiError, createClient } from 'signed-wallet-client';

const { BASE_URL = '', API_KEY = '', API_SECRET = '', WEBHOOK_URL: url = '' } = process.env;
const client = createClient({ baseUrl: BASE_URL, apiKey: API_KEY, apiSecret: API_SECRET });

async function makeSecret(): Promise<string> {
  try {
    return (await client.webhook.create({ url, events: ['transfer.completed', 'transfer.failed'] })).secret;
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'WEBHOOK_EXISTS')) throw error;
    const webhook = (await client.webhook.list()).find((each) => each.url === new URL(url).href);
    if (webhook === undefined) throw error;
    // Sends what waits for it right away, however long it failed.
    await client.webhook.enable(webhook.id);
    return (await client.webhook.rotate(webhook.id)).secret;
  }
}

console.log(await makeSecret());
