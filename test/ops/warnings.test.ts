import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clockOffBy } from '../faults/harness/clock-off-by.ts';
import { parseMetrics } from '../support/metrics-text.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

/** Ahead of everybody else's, the engine's too. */
const offsetMs = 30_000;

interface Entry {
  name: string;
  level: number;
  time: string;
  msg: string;
  event?: string;
  aheadMs?: number;
}

let service: ServiceProcesses;
beforeAll(async () => {
  service = await startServiceProcesses({ env: clockOffBy(offsetMs) });
});
afterAll(() => service.stop());

const warnings = (): Entry[] =>
  service.logs.map((line) => JSON.parse(line) as Entry).filter(({ level }) => level === 40);

describe('a clock that differs from MongoDB’s', () => {
  it.each(['web', 'worker'])('is warned of by the %s process', async (name) => {
    const entry = await waitFor(() => warnings().find((each) => each.event === 'clock-off' && each.name === name));
    expect(entry.msg).toMatch(/^the clock of this machine is \d+\.\d s ahead of MongoDB's$/);
    // Less is told where the answer was slow.
    expect(entry.aheadMs).toBeGreaterThan(1_000);
    expect(entry.aheadMs).toBeLessThan(offsetMs + 1_000);
  });

  it('is a metric of each', async () => {
    for (const { ready } of [...service.webs, ...service.workers]) {
      const { opsPort } = await ready;
      const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
      const [sample] = parseMetrics(text).get('transfers_clock_offset_seconds')?.samples ?? [];
      expect(sample?.value).toBeGreaterThan(1);
      expect(sample?.value).toBeLessThan(31);
    }
  });
});

it('a clock that is off dates nothing: orders and flows have MongoDB’s time, and clients with right clocks are served', async () => {
  const workspace = await createWorkspace(service);
  const { client } = workspace;
  const [sourceWalletId, targetWalletId] = [await workspace.wallet('10'), await workspace.wallet()];
  const body = { sourceWalletId, targetWalletId, amount: '1', currency: 'USD' };
  const headers = { Prefer: 'wait=10' };
  const created = await client.request<Record<'createdAt' | 'completedAt', string>>(
    'POST',
    '/api/v1/transfer/command/create',
    { body, headers },
  );
  const flows = await client.request<{ items: { createdAt: string }[] }>(
    'GET',
    `/api/v1/wallets/${targetWalletId}/flows`,
  );
  const { createdAt, completedAt } = created.envelope!.data;
  const times = [createdAt, completedAt, ...flows.envelope!.data.items.map((flow) => flow.createdAt)];
  // By this machine's clock, which is MongoDB's.
  const aheadMs = Math.max(...times.map((time) => Date.parse(time))) - Date.now();
  expect(times).toHaveLength(3);
  expect(aheadMs).toBeLessThan(offsetMs / 2);
});

it('a clock that stays off is warned of once a minute by a process, whatever clients of MongoDB it has', () => {
  for (const name of ['web', 'worker']) {
    const times = warnings()
      .filter((entry) => entry.event === 'clock-off' && entry.name === name)
      .map(({ time }) => Date.parse(time));
    expect(times.length).toBeGreaterThan(0);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses.filter((pauseMs) => pauseMs < 50_000)).toEqual([]);
  }
});
