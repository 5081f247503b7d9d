import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { startServiceProcess } from '../../local/service-process.ts';
import { startService, type RunningService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';

const masterKey = (version: number) => `${version}:${randomBytes(32).toString('base64')}`;
const stopTimeoutMs = 20_000;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ workers: 0 });
});
afterAll(() => service.stop());

it('a web process with a wrong MASTER_KEYS is not ready, says why, opens no API, and stops in order', async () => {
  const workspace = await createWorkspace(service);
  const [port, opsPort] = [await freePort(), await freePort()];
  const lines: string[] = [];
  const wrong = await startServiceProcess({
    name: 'web',
    entry: 'src/main.ts',
    env: {
      ...process.env,
      MONGODB_URI: service.mongodbUri,
      REDIS_URL: service.redisUrl,
      MASTER_KEYS: masterKey(2),
      HOST: '127.0.0.1',
      PORT: String(port),
      OPS_PORT: String(opsPort),
    },
    onLine: (line) => lines.push(line),
  });
  wrong.ready.catch(() => undefined);
  try {
    const readiness = await waitFor(async () => {
      const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
      expect(answer.status).toBe(503);
      const { wrongSetting } = (await answer.json()) as { wrongSetting: string };
      return wrongSetting.includes('not checked yet') ? undefined : wrongSetting;
    });
    expect(readiness).toContain('MASTER_KEYS has no version 1, with which secrets are sealed');
    expect(lines.filter((line) => line.includes('MASTER_KEYS has no version 1'))).toHaveLength(1);
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    expect(metrics).toContain('transfers_setting_right{setting="MASTER_KEYS"} 0');
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  } finally {
    expect((await wrong.stop(stopTimeoutMs)).code).toBe(0);
  }
  const right = await (await fetch(`${service.opsUrl}/metrics`)).text();
  expect(right).toContain('transfers_setting_right{setting="MASTER_KEYS"} 1');
  expect((await workspace.client.request('GET', '/api/v1/wallets')).status).toBe(200);
});
