import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

interface SpanLine {
  span: string;
  traceId: string;
  spanId: string;
  parentId?: string;
  linked: string[];
  failed: boolean;
}

const preload = pathToFileURL(join(import.meta.dirname, '../support/trace-to-stdout.ts')).href;
const path = '/api/v1/transfer/command/create';

let service: ServiceProcesses;
beforeAll(async () => {
  service = await startServiceProcesses({ env: { NODE_OPTIONS: `--import=${preload}` } });
});
afterAll(() => service.stop());

const spans = () =>
  service.logs.filter((line) => line.startsWith('{"span"')).map((line) => JSON.parse(line) as SpanLine);

it('a trace goes from the request through the queue into the transaction', async () => {
  const workspace = await createWorkspace(service);
  const [alice, bob] = [await workspace.wallet('10'), await workspace.wallet()];
  const body = { sourceWalletId: alice, targetWalletId: bob, amount: '1', currency: 'USD' };
  const { status } = await workspace.client.request('POST', path, { body, headers: { Prefer: 'wait=10' } });
  expect(status).toBe(200);
  const { request, job, group } = await waitFor(() => {
    const all = spans();
    const requested = all.find(({ span }) => span === `POST ${path}`);
    const taken = all.find(({ parentId }) => requested && parentId === requested.spanId);
    const posted = all.find(({ parentId }) => taken && parentId === taken.spanId);
    return posted && { request: requested!, job: taken!, group: posted };
  });
  expect([job.span, group.span]).toEqual(['post job', 'post group']);
  expect(new Set([request, job, group].map(({ traceId }) => traceId)).size).toBe(1);
});

it('a refused request is a failed span, which says nothing of what was sent', async () => {
  await fetch(`${service.baseUrl}/api/v1/wallets?secret=canary`, { headers: { 'X-Api-Key': 'canary' } });
  const found = await waitFor(() => spans().find(({ span, failed }) => span === 'GET /api/v1/wallets' && failed));
  expect(JSON.stringify(found)).not.toContain('canary');
});
