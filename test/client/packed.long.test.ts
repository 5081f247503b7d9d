import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { node20 } from '../support/node-20.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { runWhileWebIsKilled } from './killed-web.ts';
import { expectRequired, expectVectorsSigned, installPacked } from './packed-project.ts';

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
});
