import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { startServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

it('a worker whose thread of webhooks does not start posts orders, says so, and stops in order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-threads-'));
  const file = join(folder, 'no-threads.mjs');
  writeFileSync(
    file,
    "import { isMainThread } from 'node:worker_threads'; if (!isMainThread) throw new Error('no threads here');",
  );
  const service = await startServiceProcesses({ workers: 0 });
  try {
    const { opsPort } = await (
      await service.startWorker({ NODE_OPTIONS: `--import=${pathToFileURL(file).href}` })
    ).ready;
    const workspace = await createWorkspace(service);
    const { client } = workspace;
    const body = {
      ...{ sourceWalletId: await workspace.wallet('5'), targetWalletId: await workspace.wallet() },
      ...{ amount: '1', currency: 'USD' },
    };
    await workspace.webhook('https://example.com/');
    const path = '/api/v1/transfer/command/create';
    const { envelope } = await client.request<{ transferId: string }>('POST', path, { body });
    const order = `/api/v1/transfer/query/orders/${envelope?.data.transferId ?? ''}`;
    await waitFor(async () => {
      const found = await client.request<{ status: string }>('GET', order);
      return found.envelope?.data.status === 'COMPLETED';
    });
    const ready = await waitFor(async () => {
      const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
      const { wrongSetting } = (await answer.json()) as { wrongSetting?: string };
      return wrongSetting?.includes('has ended') === true ? { status: answer.status } : undefined;
    });
    expect(ready.status).toBe(503);
    expect(service.logs.some((line) => line.includes('no threads here') && line.includes('"level":50'))).toBe(true);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
});
