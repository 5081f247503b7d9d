import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../local/executables.ts';
import { node20 } from '../support/node-20.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { runWhileWebIsKilled } from './killed-web.ts';
import { expectRequired, expectVectorsSigned, installPacked } from './packed-project.ts';
import { startReceiver } from '../webhooks/delivering.ts';

const count = 1_000;

let packed: Awaited<ReturnType<typeof installPacked>>;
let project: string;
let nodes: Record<string, string>;
let service: ServiceProcesses;
let workspace: TestWorkspace;

beforeAll(async () => {
  const starting = startServiceProcesses({ env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
  const [started, older, installed] = await Promise.all([starting, node20(), installPacked()]);
  packed = installed;
  ({ project } = packed);
  service = started;
  nodes = { 'Node 20': older, 'Node 24': process.execPath };
  workspace = await createWorkspace(service);
});
afterAll(async () => {
  await service.stop();
  await packed.remove();
});

describe.each(['Node 20', 'Node 24'])('on %s', (name) => {
  it('signs every vector rightly', () => expectVectorsSigned(project, nodes[name]!, name.slice(-2)));

  it('can be required', () => expectRequired(project, nodes[name]!));

  it('creates each of 1,000 transfers once, though the web process is killed in the middle', async () => {
    const [source, target] = [await workspace.wallet('10'), await workspace.wallet()];
    const { apiKey, apiSecret } = workspace;
    const credentials = { API_KEY: apiKey, API_SECRET: apiSecret, SOURCE: source, TARGET: target };
    const command = [nodes[name]!, join(project, 'creates.js'), String(count)];
    const env = { ...process.env, BASE_URL: service.baseUrl, ...credentials };
    const told = await runWhileWebIsKilled<
      Record<'bizIds' | 'listed', string[]> & Record<'repetitions' | 'completed', number>
    >(service, command, env, count / 2);
    expect(new Set(told.bizIds).size).toBe(count);
    expect(told.listed.toSorted()).toEqual(told.bizIds.toSorted());
    expect(told).toMatchObject({ completed: count, balance: '10.00' });
    expect(told.repetitions).toBeGreaterThan(0);
  });

  it('manages a webhook by the names of its calls', async () => {
    const receiver = await startReceiver();
    const { apiKey, apiSecret } = workspace;
    const env = { ...process.env, BASE_URL: service.baseUrl, API_KEY: apiKey, API_SECRET: apiSecret };
    const output = await run(nodes[name]!, [join(project, 'webhooks.js'), receiver.url], env);
    const told = JSON.parse(output) as { eventId: string };
    expect(told).toMatchObject({
      ...{ isListed: true, statuses: ['ENABLED', 'DISABLED', 'ENABLED', 'ENABLED'], isNewSecret: true },
      refusals: ['WEBHOOK_EXISTS', 'WEBHOOK_EVENT_NOT_FOUND'],
      previousSecretValidUntil: expect.any(String) as unknown,
      ...{ delivered: true, left: [], scopes: expect.arrayContaining(['webhook:manage']) as unknown },
    });
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toContain(told.eventId);
    await receiver.close();
  });

  it('verifies a webhook', async () => {
    const secret = Buffer.from('a secret').toString('base64');
    const body = '{"type":"transfer.completed","timestamp":"2026-01-01T00:00:00.000Z","data":{}}';
    const at = Math.floor(Date.now() / 1000);
    const mac = createHmac('sha256', 'a secret').update(`msg_1.${at}.${body}`).digest('base64');
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': `v1,${mac}` };
    const input = JSON.stringify({ body, headers, secret: `whsec_${secret}` });
    const program = `import { verifyWebhook } from 'signed-wallet-client';
      process.stdout.write((await verifyWebhook(${input})).id);`;
    await writeFile(join(project, 'webhook.js'), program);
    expect(await run(nodes[name]!, [join(project, 'webhook.js')])).toBe('msg_1');
  });
});
