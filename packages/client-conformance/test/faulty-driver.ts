// A driver of one call, wallet.get, that does one thing wrong: node faulty-driver.ts FAULT
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';

interface Call {
  readonly id: number;
  readonly client: { readonly baseUrl: string; readonly apiKey: string; readonly apiSecret: string };
  readonly arguments: { readonly id: string };
}

const fault = process.argv[2] ?? '';
const is = (name: string): boolean => fault === name;
const write = (message: object): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const theOnlyNonce = randomUUID();

async function get({ client, arguments: { id } }: Call, rest = ''): Promise<Response> {
  const path = `/api/v1/wallets/${id}`;
  const signed = is('signs the query') ? `${path}?a=b` : path;
  const timestamp = String(Math.floor(Date.now() / 1000) - (is('is late') ? 100 : 0));
  const nonce = is('has one nonce') ? theOnlyNonce : randomUUID();
  const bodyHash = createHash('sha256').digest('hex');
  const message = ['GET', signed, timestamp, nonce, bodyHash].join('\n');
  const signature = createHmac('sha256', client.apiSecret).update(message).digest('base64');
  const apiKey = is('has another key') ? 'ak_2' : client.apiKey;
  const headers = { 'X-Api-Key': apiKey, 'X-Timestamp': timestamp, 'X-Nonce': nonce, 'X-Signature': signature };
  return fetch(`${client.baseUrl}${path}${rest}`, { headers });
}

async function answer(call: Call): Promise<void> {
  if (is('ends')) process.exit(3);
  if (is('is no JSON')) process.stdout.write('hello\n');
  if (is('tells the secret')) process.stderr.write(`${call.client.apiSecret}\n`);
  let response = await get(call);
  if (response.status === 503) response = await get(call, is('asks for another thing') ? '?a=b' : '');
  if (is('asks twice')) await get(call);
  const { data } = (await response.json()) as { data: object };
  if (is('fails')) write({ id: call.id, error: { kind: 'other', message: 'no' } });
  else write({ id: call.id, result: is('changes the result') ? {} : data });
}

if (!is('says nothing')) {
  write({ hello: { client: 'a client', capabilities: [] } });
  for await (const line of createInterface({ input: process.stdin })) void answer(JSON.parse(line) as Call);
}
