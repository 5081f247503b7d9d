import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { unansweredMax } from '../../src/http/connections.ts';
import { startService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace } from '../support/workspace.ts';
import { startAttack } from './attack.ts';

it('an attacker loses connections that nobody reads from, and a client with a key is answered meanwhile', async () => {
  const packets = 3;
  const service = await startService({ workers: 0 });
  onTestFinished(() => service.stop());
  const { client } = await createWorkspace(service);
  const { port } = (await service.webs[0]?.ready) ?? {};
  const attack = startAttack(port ?? 0, { packets, localesPerSecond: 5, seconds: 1 });
  onTestFinished(() => {
    attack.stop();
  });
  const answers = Array.from({ length: 5 }, () => client.request('GET', '/api/v1/wallets'));
  await attack.sent;
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  await waitFor(() => attack.closed() === packets && attack.unanswered() === 0, { timeoutMs: 60_000 });
  const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
  // The 401s have an envelope; what has none is one of the packets' requests.
  const handled = /^transfers_http_requests_total\{route="none",status="(200|499)",code="none"\} (\d+)$/gm;
  const counts = [...metrics.matchAll(handled)].map(([, , count]) => Number(count));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(packets * unansweredMax);
});

it('npm run test:hostile refuses what it does not know with 2, and says what there is', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--packages', '3']);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(errors).toBe('There is no option --packages; there are --seconds, --packets, --locales, --help.\n');
});
