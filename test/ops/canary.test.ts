import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const masterKey = randomBytes(32).toString('base64');
const opsToken = `canary-${randomBytes(16).toString('hex')}`;
const wrongToken = `guess-${randomBytes(16).toString('hex')}`;
const path = '/api/v1/transfer/command/create';

let service: RunningService;
beforeAll(async () => {
  // A level that logs everything, and a token although nobody else reaches this port.
  service = await startService({
    env: { MASTER_KEYS: `1:${masterKey}`, OPS_TOKEN: opsToken, LOG_LEVEL: 'trace' },
  });
});
afterAll(() => service.stop());

it('no secret is in a log line, a metric, a job, a page or an error', async () => {
  const seen: string[] = [];
  const look = async (url: string, init?: RequestInit) => {
    const answer = await fetch(url, init);
    seen.push(await answer.text(), JSON.stringify([...answer.headers]));
    return answer;
  };
  const workspace = await createWorkspace(service);
  const { client, apiKey, apiSecret } = workspace;
  const [alice, bob] = [await workspace.wallet('50'), await workspace.wallet()];
  const body = { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' };

  const done = await client.request<{ transferId: string }>('POST', path, { body, headers: { Prefer: 'wait=10' } });
  seen.push(done.text);
  const orderId = done.envelope?.data.transferId ?? '';
  // What a client may put in the wrong place: none of it may come back, or be kept.
  for (const headers of [{ 'X-Signature': apiSecret }, { 'X-Api-Key': apiSecret }, { 'X-Nonce': apiSecret }]) {
    seen.push((await client.request('POST', path, { body, headers })).text);
  }
  seen.push((await client.request('POST', path, { body: { ...body, currency: apiSecret } })).text);
  seen.push((await client.request('GET', `/api/v1/wallets/${apiSecret}`)).text);
  await look(`${service.baseUrl}/api/v1/wallets`, {
    headers: { Authorization: `Bearer ${apiSecret}`, 'X-Api-Key': apiKey },
  });

  const workers = await Promise.all(service.workers.map(({ ready }) => ready));
  const opsUrls = [service.opsUrl, ...workers.map(({ opsPort }) => `http://127.0.0.1:${opsPort}`)];
  const headers = { Authorization: `Bearer ${opsToken}` };
  for (const url of opsUrls) {
    expect((await look(`${url}/metrics`, { headers: { Authorization: `Bearer ${wrongToken}` } })).status).toBe(401);
    expect((await look(`${url}/metrics`, { headers })).status).toBe(200);
    await look(`${url}/readyz`, { headers });
  }
  await waitFor(async () => (await look(`${service.opsUrl}/search?id=${orderId}`, { headers })).status === 200);
  for (const page of ['/', '/scaling', '/queues/', '/queues/api/queues?activeQueue={posting-0}']) {
    expect((await look(service.opsUrl + page, { headers })).status).toBe(200);
  }
  // The command line: lists, and an error of a database that it cannot reach.
  seen.push(
    JSON.stringify(await service.admin('key', 'list')),
    JSON.stringify(await service.admin('wallet', 'list', '--workspace', workspace.workspaceId)),
  );
  await expect(
    service.admin('key', 'create', '--workspace', 'ws_none', '--owner', 'o', '--scope', 'wallet:read'),
  ).rejects.toSatisfy((error: unknown) => seen.push(String(error)) > 0);

  expect(service.logs.length).toBeGreaterThan(3);
  const everything = [...seen, ...service.logs];
  for (const secret of [masterKey, opsToken, wrongToken, apiSecret]) {
    expect(everything.filter((text) => text.includes(secret))).toEqual([]);
  }
});
