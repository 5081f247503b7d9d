import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCollections } from '../../src/storage/collections.ts';
import { parseMetrics } from '../support/metrics-text.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../webhooks/delivering.ts';

let service: ServiceProcesses;
let mongo: MongoClient;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let workspace: TestWorkspace;

beforeAll(async () => {
  receiver = await startReceiver((request, response) => {
    response.writeHead(request.url?.startsWith('/gone') ? 410 : 500).end('a receiver’s own words');
  });
  service = await startServiceProcesses({ env: { WEBHOOK_ALLOW_LOCAL: 'true' } });
  mongo = new MongoClient(service.mongodbUri);
  workspace = await createWorkspace(service);
});
afterAll(async () => {
  await mongo.close();
  await service.stop();
  await receiver.close();
});

const admin = <Result>(verb: string, ...more: string[]) =>
  service.admin<Result>('webhook', verb, '--workspace', workspace.workspaceId, ...more);
const createAt = (path: string) => workspace.webhook(new URL(path, receiver.url).href);
const pageText = async () => (await fetch(`${service.opsUrl}/`)).text();
/** Of the row of webhooks. */
const cell = async (name: string) => new RegExp(`data-column="${name}">(.*?)</td>`, 's').exec(await pageText())?.[1];
/** Sums over the labels that are not asked for. */
async function metric(opsUrl: string, name: string, asked: Record<string, string> = {}): Promise<number> {
  const families = parseMetrics(await (await fetch(`${opsUrl}/metrics`)).text());
  const samples = [...families.values()].flatMap((family) => family.samples.filter((sample) => sample.name === name));
  return samples
    .filter(({ labels }) => Object.entries(asked).every(([label, value]) => labels.get(label) === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/** In the log, the metrics, on the page and by the command line. */
async function expectToldDisabled(id: string, reason: 'FAILING' | 'GONE'): Promise<void> {
  await waitFor(async () => (await cell('disabled in 24 h')) === '1');
  const told = service.logs.filter((line) => line.includes('a webhook endpoint is disabled') && line.includes(id));
  expect(told.map((line) => JSON.parse(line) as object)).toMatchObject([
    { endpointId: id, workspaceId: workspace.workspaceId, reason },
  ]);
  const shown = { id, status: 'DISABLED', disabledReason: reason, disabledAt: expect.any(String) as string };
  expect(await admin('list')).toContainEqual(expect.objectContaining(shown));
}

describe('a webhook', () => {
  it('whose receiver is gone is told as disabled, until somebody enables it or means it to be so', async () => {
    const id = await createAt('/gone');
    await admin('test', '--webhook', id);
    await expectToldDisabled(id, 'GONE');
    await admin('disable', '--webhook', id);
    await waitFor(async () => (await cell('disabled in 24 h')) === '0');
  });

  it('whose receiver fails is shown with what waits; and as disabled, once it did so for a day', async () => {
    const id = await createAt('/fails?token=of-the-receiver');
    await admin('test', '--webhook', id);
    await waitFor(async () => (await cell('failing receivers')) === '1');
    expect(await cell('events waiting')).toBe('1');
    expect(await cell('worst of them')).toContain(`/search?id=${id}`);
    expect(await cell('worst of them')).toContain(`/search?id=${workspace.workspaceId}`);
    expect(await pageText()).not.toContain('of-the-receiver');
    const { workspaceId } = workspace;
    const waiting = () => metric(service.opsUrl, 'transfers_webhook_events_waiting');
    await waitFor(async () => (await waiting()) === 1);
    expect(await pageText()).toContain('>All well here; receivers of webhooks that fail: 1</h2>');
    const dayAgo = new Date(Date.now() - 25 * 3_600_000);
    const endpoints = openCollections(mongo.db()).webhookEndpoints;
    await admin('test', '--webhook', id);
    const isDisabled = async () => {
      if ((await endpoints.find(workspaceId, id))?.status === 'DISABLED') return true;
      // A run that was under way may have written when the failing began, as it knew it.
      await endpoints.change({ workspaceId, id }, { failingSince: dayAgo });
      return false;
    };
    await waitFor(isDisabled, { timeoutMs: 60_000 });
    await expectToldDisabled(id, 'FAILING');
    await waitFor(async () => (await waiting()) === 0);
  });
});
