import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { unansweredMax } from '../../src/http/connections.ts';
import { startServiceProcesses, type ServiceProcesses } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { createWorkspace, type TestWorkspace } from '../support/workspace.ts';
import type { Target } from './attack.ts';
import { attacks } from './attacks.ts';
import { unreadAnswers } from './attacks/unread-answers.ts';

const strength = { seconds: 1, share: 0.1 };
/** As long as the service may take to give up a client that does not read. */
const owedTimeoutMs = 60_000;

let service: ServiceProcesses;
let client: TestWorkspace;
let target: Target;

beforeAll(async () => {
  service = await startServiceProcesses({
    env: Object.assign({}, ...attacks.map(({ env }) => env)) as NodeJS.ProcessEnv,
  });
  client = await createWorkspace(service);
  const { apiKey, apiSecret, ...attacker } = await createWorkspace(service);
  const [web, worker] = await Promise.all([service.webs[0]!.ready, service.workers[0]!.ready]);
  target = {
    ...{ webPort: web.port!, webOpsPort: web.opsPort, workerOpsPort: worker.opsPort, keyId: client.apiKey },
    attacker: { key: { apiKey, apiSecret }, walletIds: [await attacker.wallet('1000'), await attacker.wallet()] },
  };
});

afterAll(() => service.stop());

it.each(attacks)(
  'under $name a client with a key is answered, and the service owes nothing in the end',
  async (attack) => {
    const running = await attack.start(target, strength);
    onTestFinished(async () => {
      await running.stop();
    });
    const answers = Array.from({ length: 5 }, () => client.client.request('GET', '/api/v1/wallets'));
    await running.sent;
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await waitFor(() => running.owed().length === 0, { timeoutMs: owedTimeoutMs, what: 'That nothing is owed' });
    expect(running.bytes()).toBeGreaterThan(0);
  },
);

it('of a packet whose answers nobody reads, only as many requests are handled as one connection may have', async () => {
  const before = await handledOutsideTheApi();
  const running = await unreadAnswers.start(target, strength);
  await running.sent;
  await waitFor(() => running.owed().length === 0, { timeoutMs: owedTimeoutMs, what: 'That nothing is owed' });
  const handled = (await handledOutsideTheApi()) - before;
  await running.stop();
  expect(handled).toBeGreaterThan(0);
  expect(handled).toBeLessThanOrEqual(unansweredMax);
});

/** What has no envelope, and so no code: answered with a page, or given up. */
async function handledOutsideTheApi(): Promise<number> {
  const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
  const handled = /^transfers_http_requests_total\{route="none",status="(200|499)",code="none"\} (\d+)$/gm;
  return [...metrics.matchAll(handled)].reduce((sum, [, , count]) => sum + Number(count), 0);
}

it.each([
  ['--packets', 'There is no option --packets; there are --attack, --seconds, --help.\n'],
  ['--attack=none', `There is no attack "none"; there are:\n  ${attacks.map(({ name }) => name).join('\n  ')}\n`],
])('npm run test:hostile refuses %s with 2, and says what there is', async (option, message) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), option]);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(errors).toBe(message);
});
