import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../local/executables.ts';
import { lockedTool } from '../support/locked-tool.ts';
import { startService, type RunningService } from '../support/service.ts';
import { createWorkspace } from '../support/workspace.ts';

interface Report {
  run: { executions: { item: { name: string }; response: { stream: { data: number[] } } }[] };
}

let service: RunningService;
let folder: string;

beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'newman-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

it('each request of the collection is signed rightly: newman runs them all', async () => {
  const workspace = await createWorkspace(service);
  const { apiKey, apiSecret, client } = workspace;
  const [sourceWalletId, targetWalletId] = [await workspace.wallet('10'), await workspace.wallet()];
  const bizId = 'invoice-1';
  const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD', bizId };
  const made = await client.request<{ transferId: string }>('POST', '/api/v1/transfer/command/create', {
    body,
    headers: { Prefer: 'wait=10' },
  });
  const { transferId } = made.envelope!.data;
  const variables = { baseUrl: service.baseUrl, apiKey, apiSecret, sourceWalletId, targetWalletId, bizId, transferId };
  const values = { ...variables, walletId: sourceWalletId, webhookId: 'wh_1' };

  const newman = join(await lockedTool('test/client/tools/newman'), 'newman/bin/newman.js');
  const file = join(folder, 'report.json');
  const options = Object.entries(values).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const report = ['--reporters', 'json', '--reporter-json-export', file];
  await run(process.execPath, [newman, 'run', 'docs/postman-collection.json', ...options, ...report]);

  const { executions } = (JSON.parse(await readFile(file, 'utf8')) as Report).run;
  const codes = executions.map(({ item, response }) => {
    const { code } = JSON.parse(Buffer.from(response.stream.data).toString('utf8')) as { code: string };
    return [item.name, code] as const;
  });
  expect(codes.filter(([, code]) => code === '2000').length).toBeGreaterThanOrEqual(9);
  // There is no such webhook, the wallet is not empty, and the transfer is no hold and not for later: all told behind the
  // signature.
  expect(codes.filter(([, code]) => !['2000', 'WA4222', 'WH4041', 'TR4228', 'TR4092'].includes(code))).toEqual([]);
});
